// When a name that is taken is the file itself, spelled otherwise: only where the file system folds case.
import assert from 'node:assert/strict';
import { link } from 'node:fs/promises';
import { isOtherSpelling, isTakenFor } from '../../../src/node/spelling';
import { inWorkspace } from '../../support/workspace';

interface Case {
  readonly what: string;
  readonly to?: string;
  readonly ino?: bigint;
  readonly dev?: bigint;
  readonly names?: readonly string[];
  readonly expected: boolean;
}

const CASES: readonly Case[] = [
  { what: 'the same file under a name in other case', expected: true },
  { what: 'a folded name of another Unicode form', to: '/w/É.ts', names: ['e\u0301.ts'], expected: true },
  { what: 'another file of that name', ino: 8n, expected: false },
  { what: 'a file of the same number on another disk', dev: 2n, expected: false },
  { what: 'a second name of the file (a hard link)', names: ['a.ts', 'A.ts'], expected: false },
  { what: 'a quite different name', to: '/w/b.ts', expected: false },
  { what: 'the same name in another folder', to: '/v/A.ts', expected: false },
];

describe('other spellings of a name', () => {
  for (const { what, to = '/w/A.ts', ino = 7n, dev = 1n, names = ['a.ts'], expected } of CASES) {
    it(what, () => {
      const from = { path: names[0] === 'a.ts' ? '/w/a.ts' : '/w/e\u0301.ts', dev: 1n, ino: 7n };
      assert.equal(isOtherSpelling(from, { path: to, dev, ino }, names), expected);
    });
  }

  it('where case counts, both names are names of their own', () =>
    inWorkspace({ 'a.ts': 'a' }, async ({ path, host, tree }) => {
      assert.equal(await isTakenFor(path('a.ts'), path('A.ts')), false);
      const baseVersion = await host.files.version(path('a.ts'));
      assert.ok(typeof baseVersion === 'string');
      const move = { kind: 'move', path: path('a.ts'), to: path('A.ts'), baseVersion } as const;
      await link(path('a.ts'), path('A.ts'));
      assert.equal(await isTakenFor(path('a.ts'), path('A.ts')), true);
      const outcome = await host.edits.apply({ label: '', call: '', changes: [move] });
      assert.equal(outcome.ok, false);
      assert.deepEqual(await tree(), { 'A.ts': 'a', 'a.ts': 'a' });
    }));
});
