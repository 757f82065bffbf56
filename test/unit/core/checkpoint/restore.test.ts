// Putting files back: what each state is called, what is refused, and what stays as it is.
import assert from 'node:assert/strict';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RestoreFile } from '../../../../src/core/checkpoint/types';
import type { NodeHostOptions } from '../../../../src/node/host';
import type { Tree } from '../../../support/workspace';
import { withHistory, type History } from './history';

interface Case {
  readonly files: Tree;
  /** The first prompt has begun; its state before is what is wanted. */
  readonly act: (history: History) => Promise<unknown>;
  /** Relative to the workspace. */
  readonly include?: readonly string[];
  /** Paths relative to the workspace. */
  readonly preview: readonly RestoreFile[];
  /** Every file after the restore. */
  readonly after: Record<string, string>;
  readonly settings?: NodeHostOptions['settings'];
}

const CHANGED = 'It has been changed since.';
const BETWEEN = 'It was changed in between by somebody else.';
const GONE = 'What it was is not stored any more.';
const ASTRAY = 'Its path leads somewhere else by now.';

function check(what: string, { files, act, include = [], preview, after, settings }: Case): void {
  it(what, () =>
    withHistory(
      files,
      async (history) => {
        const first = history.turn();
        await act(history);
        const now = await history.tree();
        const relative = (file: RestoreFile) => ({ ...file, path: file.path.slice(history.root.length + 1) });
        const { checkpoints } = history.changes();
        const shown = await checkpoints.preview(first);
        assert.deepEqual(shown.files.map(relative), preview);
        assert.deepEqual(await history.tree(), now, 'a preview changes nothing');
        const outcome = await checkpoints.restore(first, include.map(history.path));
        assert.equal(outcome.ok, true, outcome.ok ? '' : outcome.reason);
        assert.deepEqual(await history.tree(), after);
        await checkpoints.undo([]);
        assert.deepEqual(await history.tree(), now, 'and is taken back');
      },
      settings,
    ),
  );
}

function contentsOf({ outside, session }: History): string {
  return join(outside, 'store/checkpoints', session);
}

async function everyContent(history: History, change: (path: string) => Promise<unknown>): Promise<void> {
  const folder = contentsOf(history);
  for (const name of await readdir(folder)) await change(join(folder, name));
}

