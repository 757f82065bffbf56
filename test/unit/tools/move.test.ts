// move: one file under another name, over nothing, and known there as it was known before.
import assert from 'node:assert/strict';
import { mkdir, rename, symlink, writeFile } from 'node:fs/promises';
import { checkTool, withTools, type ToolTestOptions } from '../../support/toolTest';

const TREE = { 'a.txt': 'one\r\ntwo\n', 'b.txt': 'b', 'deep/c.txt': 'c', '.env': 'KEY=x' };
const readA = ['read', { file_path: 'a.txt' }] as const;
const denying: ToolTestOptions = {
  ...{ mode: 'acceptEdits', answer: () => ({ kind: 'permission', decision: 'deny' }) },
};
const readingOnly: ToolTestOptions = {
  mode: 'acceptEdits',
  answer: (ask) => ({
    ...{ kind: 'permission', decision: ask.kind === 'permission' && ask.tool === 'read' ? 'once' : 'deny' },
  }),
};

checkTool('move', TREE, [
  {
    what: 'gives a file another name',
    before: [readA],
    input: { file_path: 'a.txt', to: 'z.txt' },
    text: 'Moved a.txt to z.txt.',
    display: {
      kind: 'diff',
      files: [{ path: 'z.txt', from: 'a.txt', change: 'moved', added: 0, removed: 0, hunks: [] }],
    },
    after: { 'z.txt': TREE['a.txt'], 'b.txt': 'b', 'deep/c.txt': 'c', '.env': 'KEY=x' },
  },
  {
    what: 'makes the folders on the way, without asking where edits are accepted',
    before: [readA],
    input: { file_path: 'a.txt', to: 'new/folder/a.txt' },
    text: 'Moved a.txt to new/folder/a.txt.',
    options: denying,
    after: { 'new/folder/a.txt': TREE['a.txt'], 'b.txt': 'b', 'deep/c.txt': 'c', '.env': 'KEY=x' },
  },
  {
    what: 'R05: needs a read',
    input: { file_path: 'a.txt', to: 'z.txt' },
    status: 'failed',
    text: 'Read a.txt first: its current text must be known before it is moved.',
    after: TREE,
  },
  {
    what: 'R06: refuses what has changed since',
    before: [readA],
    meanwhile: ({ path }) => writeFile(path('a.txt'), 'other'),
    input: { file_path: 'a.txt', to: 'z.txt' },
    status: 'failed',
    text: 'a.txt has changed since it was read. Read it again before it is moved.',
  },
  {
    what: 'never goes over a file',
    before: [readA],
    input: { file_path: 'a.txt', to: 'b.txt' },
    status: 'failed',
    text: 'b.txt exists already, and nothing is overwritten. Choose another name, or delete it first.',
    after: TREE,
  },
  {
    what: 'never goes over a link that leads nowhere',
    files: { 'a.txt': 'a', gone: { link: 'nowhere' } },
    before: [readA],
    input: { file_path: 'a.txt', to: 'gone' },
    status: 'failed',
    text: /exists already/,
    after: { 'a.txt': 'a' },
  },
  {
    what: 'wants the whole new path',
    before: [readA],
    input: { file_path: 'a.txt', to: 'deep' },
    status: 'failed',
    text: 'deep is a folder. Give the whole new path, with the file’s name at its end.',
  },
  {
    what: 'refuses to move a file onto itself',
    before: [readA],
    input: { file_path: 'a.txt', to: './deep/../a.txt' },
    status: 'failed',
    text: 'a.txt has that name already: nothing to move.',
  },
  {
    what: 'refuses a folder and says what takes it',
    input: { file_path: 'deep', to: 'deeper' },
    status: 'failed',
    text: /^deep is a folder; this tool takes one file\..*\(mv, git mv\)\.$/,
  },
  {
    what: 'refuses a place below a file',
    before: [readA],
    input: { file_path: 'a.txt', to: 'b.txt/a.txt' },
    status: 'failed',
    text: 'b.txt/a.txt does not exist: b.txt is a file, not a folder.',
    after: TREE,
  },
  {
    what: 'asks for what is protected at its old name',
    before: [['read', { file_path: '.env' }]],
    input: { file_path: '.env', to: 'public.txt' },
    status: 'denied',
    text: /declined/,
    options: readingOnly,
    after: TREE,
  },
  {
    what: 'asks for what is protected at its new name',
    before: [readA],
    input: { file_path: 'a.txt', to: '.vscode/a.txt' },
    status: 'denied',
    text: /declined/,
    options: denying,
    after: TREE,
  },
  {
    what: 'O24: puts nothing where it would be a broken configuration',
    before: [readA],
    input: { file_path: 'a.txt', to: 'package.json' },
    status: 'failed',
    text: /^package\.json would be broken by this, so nothing was changed/,
    after: TREE,
  },
  {
    what: 'is denied in Plan',
    before: [readA],
    input: { file_path: 'a.txt', to: 'z.txt' },
    status: 'denied',
    text: /Plan mode/,
    options: { mode: 'plan' },
    after: TREE,
  },
]);

