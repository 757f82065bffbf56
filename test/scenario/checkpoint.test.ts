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

  it('R36 after a restart, with the session’s file as the only record', async () => {
    await afterTwoPrompts(async ({ session, workspace, reopen, turns: [first = ''] }) => {
      await session.flush();
      const again = await reopen();
      assert.deepEqual(again.checkpoints.list(), session.checkpoints.list());
      assert.equal((await again.checkpoints.restore(first, [])).ok, true);
      assert.deepEqual(await workspace.tree(), BEFORE);
      await again.flush();
      const third = await reopen();
      assert.equal((await third.checkpoints.undo([])).ok, true);
      assert.deepEqual(await workspace.tree(), AFTER);
      for (const each of [again, third]) await each.close();
    });
  });

  it('R06 after a restore nothing counts as read that differs now', async () => {
    await afterTwoPrompts(async ({ session, workspace, server, of, turns: [first = ''] }) => {
      await session.checkpoints.restore(first, []);
      server.push(reply(toolUse('write', { file_path: 'a.txt', content: 'over' })), reply(text('Well')));
      await session.prompt('Third');
      const [last] = of('tool/finished').slice(-1);
      assert.deepEqual(
        { status: last?.status, text: last?.text },
        { status: 'failed', text: 'a.txt has changed since it was read. Read it again before it is overwritten.' },
      );
      assert.deepEqual(await workspace.tree(), BEFORE);
    });
  });

  it('not while a turn runs', async () => {
    const files = { 'a.txt': 'one\n' };
    const replies = [reply(toolUse('write', { file_path: 'b.txt', content: 'new\n' })), reply(text('Done'))];
    await withSession({ tools: TOOLS, files, replies, mode: 'ask' }, async ({ session, workspace }) => {
      const asked = new Promise<void>((resolve) => {
        session.subscribe(({ type }) => type === 'ask/opened' && resolve());
      });
      const turn = session.prompt('First');
      await asked;
      const [first] = session.checkpoints.list();
      const outcome = await session.checkpoints.restore(first?.turn ?? '', []);
      assert.deepEqual(outcome, {
        ok: false,
        reason: 'Files cannot be put back while a turn runs. Stop it first.',
      });
      assert.deepEqual(await session.checkpoints.undo([]), outcome);
      session.stop();
      assert.equal(await turn, 'stopped');
      assert.deepEqual(await workspace.tree(), files);
    });
  });

  it('what a call changed stands in the session’s file before its result', async () => {
    await afterTwoPrompts(async ({ events }) => {
      const told = events.filter(({ type }) => type === 'files/changed' || type === 'tool/finished');
      const order = told.map((event) => `${event.type} ${'call' in event ? event.call : ''}`);
      for (const [at, line] of order.entries()) {
        if (line.startsWith('files/changed'))
          assert.equal(order[at + 1], line.replace('files/changed', 'tool/finished'));
      }
      assert.equal(order.filter((line) => line.startsWith('files/changed')).length, 4);
    });
  });
});