describe('checkpoints: restore', () => {
  check('R36 edited, made and deleted', {
    files: { a: 'one', gone: 'old' },
    act: async ({ agent }) => {
      await agent('a', 'two');
      await agent('new/b', 'made');
      await agent('gone', undefined);
    },
    preview: [
      { path: 'a', effect: 'restore', state: 'ready' },
      { path: 'new/b', effect: 'remove', state: 'ready' },
      { path: 'gone', effect: 'recreate', state: 'ready' },
    ],
    after: { a: 'one', gone: 'old' },
  });

  check('R36 moved, and moved again', {
    files: { a: 'one' },
    act: async ({ move }) => {
      await move('a', 'b');
      await move('b', 'sub/c');
    },
    preview: [
      { path: 'a', effect: 'recreate', state: 'ready' },
      { path: 'b', effect: 'remove', state: 'same' },
      { path: 'sub/c', effect: 'remove', state: 'ready' },
    ],
    after: { a: 'one' },
  });

  check('R36 moved, then changed', {
    files: { a: 'one' },
    act: async ({ move, agent }) => {
      await move('a', 'b');
      await agent('b', 'two');
    },
    preview: [
      { path: 'a', effect: 'recreate', state: 'ready' },
      { path: 'b', effect: 'remove', state: 'ready' },
    ],
    after: { a: 'one' },
  });

  check('complaint 34: changed since by the person', {
    files: { a: 'one', b: 'one' },
    act: async ({ agent, person }) => {
      await agent('a', 'two');
      await agent('b', 'two');
      await person('a', 'mine');
    },
    preview: [
      { path: 'a', effect: 'restore', state: 'changed', reason: CHANGED },
      { path: 'b', effect: 'restore', state: 'ready' },
    ],
    after: { a: 'mine', b: 'one' },
  });

  check('complaint 34: changed by the person between two prompts', {
    files: { a: 'one' },
    act: async ({ agent, person, turn }) => {
      await agent('a', 'two');
      await person('a', 'mine');
      turn();
      await agent('a', 'three');
    },
    preview: [{ path: 'a', effect: 'restore', state: 'changed', reason: BETWEEN }],
    after: { a: 'three' },
  });

  check('changed since, but chosen', {
    files: { a: 'one' },
    act: async ({ agent, person }) => {
      await agent('a', 'two');
      await person('a', 'mine');
    },
    include: ['a'],
    preview: [{ path: 'a', effect: 'restore', state: 'changed', reason: CHANGED }],
    after: { a: 'one' },
  });

  check('what the person wrote before the prompt’s own change is what comes back', {
    files: { a: 'one' },
    act: async ({ agent, person }) => {
      await person('a', 'mine');
      await agent('a', 'two');
    },
    preview: [{ path: 'a', effect: 'restore', state: 'ready' }],
    after: { a: 'mine' },
  });

  check('put back by hand already', {
    files: { a: 'one' },
    act: async ({ agent, person }) => {
      await agent('a', 'two');
      await person('a', 'one');
    },
    preview: [{ path: 'a', effect: 'restore', state: 'same' }],
    after: { a: 'one' },
  });

  check('a new file stands where something was moved from', {
    files: { a: 'one' },
    act: async ({ move, person }) => {
      await move('a', 'b');
      await person('a', 'mine');
    },
    preview: [
      { path: 'a', effect: 'restore', state: 'changed', reason: CHANGED },
      {
        path: 'b',
        effect: 'remove',
        state: 'changed',
        reason: 'It was moved here, and something else is where it came from.',
      },
    ],
    after: { a: 'mine', b: 'one' },
  });

  check('a folder is where a file was', {
    files: { a: 'one', b: 'one' },
    act: async ({ agent, path }) => {
      await agent('a', undefined);
      await agent('b', 'two');
      await mkdir(path('a'));
    },
    preview: [
      { path: 'a', effect: 'restore', state: 'lost', reason: 'A folder is there.' },
      { path: 'b', effect: 'restore', state: 'ready' },
    ],
    after: { b: 'one' },
  });

  check('a file is where a folder was', {
    files: { 'sub/a': 'one' },
    act: async ({ agent, path }) => {
      await agent('sub/a', undefined);
      await rm(path('sub'), { recursive: true });
      await writeFile(path('sub'), 'mine');
    },
    preview: [{ path: 'sub/a', effect: 'recreate', state: 'lost', reason: 'A file is where its folder was.' }],
    after: { sub: 'mine' },
  });

  check('S32 a folder was replaced by a link that leads out', {
    files: { 'sub/a': 'one' },
    act: async ({ agent, path, outside }) => {
      await agent('sub/a', 'two');
      await rename(path('sub'), join(outside, 'sub'));
      await symlink(join(outside, 'sub'), path('sub'));
    },
    preview: [{ path: 'sub/a', effect: 'restore', state: 'lost', reason: ASTRAY }],
    after: {},
  });

  check('complaint 33: contents were removed to make room', {
    files: { a: 'one' },
    act: async (history) => {
      await history.agent('a', 'two');
      await everyContent(history, (path) => rm(path));
    },
    preview: [{ path: 'a', effect: 'restore', state: 'lost', reason: GONE }],
    after: { a: 'two' },
  });

  check('contents were torn by a crash', {
    files: { a: 'one' },
    act: async (history) => {
      await history.agent('a', 'two');
      await everyContent(history, (path) => truncate(path, 2));
    },
    preview: [{ path: 'a', effect: 'restore', state: 'lost', reason: GONE }],
    after: { a: 'two' },
  });

  check('a link was moved', {
    files: { target: 'one', a: { link: 'target' }, b: 'one' },
    act: async ({ move, agent }) => {
      await move('a', 'c');
      await agent('b', 'two');
    },
    preview: [
      { path: 'a', effect: 'recreate', state: 'lost', reason: 'It was a link, and links are not kept.' },
      {
        path: 'c',
        effect: 'remove',
        state: 'lost',
        reason: 'It was moved here, and cannot be put back where it came from.',
      },
      { path: 'b', effect: 'restore', state: 'ready' },
    ],
    after: { target: 'one', b: 'one' },
  });

  check('edited through a link', {
    files: { target: 'one', a: { link: 'target' } },
    act: ({ agent }) => agent('a', 'two'),
    preview: [{ path: 'a', effect: 'restore', state: 'ready' }],
    after: { target: 'one' },
  });

  check('made by a command, and too large to be kept', {
    files: { a: 'one' },
    act: async ({ agent, path, changes }) => {
      await agent('a', 'two');
      await writeFile(path('big'), 'x'.repeat(20));
      await changes().recorder.note('c2', [{ path: path('big'), change: 'created' }]);
    },
    settings: { 'files.maxEditBytes': 10 },
    preview: [
      { path: 'a', effect: 'restore', state: 'ready' },
      {
        path: 'big',
        effect: 'remove',
        state: 'changed',
        reason: 'It may have been changed since, and is too large to be kept, so that this cannot be taken back.',
      },
    ],
    after: { a: 'one', big: 'x'.repeat(20) },
  });

  check('changed, made and deleted by a command, some of it not known', {
    files: { a: 'one', b: 'one', c: 'one' },
    act: async ({ person, path, changes }) => {
      const before = { bytes: Buffer.from('one'), mode: 0o600 };
      await person('a', 'two');
      await person('b', undefined);
      await person('c', 'two');
      await person('d', 'made');
      await changes().recorder.note('c2', [
        { path: path('a'), change: 'edited', before },
        { path: path('b'), change: 'deleted', before },
        { path: path('c'), change: 'edited', lost: 'It was too large.' },
        { path: path('d'), change: 'created' },
      ]);
    },
    preview: [
      { path: 'a', effect: 'restore', state: 'ready' },
      { path: 'b', effect: 'recreate', state: 'ready' },
      { path: 'c', effect: 'restore', state: 'lost', reason: 'It was too large.' },
      { path: 'd', effect: 'remove', state: 'ready' },
    ],
    after: { a: 'one', b: 'one', c: 'two' },
  });

  check('switched off', {
    files: { a: 'one' },
    act: async ({ agent }) => {
      await agent('a', 'two');
      await agent('b', 'made');
    },
    settings: { 'checkpoints.enabled': false },
    preview: [
      { path: 'a', effect: 'restore', state: 'lost', reason: 'Checkpoints were switched off.' },
      { path: 'b', effect: 'remove', state: 'lost', reason: 'Checkpoints were switched off.' },
    ],
    after: { a: 'two', b: 'made' },
  });

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
});
