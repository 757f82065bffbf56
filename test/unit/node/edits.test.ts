// The only writer on a disk: bytes outside a change stay, and a plan takes effect whole or not at all.
import assert from 'node:assert/strict';
import { chmod, lstat, mkdir, readdir, rename, stat, symlink, truncate, unlink, writeFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { isProblem, type EditOutcome, type FileChange, type Splice } from '../../../src/core/host';
import { inWorkspace, type Tree, type Workspace } from '../../support/workspace';

/** Paths are relative; `base` says which file's present version the change is made for. */
type Change =
  | { edit: string; splices: readonly Splice[]; stale?: true }
  | { create: string; text: string }
  | { delete: string }
  | { move: string; to: string };

async function apply(workspace: Workspace, changes: readonly Change[]): Promise<EditOutcome> {
  const planned = await Promise.all(changes.map((change) => toFileChange(workspace, change)));
  return workspace.host.edits.apply({ label: 'test', call: 'c1', changes: planned });
}

async function toFileChange(workspace: Workspace, change: Change): Promise<FileChange> {
  const { path } = workspace;
  if ('create' in change) return { kind: 'create', path: path(change.create), text: change.text };
  if ('edit' in change) {
    const baseVersion = change.stale ? 'another' : await versionOf(workspace, change.edit);
    return { kind: 'edit', path: path(change.edit), baseVersion, splices: change.splices };
  }
  if ('delete' in change) {
    return { kind: 'delete', path: path(change.delete), baseVersion: await versionOf(workspace, change.delete) };
  }
  const baseVersion = await versionOf(workspace, change.move);
  return { kind: 'move', path: path(change.move), to: path(change.to), baseVersion };
}

async function versionOf({ host, path }: Workspace, relative: string): Promise<string> {
  const file = await host.files.text(path(relative), 1e6);
  return isProblem(file) ? 'none' : file.version;
}

interface Case {
  readonly what: string;
  readonly before: Tree;
  readonly changes: readonly Change[];
  /** The whole tree afterwards; absent: as before. */
  readonly after?: Record<string, string>;
  /** Part of the reason when it is refused. */
  readonly refused?: RegExp;
}

const insert = (at: number, text: string): Splice[] => [{ start: at, end: at, text }];

const CASES: readonly Case[] = [
  {
    what: 'several splices count in the text before',
    before: { a: 'one\r\ntwo\nthree' },
    changes: [
      {
        edit: 'a',
        splices: [
          { start: 0, end: 3, text: '1' },
          { start: 9, end: 14, text: '3\n' },
        ],
      },
    ],
    after: { a: '1\r\ntwo\n3\n' },
  },
  {
    what: 'the byte-order mark stays',
    before: { a: '\ufeffab' },
    changes: [{ edit: 'a', splices: insert(1, 'X') }],
    after: { a: '\ufeffaXb' },
  },
  {
    what: 'a new file gets its folders',
    before: {},
    changes: [{ create: 'x/y/z.txt', text: 'é' }],
    after: { 'x/y/z.txt': 'é' },
  },
  { what: 'an empty file can be made', before: {}, changes: [{ create: 'a', text: '' }], after: { a: '' } },
  { what: 'a file is deleted', before: { a: '1', b: '2' }, changes: [{ delete: 'a' }], after: { b: '2' } },
  {
    what: 'a file is moved into a new folder',
    before: { a: '1' },
    changes: [{ move: 'a', to: 'x/b' }],
    after: { 'x/b': '1' },
  },
  {
    what: 'several files at once',
    before: { a: '1', b: '2' },
    changes: [{ edit: 'a', splices: insert(1, '!') }, { delete: 'b' }, { create: 'c', text: '3' }],
    after: { a: '1!', c: '3' },
  },
  {
    what: 'another version is refused',
    before: { a: '1' },
    changes: [{ edit: 'a', splices: insert(0, 'x'), stale: true }],
    refused: /changed since it was read/,
  },
  {
    what: 'a missing file is refused',
    before: {},
    changes: [{ edit: 'a', splices: [] }],
    refused: /does not exist/,
  },
  {
    what: 'an existing file is not created',
    before: { a: '1' },
    changes: [{ create: 'a', text: '2' }],
    refused: /exists already/,
  },
  {
    what: 'a move does not replace',
    before: { a: '1', b: '2' },
    changes: [{ move: 'a', to: 'b' }],
    refused: /exists already/,
  },
  {
    what: 'a file below a file is refused',
    before: { a: '1' },
    changes: [{ create: 'a/b', text: '2' }],
    refused: /part of the path is a file/,
  },
  {
    what: 'a folder that was made for a refused plan goes again',
    before: { a: '1' },
    changes: [
      { create: 'x/y/z', text: '' },
      { edit: 'a', splices: [], stale: true },
    ],
    refused: /changed since it was read/,
  },
  {
    what: 'the same file twice is refused',
    before: { a: '1' },
    changes: [
      { edit: 'a', splices: insert(0, 'x') },
      { edit: 'a', splices: insert(1, 'y') },
    ],
    refused: /changed twice/,
  },
  {
    what: 'half a character is refused',
    before: { a: '1' },
    changes: [{ edit: 'a', splices: insert(0, '\ud83d') }],
    refused: /surrogate/,
  },
  {
    what: 'a name that is too long is refused',
    before: {},
    changes: [{ create: 'n'.repeat(300), text: '' }],
    refused: /too long/,
  },
];

describe('O27 Edits.apply', () => {
  for (const { what, before, changes, after, refused } of CASES) {
    it(what, () =>
      inWorkspace(before, async (workspace) => {
        const treeBefore = await workspace.tree();
        const outcome = await apply(workspace, changes);
        assert.equal(outcome.ok, refused === undefined);
        if (!outcome.ok) assert.match(outcome.reason, refused ?? /^$/);
        assert.deepEqual(await workspace.tree(), after ?? treeBefore);
      }),
    );
  }

  it('tells the text and the version after', () =>
    inWorkspace({ a: 'x' }, async (workspace) => {
      const outcome = await apply(workspace, [
        { edit: 'a', splices: insert(1, 'y') },
        { create: 'b', text: 'z' },
      ]);
      const after = (text: string, version: string) => ({ text, version, isDirty: false, encoding: 'utf8' });
      assert.deepEqual(outcome, {
        ok: true,
        files: [
          {
            path: workspace.path('a'),
            after: after('xy', await versionOf(workspace, 'a')),
            isSaved: true,
            wasReformatted: false,
          },
          {
            path: workspace.path('b'),
            after: after('z', await versionOf(workspace, 'b')),
            isSaved: true,
            wasReformatted: false,
          },
        ],
      });
    }));

  it('keeps the permissions', () =>
    inWorkspace({ a: { text: 'x', mode: 0o751 } }, async (workspace) => {
      assert.equal((await apply(workspace, [{ edit: 'a', splices: insert(0, 'y') }])).ok, true);
      assert.equal((await stat(workspace.path('a'))).mode & 0o777, 0o751);
    }));

  it('leaves a read-only file alone', () =>
    inWorkspace({ a: { text: 'x', mode: 0o444 } }, async (workspace) => {
      const outcome = await apply(workspace, [{ edit: 'a', splices: insert(0, 'y') }]);
      assert.deepEqual(outcome, { ok: false, reason: `${workspace.path('a')} is read-only. Nothing was changed.` });
      await chmod(workspace.path('a'), 0o644);
    }));

  it('writes to what a link leads to, and keeps the link', () =>
    inWorkspace({ a: 'x', l: { link: 'a' } }, async (workspace) => {
      assert.equal((await apply(workspace, [{ edit: 'l', splices: insert(0, 'y') }])).ok, true);
      assert.equal((await lstat(workspace.path('l'))).isSymbolicLink(), true);
      assert.deepEqual(await workspace.tree(), { a: 'yx' });
    }));

  it('T06: deletes and moves what is no text, or takes it back', () =>
    inWorkspace({ a: Uint8Array.of(0, 255, 1), b: Uint8Array.of(0, 254), c: '1' }, async (workspace) => {
      const { host, path } = workspace;
      const version = async (name: string) => {
        const found = await host.files.version(path(name));
        return typeof found === 'string' ? found : found.message;
      };
      const removals = async (): Promise<FileChange[]> => [
        { kind: 'delete', path: path('a'), baseVersion: await version('a') },
        { kind: 'move', path: path('b'), to: path('x/b'), baseVersion: await version('b') },
      ];
      const stale = await toFileChange(workspace, { edit: 'c', splices: [], stale: true });
      const before = await workspace.tree();
      const run = (changes: FileChange[]) => host.edits.apply({ label: '', call: '', changes });
      assert.equal((await run([...(await removals()), stale])).ok, false);
      assert.deepEqual(await workspace.tree(), before);
      // It is there when the plan is checked, and taken when it is its turn.
      const clash: FileChange = { kind: 'move', path: path('c'), to: path('x/b'), baseVersion: await version('c') };
      assert.equal((await run([...(await removals()), clash])).ok, false);
      assert.deepEqual(await workspace.tree(), before);
      assert.equal((await run(await removals())).ok, true);
      assert.deepEqual(
        [await workspace.bytes('x/b'), Object.keys(await workspace.tree())],
        [Buffer.from([0, 254]), ['c', 'x/b']],
      );
    }));

  it('deletes a link, not what it leads to', () =>
    inWorkspace({ a: 'x', l: { link: 'a' } }, async (workspace) => {
      assert.equal((await apply(workspace, [{ delete: 'l' }])).ok, true);
      assert.deepEqual(await workspace.tree(), { a: 'x' });
      await assert.rejects(lstat(workspace.path('l')));
    }));

  it('takes everything back when a later change cannot take effect', () =>
    inWorkspace({ a: '1', b: '2', c: '3', 'locked/d': '4' }, async (workspace) => {
      const before = await workspace.tree();
      const planned = await Promise.all(
        [
          { edit: 'a', splices: insert(0, 'x') },
          { delete: 'b' },
          { move: 'c', to: 'e' },
          { create: 'f/g', text: '' },
        ].map((change) => toFileChange(workspace, change)),
      );
      // Two moves to one place are both free when they are checked; the second one fails when it is made.
      const clash: FileChange = {
        kind: 'move',
        path: workspace.path('locked/d'),
        to: workspace.path('e'),
        baseVersion: await versionOf(workspace, 'locked/d'),
      };
      const outcome = await workspace.host.edits.apply({ label: '', call: '', changes: [...planned, clash] });
      assert.deepEqual(outcome, { ok: false, reason: `${workspace.path('e')} exists by now. Nothing was changed.` });
      assert.deepEqual(await workspace.tree(), before);
    }));

  it('is not led outside by a link that comes into the way', () =>
    inWorkspace({ a: 'x' }, async (workspace) => {
      await writeFile(`${workspace.outside}/victim`, 'x');
      const planned = await toFileChange(workspace, { edit: 'a', splices: insert(0, 'y') });
      await unlink(workspace.path('a'));
      await symlink(`${workspace.outside}/victim`, workspace.path('a'));
      const changes = [{ ...planned, real: workspace.path('a') }];
      const outcome = await workspace.host.edits.apply({ label: '', call: '', changes });
      assert.equal(outcome.ok, false);
      assert.equal(await workspace.bytes('../victim').then(String), 'x');
    }));

  for (const change of [{ delete: 'sub/a' }, { move: 'sub/a', to: 'b' }, { move: 'b', to: 'sub/c' }] as const) {
    it(`S32 a folder becomes a link while everybody is ready: ${JSON.stringify(change)}`, () =>
      inWorkspace({ 'sub/a': 'x', b: 'x' }, async (workspace) => {
        const { outside, path, host } = workspace;
        await mkdir(`${outside}/theirs`);
        await writeFile(`${outside}/theirs/a`, 'x');
        if ('delete' in change || change.move !== 'b') await unlink(path('b'));
        const planned = await toFileChange(workspace, change);
        const swap = async () => {
          // Longer than staging takes: what is checked before has been by then.
          await setTimeout(100);
          await rename(path('sub'), path('was'));
          await symlink(`${outside}/theirs`, path('sub'));
        };
        const outcome = await host.edits.apply({ label: '', call: '', changes: [planned], ready: swap() });
        const led = planned.kind === 'move' && 'move' in change && change.move === 'b' ? planned.to : planned.path;
        assert.deepEqual(outcome, {
          ok: false,
          reason: `${led} leads somewhere else by now. Read it again. Nothing was changed.`,
        });
        assert.deepEqual(await readdir(`${outside}/theirs`), ['a']);
      }));
  }

  it('leaves no folders behind where a file cannot be put back', () =>
    inWorkspace({}, async ({ host, path, root }) => {
      const change: FileChange = { kind: 'put', path: path(`new/sub/${'字'.repeat(100)}`), bytes: Buffer.from('x') };
      const outcome = await host.edits.apply({ label: '', call: '', changes: [change] });
      assert.equal(outcome.ok, false);
      assert.deepEqual(await readdir(root), []);
    }));

  it('applies plans one after another', () =>
    inWorkspace({ a: '' }, async (workspace) => {
      const baseVersion = await versionOf(workspace, 'a');
      const outcomes = await Promise.all(
        ['x', 'y', 'z'].map((text) =>
          workspace.host.edits.apply({
            label: '',
            call: '',
            changes: [{ kind: 'edit', path: workspace.path('a'), baseVersion, splices: insert(0, text) }],
          }),
        ),
      );
      assert.deepEqual(
        outcomes.map(({ ok }) => ok),
        [true, false, false],
      );
      assert.deepEqual(await workspace.tree(), { a: 'x' });
    }));

  it('O27: one plan over two folders takes effect in both or in neither', () =>
    inWorkspace({ a: '1' }, async (workspace) => {
      const { host, path, tree } = workspace;
      const other = `${workspace.outside}/second`;
      await mkdir(other);
      await writeFile(`${other}/b`, '2');
      const edit = await toFileChange(workspace, { edit: 'a', splices: insert(1, '!') });
      const baseVersion = await host.files.version(`${other}/b`);
      assert.ok(typeof baseVersion === 'string');
      const away: FileChange = { kind: 'move', path: `${other}/b`, to: path('b'), baseVersion };
      const create: FileChange = { kind: 'create', path: `${other}/c`, text: '3' };
      const run = (...changes: FileChange[]) => host.edits.apply({ label: '', call: '', changes });
      // A second move to the same place fails only when it is its turn.
      await writeFile(`${other}/d`, '2');
      const clash: FileChange = { ...away, path: `${other}/d` };
      assert.equal((await run(edit, create, away, clash)).ok, false);
      assert.deepEqual([await tree(), await readdir(other)], [{ a: '1' }, ['b', 'd']]);
      assert.equal((await run(edit, create, away)).ok, true);
      assert.deepEqual([await tree(), await readdir(other)], [{ a: '1!', b: '2' }, ['c', 'd']]);
    }));

  it('T06: a file far above what is edited is moved and deleted without being held in memory', () =>
    inWorkspace({ 'big.bin': Uint8Array.of(0, 1) }, async ({ host, path, tree }) => {
      const sizeBytes = 300 * 1024 * 1024;
      await truncate(path('big.bin'), sizeBytes);
      const baseVersion = await host.files.version(path('big.bin'));
      assert.ok(typeof baseVersion === 'string');
      const run = (change: FileChange) => host.edits.apply({ label: '', call: '', changes: [change] });
      const before = process.memoryUsage().arrayBuffers;
      let peak = 0;
      const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().arrayBuffers - before)), 5);
      const moved = await run({ kind: 'move', path: path('big.bin'), to: path('x/big.bin'), baseVersion });
      assert.equal(moved.ok, true);
      assert.equal((await stat(path('x/big.bin'))).size, sizeBytes);
      assert.equal((await run({ kind: 'delete', path: path('x/big.bin'), baseVersion })).ok, true);
      clearInterval(watch);
      assert.ok(peak < sizeBytes / 2, `${peak} bytes`);
      assert.deepEqual(await tree(), {});
    }));
});