describe('move', () => {
  it('brings along what is known of the file, and nothing is known under the old name', () =>
    withTools(TREE, async ({ call, tree, path }) => {
      await call('read', { file_path: 'a.txt' });
      await call('move', { file_path: 'a.txt', to: 'sub/z.txt' });
      const edited = await call('edit', { file_path: 'sub/z.txt', old_string: 'one', new_string: '1' });
      assert.equal(edited.status, 'done');
      await writeFile(path('a.txt'), TREE['a.txt']);
      assert.match((await call('write', { file_path: 'a.txt', content: 'x' })).text, /^Read a\.txt first/);
      assert.equal((await tree())['sub/z.txt'], '1\r\ntwo\n');
    }));

  for (const file_path of ['a.txt', 'outside.txt']) {
    it(`S44: out of the workspace or into it asks: ${file_path}`, () =>
      withTools(
        TREE,
        async ({ call, outside, asks, tree }) => {
          await writeFile(`${outside}/outside.txt`, 'out');
          const isLeaving = file_path === 'a.txt';
          const [from, to] = isLeaving ? [file_path, `${outside}/x.txt`] : [`${outside}/${file_path}`, 'x.txt'];
          await call('read', { file_path: from });
          const read = asks.length;
          const { status } = await call('move', { file_path: from, to });
          assert.deepEqual([status, asks.length - read], ['denied', 1]);
          assert.deepEqual(await tree(), TREE);
        },
        readingOnly,
      ));
  }

  it('S32: a folder that became a link to elsewhere after it was judged gets nothing', async () => {
    await withTools(TREE, async ({ host, outside, path, tree }) => {
      await mkdir(`${outside}/trap`);
      const real = path('deep/a.txt');
      const baseVersion = await host.files.version(path('a.txt'));
      assert.ok(typeof baseVersion === 'string');
      await rename(path('deep'), path('was-deep'));
      await symlink(`${outside}/trap`, path('deep'));
      const change = { kind: 'move', path: path('a.txt'), to: path('deep/a.txt'), toReal: real, baseVersion } as const;
      const outcome = await host.edits.apply({ label: 'Move', call: 'c1', changes: [change] });
      assert.ok(!outcome.ok);
      assert.match(outcome.reason, /leads somewhere else by now/);
      assert.equal((await tree())['a.txt'], TREE['a.txt']);
    });
  });

  it('takes a link itself, and leaves what it leads to', () =>
    withTools(TREE, async ({ call, path, tree }) => {
      await symlink(path('a.txt'), path('link'));
      await call('read', { file_path: 'link' });
      assert.equal((await call('move', { file_path: 'link', to: 'link2' })).status, 'done');
      assert.deepEqual(await tree(), TREE);
      assert.equal((await call('read', { file_path: 'link2' })).status, 'done');
    }));
});
