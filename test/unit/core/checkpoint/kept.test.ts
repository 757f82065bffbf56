// What a checkpoint keeps, and what a restore of it keeps in turn: bytes, permissions, each content once, itself.
import assert from 'node:assert/strict';
import { chmod, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EditOrigin, Host } from '../../../../src/core/host';
import { contentsOf, createHistory, withHistory } from '../../../support/history';

describe('checkpoints: what is kept', () => {
  it('R36 permissions come back, and those that the person has set since stay', () =>
    withHistory({ run: { text: 'one', mode: 0o755 }, mine: { text: 'one', mode: 0o644 } }, async (history) => {
      const { path, agent, changes, turn } = history;
      const mode = async (name: string) => (await stat(path(name))).mode & 0o777;
      const first = turn();
      await agent('run', undefined);
      await agent('mine', 'two');
      await chmod(path('mine'), 0o600);
      await changes().checkpoints.restore(first, []);
      assert.deepEqual(await history.tree(), { run: 'one', mine: 'one' });
      assert.deepEqual([await mode('run'), await mode('mine')], [0o755, 0o600]);
    }));

  it('R36 bytes of any kind come back', () =>
    withHistory({ a: Uint8Array.of(0, 255, 13, 10, 0xef, 0xbb, 0xbf), empty: '' }, async (history) => {
      const first = history.turn();
      await history.agent('a', 'two');
      await history.agent('empty', undefined);
      await history.changes().checkpoints.restore(first, []);
      assert.deepEqual([...(await history.bytes('a'))], [0, 255, 13, 10, 0xef, 0xbb, 0xbf]);
      assert.equal((await history.tree())['empty'], '');
    }));

  it('a restore that cannot be kept itself is not made', () =>
    withHistory({ a: 'one' }, async (history) => {
      const first = history.turn();
      await history.agent('a', 'two');
      history.turn();
      await history.agent('b', 'made');
      await history.reopen();
      const folder = contentsOf(history);
      await rename(folder, `${folder}-old`);
      await writeFile(folder, 'in the way');
      const outcome = await history.changes().checkpoints.restore(first, []);
      assert.equal(outcome.ok, false);
      assert.match(outcome.ok ? '' : outcome.reason, /storage cannot be written.* Nothing was changed\.$/);
      assert.deepEqual(await history.tree(), { a: 'two', b: 'made' });
    }));

  it('complaint 33: an edit whose file cannot be kept is made all the same, and told once', () =>
    withHistory({ a: 'one', b: 'one' }, async (history) => {
      const first = history.turn();
      await history.agent('a', 'two');
      const folder = contentsOf(history);
      await rm(folder, { recursive: true });
      await writeFile(folder, 'in the way');
      history.turn();
      await history.agent('a', 'three');
      await history.agent('b', 'two');
      assert.deepEqual(await history.tree(), { a: 'three', b: 'two' });
      const notices = history.events.filter(({ type }) => type === 'notice');
      assert.equal(notices.length, 1);
      const { files } = await history.changes().checkpoints.preview(first);
      assert.deepEqual(
        files.map(({ state }) => state),
        ['lost', 'lost'],
      );
    }));

  it('complaint 33: the same content is kept once', () =>
    withHistory({ a: 'same', b: 'same' }, async (history) => {
      for (const name of ['a', 'b', 'a', 'b']) {
        history.turn();
        await history.agent(name, history.session + name);
        await history.agent(name, 'same');
      }
      assert.equal((await readdir(contentsOf(history))).length, 1);
      assert.deepEqual(
        await readFile(join(contentsOf(history), (await readdir(contentsOf(history)))[0] ?? ''), 'utf8'),
        'same',
      );
    }));

  it('an edit that is refused leaves no trace', () =>
    withHistory({ a: 'one' }, async (history) => {
      const first = history.turn();
      const outcome = await history.edit({ kind: 'create', path: history.path('a'), text: 'two' });
      assert.equal(outcome.ok, false);
      assert.deepEqual((await history.changes().checkpoints.preview(first)).files, []);
    }));

  it('several restores are taken back one after another, also after a restart', () =>
    withHistory({ a: 'one' }, async (history) => {
      const first = history.turn();
      await history.agent('a', 'two');
      const second = history.turn();
      await history.agent('a', 'three');
      await history.changes().checkpoints.restore(second, []);
      await history.reopen();
      await history.changes().checkpoints.restore(first, []);
      await history.reopen();
      const seen: unknown[] = [(await history.tree())['a']];
      while (history.changes().checkpoints.canUndo) {
        assert.equal((await history.changes().checkpoints.undo([])).ok, true);
        await history.reopen();
        seen.push((await history.tree())['a']);
      }
      assert.deepEqual(seen, ['one', 'two', 'three']);
      const again = await history.changes().checkpoints.undo([]);
      assert.deepEqual(again, { ok: false, reason: 'There is no restore to take back.' });
    }));

  it('what was changed after a restore is not undone unless chosen, and the rest of it can be later', () =>
    withHistory({ a: 'one', b: 'one' }, async (history) => {
      const first = history.turn();
      await history.agent('a', 'two');
      await history.agent('b', 'two');
      const { checkpoints } = history.changes();
      await checkpoints.restore(first, []);
      await history.person('a', 'mine');
      const outcome = await checkpoints.undo([]);
      assert.deepEqual(outcome.ok && outcome.kept.map(({ path, state }) => ({ path, state })), [
        { path: history.path('a'), state: 'changed' },
      ]);
      assert.deepEqual(await history.tree(), { a: 'mine', b: 'two' });
      await checkpoints.undo([history.path('a')]);
      assert.deepEqual(await history.tree(), { a: 'two', b: 'two' });
    }));

  it('a prompt that is none of the session’s', () =>
    withHistory({}, async ({ changes }) => {
      const { checkpoints } = changes();
      assert.deepEqual(await checkpoints.preview('turn-9'), { turn: 'turn-9', files: [] });
      const outcome = await checkpoints.restore('turn-9', []);
      assert.deepEqual(outcome, { ok: false, reason: 'That prompt is not one of this session.' });
    }));

  it('who asked for a change goes with it', () =>
    withHistory({ a: 'one' }, async ({ host, path }) => {
      const origins: unknown[] = [];
      const apply: Host['edits']['apply'] = (plan) => {
        origins.push(plan.origin);
        return host.edits.apply(plan);
      };
      const { agent, turn, changes, session } = createHistory({ ...host, edits: { apply } }, path);
      const first = turn();
      await agent('a', 'two');
      await changes().checkpoints.restore(first, []);
      const time = (origins[0] as EditOrigin).time;
      assert.deepEqual(origins, [
        { session, turn: first, call: 'c1', prompt: 'Prompt 1', title: 'Edit', time },
        undefined,
      ]);
    }));
});
