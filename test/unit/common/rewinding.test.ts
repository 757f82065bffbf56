// What the rows say of rewinding and restoring, and of files that a call changed.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { ChangedFile } from '../../../src/common/changes';
import { NO_USAGE } from '../../../src/common/blocks';
import { MAIN_AGENT, type EventBody } from '../../../src/common/events';
import { addChanges, quote } from '../../../src/common/rewinding';
import { RowOrder } from '../../../src/common/rowOrder';
import { Transcript } from '../../../src/common/transcript';

const START: EventBody = { type: 'turn/started', text: 'Fix it' };
const END: EventBody = { type: 'turn/finished', end: 'done', usage: NO_USAGE, durationMs: 1 };
const edited = (path: string): ChangedFile => ({ path, change: 'edited' });
const restored = (...paths: string[]): EventBody => ({ type: 'files/restored', to: 't1', files: paths.map(edited) });

/** Bodies with the number of their turn; `seq` counts them from 1. */
function rowsAfter(...bodies: readonly (readonly [number, EventBody])[]): string[] {
  const transcript = new Transcript();
  for (const [at, [turn, body]] of bodies.entries()) {
    transcript.apply({ seq: at + 1, time: 1, session: 's', turn: `t${turn}`, agent: MAIN_AGENT, ...body });
  }
  return transcript
    .page(100)
    .rows.map((row) => (row.type === 'notice' ? `${row.text}${row.action ? ` [${row.action.title}]` : ''}` : row.id));
}

describe('#37 rows of rewinding', () => {
  const check = (
    name: string,
    bodies: readonly (readonly [number, EventBody])[],
    expected: readonly string[],
  ): void => {
    it(name, () => assert.deepEqual(rowsAfter(...bodies), expected));
  };
  const rewound: EventBody = { type: 'conversation/rewound', to: 't1' };

  check(
    'the prompt and all after it give way to a word about it',
    [
      [1, START],
      [1, END],
      [2, START],
      [2, END],
      [2, { type: 'conversation/rewound', to: 't2' }],
    ],
    ['t1/prompt', 't1/end', 'Rewound to before “Fix it”. [Undo Rewind]'],
  );
  check(
    'files that were put back with it are named there',
    [
      [1, START],
      [1, END],
      [1, restored('/w/a.ts', '/w/b.ts')],
      [1, rewound],
    ],
    ['Rewound to before “Fix it”. Files put back: a.ts, b.ts. [Undo Rewind]'],
  );
  check(
    'after the next prompt there is nothing to undo',
    [
      [1, START],
      [1, END],
      [1, rewound],
      [2, START],
    ],
    ['Rewound to before “Fix it”.', 't2/prompt'],
  );
  check(
    'a restore of files stays undoable after the next prompt',
    [
      [1, START],
      [1, END],
      [1, restored('/w/a.ts', 'C:\\b', '/c', '/d', '/e')],
      [2, START],
    ],
    ['t1/prompt', 't1/end', 'Put back to before “Fix it”: a.ts, b, c and 2 more. [Undo Rewind]', 't2/prompt'],
  );
  check(
    '#39: a restore that was taken back says so, once',
    [
      [1, START],
      [1, restored('/w/a.ts')],
      [1, { type: 'files/restored', to: 't1', undoes: 2, files: [edited('/w/a.ts')] }],
    ],
    ['t1/prompt', 'Put back to before “Fix it”: a.ts. Taken back: a.ts.'],
  );
  check(
    'rewinding to what is no prompt changes nothing',
    [
      [1, START],
      [1, { type: 'conversation/rewound', to: 'nowhere' }],
      [1, { type: 'conversation/restored' }],
    ],
    ['t1/prompt'],
  );

  it('quotes a prompt on one line, cut', () => {
    assert.deepEqual([quote(' a\n  b '), quote('😀'.repeat(61))], ['“a b”', `“${'😀'.repeat(60)}…”`]);
  });

  it('a cut and its undo leave the order as it was, whatever came in between', () => {
    const ids = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 2, maxLength: 20 });
    fc.assert(
      fc.property(ids, fc.nat(), fc.nat(), (all, cutAt, since) => {
        const rows = new RowOrder();
        const early = all.slice(0, 1 + (since % (all.length - 1)));
        const late = all.slice(early.length);
        for (const id of early) rows.add(id);
        const at = cutAt % early.length;
        assert.deepEqual(rows.cut(early[at] ?? '', 'told'), early.slice(at));
        for (const id of late) rows.add(id);
        assert.deepEqual(rows.ids, [...early.slice(0, at), 'told', ...late]);
        assert.equal(rows.putBack(), 'told');
        assert.deepEqual(rows.ids, all);
      }),
    );
  });
});

describe('files that a call changed', () => {
  it('are listed once each, with what was done last, where they are now', () => {
    const first = addChanges(undefined, [{ path: '/a', change: 'created' }, edited('/b')]);
    const files = addChanges(first, [edited('/a'), { path: '/c', to: '/d', change: 'moved' }]);
    assert.deepEqual(files, {
      listed: [
        { path: '/a', change: 'edited' },
        { path: '/b', change: 'edited' },
        { path: '/d', change: 'moved' },
      ],
      more: 0,
    });
  });

  it('are counted beyond what is listed', () => {
    const many = Array.from({ length: 70 }, (_, at) => edited(`/file${at}`));
    const long = [edited(`/${'x'.repeat(5_000)}`)];
    const counts = [addChanges(undefined, many), addChanges(undefined, long)].map(({ listed, more }) => [
      listed.length,
      more,
    ]);
    assert.deepEqual(counts, [
      [50, 20],
      [0, 1],
    ]);
  });

  it('stand on the row of a command, not on that of an edit, which shows them itself', () => {
    const transcript = new Transcript();
    const changed = (['shell', 'edit'] as const).map((kind, at) => {
      const stamp = { seq: at, time: 1, session: 's', turn: 't1', agent: MAIN_AGENT };
      transcript.apply({ ...stamp, type: 'tool/queued', call: kind, tool: kind, kind, title: kind });
      transcript.apply({ ...stamp, type: 'files/changed', call: kind, files: [edited('/a')] });
      const row = transcript.row(kind);
      return row?.type === 'tool' ? row.changed : assert.fail();
    });
    assert.deepEqual(changed, [{ listed: [{ path: '/a', change: 'edited' }], more: 0 }, undefined]);
  });
});
