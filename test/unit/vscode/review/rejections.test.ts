// What the model is told of changes that the person took back: kept over a reload, told once, bounded.
import assert from 'node:assert/strict';
import type { Rejection } from '../../../../src/core/review/types';
import { keptRejections } from '../../../../src/vscode/review/rejections';

/** As the editor's own: what is stored has gone through JSON. */
function mementoOf(initial: Record<string, unknown> = {}) {
  const values = new Map(Object.entries(initial));
  return {
    keys: () => [...values.keys()],
    get: (key: string) => values.get(key) as never,
    async update(key: string, value: unknown) {
      if (value === undefined) values.delete(key);
      else values.set(key, JSON.parse(JSON.stringify(value)));
    },
  };
}

const rejection = (path: string, diff = '@@ -1,1 +1,1 @@\n-a\n+b'): Rejection => ({
  session: 's1',
  path,
  calls: ['call_1', 'call_2'],
  diff,
  hunks: [`hash of ${diff}`],
});

const HEAD =
  'The person took back these changes of yours. Do not make them again unless you are asked to, and read a file again before you edit it.';

describe('rejected changes', () => {
  function check(title: string, rejections: readonly Rejection[], text: string): void {
    it(title, () => {
      const kept = keptRejections(mementoOf());
      kept.add(rejections);
      assert.deepEqual(kept.take('s1'), [{ about: 'rejected changes', text }]);
      assert.deepEqual(kept.take('s1'), []);
    });
  }

  check(
    'complaint 10: name the file, the calls and the change',
    [rejection('/a.ts')],
    `${HEAD}\n\n/a.ts (call_1, call_2):\n@@ -1,1 +1,1 @@\n-a\n+b`,
  );
  check(
    'complaint 10: are bounded, and what is left out is named',
    [rejection('/a.ts', 'x'.repeat(5_900)), rejection('/b.ts', 'y'.repeat(500)), rejection('/c.ts', 'z')],
    `${HEAD}\n\n/a.ts (call_1, call_2):\n${'x'.repeat(5_900)}\n\n/c.ts (call_1, call_2):\nz\n\nChanges in these files too: /b.ts.`,
  );

  it('are another session’s own', () => {
    const kept = keptRejections(mementoOf());
    kept.add([rejection('/a.ts')]);
    assert.deepEqual(kept.take('s2'), []);
    assert.equal(kept.take('s1').length, 1);
  });

  it('outlast a reload', () => {
    const memory = mementoOf();
    keptRejections(memory).add([rejection('/a.ts')]);
    const again = keptRejections(memory);
    assert.equal(again.take('s1').length, 1);
    assert.deepEqual(keptRejections(memory).take('s1'), []);
  });

  it('are told no more when they were withdrawn, after a reload either', () => {
    const memory = mementoOf();
    const kept = keptRejections(memory);
    kept.add([rejection('/a.ts'), rejection('/b.ts', 'b'), { ...rejection('/a.ts'), session: 's2' }]);
    kept.withdraw(({ path }) => path === '/a.ts');
    const again = keptRejections(memory);
    assert.deepEqual(again.take('s1'), [{ about: 'rejected changes', text: `${HEAD}\n\n/b.ts (call_1, call_2):\nb` }]);
    assert.deepEqual(again.take('s2'), []);
  });

  it('are forgotten for sessions that were not prompted for long', () => {
    const kept = keptRejections(mementoOf());
    for (let n = 0; n < 21; n++) kept.add([{ ...rejection('/a.ts'), session: `s${n}` }]);
    assert.deepEqual([kept.take('s0').length, kept.take('s1').length], [0, 1]);
  });

  for (const stored of ['text', [1], [['s1', [{ session: 1 }]]], { s1: [] }]) {
    it(`start anew where ${JSON.stringify(stored)} is stored`, () => {
      const kept = keptRejections(mementoOf({ 'review.rejections': stored }));
      assert.deepEqual(kept.take('s1'), []);
    });
  }
});
