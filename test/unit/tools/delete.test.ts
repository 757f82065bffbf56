// delete: one file, known as it is; everything else stays.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { lstat, mkdir, symlink, writeFile } from 'node:fs/promises';
import { checkTool, withTools, type ToolTestOptions } from '../../support/toolTest';

const PICTURE = Buffer.from('89504e470d0a1a0a0000000d4948445200', 'hex');
const TREE = { 'a.txt': 'one\r\ntwo\n', 'deep/b.txt': 'b', 'p.png': PICTURE };
const KEPT = { 'deep/b.txt': 'b', 'p.png': PICTURE.toString('utf8') };
const ALL = { 'a.txt': 'one\r\ntwo\n', ...KEPT };
const readA = ['read', { file_path: 'a.txt' }] as const;
const BACK = 'The person can bring it back from the checkpoint of this prompt.';
const answering = (decision: 'once' | 'deny', mode: ToolTestOptions['mode'] = 'acceptEdits'): ToolTestOptions => ({
  ...{ mode, answer: () => ({ kind: 'permission', decision }) },
});

checkTool('delete', TREE, [
  {
    what: 'takes away what was read, and shows what goes',
    before: [readA],
    input: { file_path: 'a.txt' },
    text: `Deleted a.txt (2 lines). ${BACK}`,
    display: {
      kind: 'diff',
      files: [
        {
          ...{ path: 'a.txt', change: 'deleted', added: 0, removed: 2 },
          hunks: [
            {
              ...{ oldStart: 1, newStart: 1 },
              lines: [
                { sign: '-', text: 'one' },
                { sign: '-', text: 'two' },
              ],
            },
          ],
        },
      ],
    },
    after: KEPT,
  },
  {
    what: 'promises no checkpoint where there is none',
    before: [readA],
    input: { file_path: 'a.txt' },
    text: 'Deleted a.txt (2 lines).',
    options: { settings: { 'checkpoints.enabled': false } },
  },
  {
    what: 'R05: needs a read',
    input: { file_path: 'a.txt' },
    status: 'failed',
    text: 'Read a.txt first: its current text must be known before it is deleted.',
    after: ALL,
  },
  {
    what: 'R06: refuses what has changed since',
    before: [readA],
    meanwhile: ({ path }) => writeFile(path('a.txt'), 'other'),
    input: { file_path: 'a.txt' },
    status: 'failed',
    text: 'a.txt has changed since it was read. Read it again before it is deleted.',
    after: { ...ALL, 'a.txt': 'other' },
  },
  {
    what: 'takes what has no text to read, once the person says so',
    input: { file_path: 'p.png' },
    text: `Deleted p.png. ${BACK}`,
    options: answering('once'),
    after: { 'a.txt': ALL['a.txt'], 'deep/b.txt': 'b' },
  },
  {
    what: 'takes what was read in part and is too large to be edited, does not call it changed and promises no checkpoint',
    files: { 'long.txt': 'line\n'.repeat(1_000) },
    before: [['read', { file_path: 'long.txt' }]],
    input: { file_path: 'long.txt' },
    text: 'Deleted long.txt.',
    options: { settings: { 'files.maxReadBytes': 100, 'files.maxEditBytes': 200 } },
    after: {},
  },
  {
    what: 'leaves it when the person does not',
    input: { file_path: 'p.png' },
    status: 'denied',
    text: /declined/,
    options: answering('deny'),
    after: ALL,
  },
  {
    what: 'asks in Accept edits too, since it is no edit',
    before: [readA],
    input: { file_path: 'a.txt' },
    status: 'denied',
    text: /declined/,
    options: answering('deny'),
    after: ALL,
  },
  {
    what: 'is denied in Plan',
    before: [readA],
    input: { file_path: 'a.txt' },
    status: 'denied',
    text: /Plan mode/,
    options: { mode: 'plan' },
    after: ALL,
  },
  {
    what: 'refuses a folder and says what takes it',
    input: { file_path: 'deep' },
    status: 'failed',
    text: 'deep is a folder; this tool takes one file. Name a file in it, or use the shell for all of it (rm, rm -r, rmdir).',
    after: ALL,
  },
  {
    what: 'O26: suggests a name for one that is not there',
    input: { file_path: 'a.tx' },
    status: 'failed',
    text: 'a.tx does not exist. Did you mean a.txt?',
  },
  {
    what: 'refuses a pipe',
    files: { fifo: { pipe: true } },
    input: { file_path: 'fifo' },
    status: 'failed',
    text: 'fifo is not a regular file. Use the shell (rm, rm -r, rmdir).',
  },
  {
    what: 'refuses a link to a folder',
    files: { 'deep/b.txt': 'b', there: { link: 'deep' } },
    input: { file_path: 'there' },
    status: 'failed',
    text: 'there is a link to a folder. Use the shell (rm, rm -r, rmdir).',
    after: { 'deep/b.txt': 'b' },
  },
  {
    what: 'tells a link that leads nowhere from a missing file',
    files: { gone: { link: 'nowhere' } },
    input: { file_path: 'gone' },
    status: 'failed',
    text: /gone.* is a link that leads nowhere\. Use the shell/,
  },
  {
    what: 'shows the beginning of a long text only',
    files: { long: 'line\n'.repeat(20_000) },
    before: [['read', { file_path: 'long' }]],
    input: { file_path: 'long' },
    text: /^Deleted long \(20000 lines\)/,
    after: {},
  },
]);

describe('delete', () => {
  it('takes a link itself and leaves what it leads to', () =>
    withTools(TREE, async ({ call, path, tree }) => {
      await symlink('a.txt', path('link'));
      await call('read', { file_path: 'link' });
      const { status } = await call('delete', { file_path: 'link' });
      assert.deepEqual([status, await tree()], ['done', ALL]);
      await assert.rejects(lstat(path('link')));
    }));

  it('R06: what changed while the person was asked stays', () => {
    let target = '';
    const answer: ToolTestOptions['answer'] = () => {
      writeFileSync(target, 'typed meanwhile');
      return { kind: 'permission', decision: 'once' };
    };
    return withTools(
      TREE,
      async ({ call, path, tree }) => {
        target = path('a.txt');
        await call('read', { file_path: 'a.txt' });
        const { status, text } = await call('delete', { file_path: 'a.txt' });
        assert.equal(status, 'failed');
        assert.match(text, /has changed since it was read.* Nothing was changed\.$/);
        assert.deepEqual(await tree(), { ...ALL, 'a.txt': 'typed meanwhile' });
      },
      { mode: 'ask', answer },
    );
  });

  it('outside of the workspace asks, with both names of a link', () =>
    withTools(
      TREE,
      async ({ call, asks, outside, path }) => {
        await mkdir(`${outside}/other`);
        await writeFile(`${outside}/other/x.bin`, Buffer.of(0, 1, 2));
        await symlink(`${outside}/other/x.bin`, path('x.bin'));
        const { status } = await call('delete', { file_path: 'x.bin' });
        assert.equal(status, 'denied');
        const [ask] = asks;
        assert.ok(ask?.kind === 'permission');
        assert.match(ask.reasons.join(), new RegExp(`Outside the workspace: .*x\\.bin → ${outside}/other/x\\.bin`));
      },
      answering('deny'),
    ));

  it('forgets what it deleted: a file that comes back has to be read', () =>
    withTools(TREE, async ({ call, path }) => {
      await call('read', { file_path: 'a.txt' });
      await call('delete', { file_path: 'a.txt' });
      await writeFile(path('a.txt'), ALL['a.txt']);
      const { text } = await call('edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' });
      assert.match(text, /^Read a\.txt first/);
    }));
});
