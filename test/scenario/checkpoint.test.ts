// Checkpoints through the whole agent: what a prompt changed is put back byte for byte, and that is taken back too.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { withSession, type SessionTest, type SessionTestOptions } from '../support/sessionTest';

/** First prompt: a.txt is edited twice, b.txt made. Second: a.txt once more. */
const WORK: SessionTestOptions = {
  tools: TOOLS,
  files: { 'a.txt': 'one\r\ntwo', 'keep.txt': 'untouched\n' },
  replies: [
    reply(toolUse('read', { file_path: 'a.txt' })),
    reply(
      toolUse('edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }),
      toolUse('edit', { file_path: 'a.txt', old_string: 'two', new_string: '2' }),
      toolUse('write', { file_path: 'sub/b.txt', content: 'new\n' }),
    ),
    reply(text('Done')),
    reply(toolUse('edit', { file_path: 'a.txt', old_string: '1', new_string: 'eins' })),
    reply(text('Done again')),
  ],
};

async function afterTwoPrompts(
  use: (test: SessionTest & { readonly turns: readonly string[] }) => Promise<void>,
): Promise<void> {
  await withSession(WORK, async (test) => {
    await test.session.prompt('First');
    await test.session.prompt('Second');
    await use({ ...test, turns: test.session.checkpoints.list().map(({ turn }) => turn) });
  });
}

const BEFORE = { 'a.txt': 'one\r\ntwo', 'keep.txt': 'untouched\n' };
const BETWEEN = { 'a.txt': '1\r\n2', 'keep.txt': 'untouched\n', 'sub/b.txt': 'new\n' };
const AFTER = { ...BETWEEN, 'a.txt': 'eins\r\n2' };

describe('checkpoints', () => {
  it('complaint 33, 34: a prompt’s files are put back, and the restore is taken back', async () => {
    await afterTwoPrompts(async ({ session, workspace, turns: [first = '', second = ''] }) => {
      const { checkpoints } = session;
      assert.deepEqual(
        checkpoints.list().map(({ prompt, files }) => ({ prompt, files })),
        [
          { prompt: 'First', files: [workspace.path('a.txt'), workspace.path('sub/b.txt')] },
          { prompt: 'Second', files: [workspace.path('a.txt')] },
        ],
      );
      assert.deepEqual(await checkpoints.preview(first), {
        turn: first,
        files: [
          { path: workspace.path('a.txt'), effect: 'restore', state: 'ready' },
          { path: workspace.path('sub/b.txt'), effect: 'remove', state: 'ready' },
        ],
      });
      assert.deepEqual(await workspace.tree(), AFTER);
      assert.equal((await checkpoints.restore(second, [])).ok, true);
      assert.deepEqual(await workspace.tree(), BETWEEN);
      assert.equal((await checkpoints.restore(first, [])).ok, true);
      assert.deepEqual(await workspace.tree(), BEFORE);
      assert.equal((await checkpoints.undo([])).ok, true);
      assert.deepEqual(await workspace.tree(), BETWEEN);
      assert.equal((await checkpoints.undo([])).ok, true);
      assert.deepEqual(await workspace.tree(), AFTER);
      assert.equal(checkpoints.canUndo, false);
    });
  });

  it('complaint 34: what the person changed since is kept unless chosen', async () => {
    await afterTwoPrompts(async ({ session, workspace, turns: [first = ''] }) => {
      const { checkpoints } = session;
      const mine = workspace.path('a.txt');
      await writeFile(mine, 'mine');
      const outcome = await checkpoints.restore(first, []);
      assert.deepEqual(outcome.ok && outcome.kept, [
        { path: mine, effect: 'restore', state: 'changed', reason: 'It has been changed since.' },
      ]);
      assert.deepEqual(await workspace.tree(), { ...BEFORE, 'a.txt': 'mine' });
      assert.equal((await checkpoints.restore(first, [mine])).ok, true);
      assert.deepEqual(await workspace.tree(), BEFORE);
      assert.equal((await checkpoints.undo([])).ok, true);
      assert.deepEqual(await workspace.tree(), { ...BEFORE, 'a.txt': 'mine' });
    });
  });
});
