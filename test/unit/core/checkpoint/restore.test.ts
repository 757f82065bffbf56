// Putting files back: what each state is called, what is refused, and what stays as it is.
import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RestoreFile } from '../../../../src/core/checkpoint/types';
import type { NodeHostOptions } from '../../../../src/node/host';
import type { Tree } from '../../../support/workspace';
import { contentsOf, withHistory, type FolderHistory } from '../../../support/history';

interface Case {
  readonly files: Tree;
  /** The first prompt has begun; its state before is what is wanted. */
  readonly act: (history: FolderHistory) => Promise<unknown>;
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

async function everyContent(history: FolderHistory, change: (path: string) => Promise<unknown>): Promise<void> {
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
      await changes().recorder.note({ call: 'c2', title: 'Run' }, [{ path: path('big'), change: 'created' }]);
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
      await changes().recorder.note({ call: 'c2', title: 'Run' }, [
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
});
