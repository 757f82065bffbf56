// How rows take in what arrives: nothing is lost, nothing shown twice, whatever way the pieces come.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { TextRow } from '../../../src/common/rows';
import { appendText, insertPiece, mergeRow, missingChars, type LongRow } from '../../../webview/rows';

function row(text: string, chars = text.length, streaming = true): TextRow {
  return { type: 'text', id: 'b1', turn: 't1', agent: 'main', streaming, interrupted: false, text, chars };
}

describe('rows of the panel', () => {
  function check(name: string, actual: () => LongRow, expected: LongRow): void {
    it(name, () => assert.deepEqual(actual(), expected));
  }

  check('text is added at the end', () => appendText(row('ab'), 'cd'), row('abcd'));
  check('where text is missing only the length grows', () => appendText(row('ab', 9), 'cd'), row('ab', 11));
  check('a piece fills what is missing', () => insertPiece(row('ab', 4), 2, 'cd'), row('abcd', 4));
  check('a piece for another place is left out', () => insertPiece(row('ab', 6), 4, 'ef'), row('ab', 6));
  check(
    'of a piece, text whose event is on its way is left to it',
    () => insertPiece(row('ab', 3), 2, 'cde'),
    row('abc'),
  );
  check(
    'a head does not replace the longer text it begins',
    () => mergeRow(row('abcdef'), row('abc', 6, false)) as LongRow,
    row('abcdef', 6, false),
  );
  check('a text that reads otherwise replaces', () => mergeRow(row('abcdef'), row('xbc', 6)) as LongRow, row('xbc', 6));
  check('a shorter text replaces', () => mergeRow(row('abcdef'), row('abc', 3)) as LongRow, row('abc', 3));

  it('a stream and ranges together give the whole text', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(fc.string()), fc.nat(), (first, deltas, headChars) => {
        const whole = first + deltas.join('');
        const head = first.slice(0, headChars);
        let held: LongRow = row(head, first.length);
        for (const delta of deltas) held = appendText(held, delta);
        while (missingChars(held) > 0) {
          const offset = held.text.length;
          held = insertPiece(held, offset, whole.slice(offset, offset + 3));
        }
        assert.deepEqual(held, row(whole));
      }),
    );
  });
});
