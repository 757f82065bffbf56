// Which rows are drawn: never more than the bound, whatever way the person goes.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { RowOrder } from '../../../../webview/state';
import {
  earlierWindow,
  idsIn,
  latestWindow,
  laterWindow,
  rowsEnd,
  windowAround,
  WINDOW_ROWS,
} from '../../../../webview/views/window';

function order(count: number, first = 0): RowOrder {
  return { first, ids: Array.from({ length: count }, (_, at) => `row ${first + at}`) };
}

describe('window of the transcript', () => {
  function check(name: string, actual: unknown, expected: unknown): void {
    it(name, () => assert.deepEqual(actual, expected));
  }

  check('few rows are all drawn', latestWindow(order(3)), { start: 0, end: 3 });
  check('of many the latest', latestWindow(order(1_000)), { start: 800, end: 1_000 });
  check('earlier ones push out later ones', earlierWindow({ start: 800, end: 1_000 }, order(1_000)), {
    start: 740,
    end: 940,
  });
  check('later ones push out earlier ones', laterWindow({ start: 740, end: 940 }, order(1_000)), {
    start: 800,
    end: 1_000,
  });
  check('older rows do not move what is drawn', idsIn({ start: 0, end: 2 }, order(5, -3)), ['row 0', 'row 1']);
  check('around a row', windowAround('row 500', order(1_000)), { start: 400, end: 600 });
  check('around a row that is not here', windowAround('row 5000', order(1_000)), undefined);

  it('stays within the rows and within the bound', () => {
    fc.assert(
      fc.property(fc.nat(2_000), fc.integer({ min: -500, max: 0 }), fc.array(fc.boolean()), (count, first, ways) => {
        const rows = order(count, first);
        let drawn = latestWindow(rows);
        for (const isUp of ways) {
          drawn = isUp ? earlierWindow(drawn, rows) : laterWindow(drawn, rows);
          const { start, end } = drawn;
          assert.ok(first <= start && start <= end && end <= rowsEnd(rows) && end - start <= WINDOW_ROWS);
        }
      }),
    );
  });
});
