// What a command changed, told afterwards: with and without Git, and with repositories that try to be clever.
import assert from 'node:assert/strict';
import { chmod, mkdir, readFile, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { SnapshotChange } from '../../../src/core/checkpoint/types';
import { createSnapshots } from '../../../src/node/snapshots';
import { commitAll, git } from '../../support/repository';
import { createWorkspace, type Tree, type Workspace } from '../../support/workspace';

type Told = { readonly [path: string]: readonly [change: string, before?: string, mode?: string] };

function told(changes: readonly SnapshotChange[], root: string): Told {
  return Object.fromEntries(
    changes.map(({ path, change, before, lost }) => {
      const text = before ? Buffer.from(before.bytes).toString('latin1') : lost;
      return [path.slice(root.length + 1), text === undefined ? [change] : [change, before ? text : `(${text})`]];
    }),
  );
}

interface Case {
  readonly it: string;
  readonly files: Tree;
  /** Absent: no repository. */
  readonly repository?: (root: string) => Promise<void>;
  readonly act: (root: string) => Promise<void>;
  readonly expect: Told;
  readonly withoutGit?: true;
}

/** What is younger when a look begins may as well have been made after it. */
const OLD_ENOUGH_MS = 80;
const unlimited = () => new AbortController().signal;
/** Of the object that is made of `$Id$` and 43 lines. */
const IDENT = '40540579612f671e929d96d5c17ce9f68436e1a0';
const LATIN = 'caf\xe9\r\n\0';

const CASES: readonly Case[] = [
  {
    it: 'tells what was edited, created and deleted in a folder that is no repository',
    files: { 'a.txt': 'a', 'sub/b.bin': Buffer.from(LATIN, 'latin1'), 'c.txt': 'c', 'same.txt': 's' },
    act: async (root) => {
      await writeFile(join(root, 'a.txt'), 'A');
      await rm(join(root, 'sub/b.bin'));
      await mkdir(join(root, 'new'));
      await writeFile(join(root, 'new/d.txt'), 'd');
      await rename(join(root, 'c.txt'), join(root, 'new/c.txt'));
    },
    expect: {
      'a.txt': ['edited', 'a'],
      'c.txt': ['deleted', 'c'],
      'new/c.txt': ['created'],
      'new/d.txt': ['created'],
      'sub/b.bin': ['deleted', LATIN],
    },
  },
  {
    it: 'takes clean tracked files from Git and copies the others',
    files: { '.gitignore': 'out/\n', 'clean.txt': 'clean', 'dirty.txt': 'committed', 'out/x': 'x' },
    repository: async (root) => {
      await commitAll(root);
      await writeFile(join(root, 'dirty.txt'), 'by the person');
      await writeFile(join(root, 'untracked.bin'), Buffer.from(LATIN, 'latin1'));
    },
    act: async (root) => {
      for (const name of ['clean.txt', 'dirty.txt', 'untracked.bin', 'out/x']) await writeFile(join(root, name), '!');
    },
    expect: {
      'clean.txt': ['edited', 'clean'],
      'dirty.txt': ['edited', 'by the person'],
      'untracked.bin': ['edited', LATIN],
    },
  },
  {
    it: 'does the same without Git, where Git’s own folder is left out',
    withoutGit: true,
    files: { 'clean.txt': 'clean', 'node_modules/x/y.js': 'y' },
    repository: commitAll,
    act: async (root) => {
      await writeFile(join(root, 'clean.txt'), '!');
      await writeFile(join(root, 'node_modules/x/y.js'), '!');
      git(root, 'add', 'clean.txt');
    },
    expect: { 'clean.txt': ['edited', 'clean'] },
  },
  {
    it: 'tells a checkout of a file, and git’s own moves',
    files: { 'a.txt': 'one', 'b.txt': 'two' },
    repository: async (root) => {
      await commitAll(root);
      await writeFile(join(root, 'a.txt'), 'not committed');
    },
    act: async (root) => {
      git(root, 'checkout', '--', 'a.txt');
      git(root, 'mv', 'b.txt', 'c.txt');
    },
    expect: { 'a.txt': ['edited', 'not committed'], 'b.txt': ['deleted', 'two'], 'c.txt': ['created'] },
  },
  {
    it: 'says nothing of files that only were touched or rewritten as they were',
    files: { 'a.txt': 'a', 'b.txt': 'b', 'c.txt': 'c' },
    repository: async (root) => {
      await commitAll(root);
      await writeFile(join(root, 'c.txt'), 'C');
    },
    act: async (root) => {
      await utimes(join(root, 'a.txt'), new Date(), new Date());
      await writeFile(join(root, 'b.txt'), 'b');
      await writeFile(join(root, 'c.txt'), 'C');
    },
    expect: {},
  },
  {
    it: 'sees a change of the same length whose time was put back',
    files: { 'a.txt': 'aaa', 'b.txt': 'bbb' },
    repository: async (root) => {
      await commitAll(root);
      await writeFile(join(root, 'b.txt'), 'BBB');
    },
    act: async (root) => {
      for (const name of ['a.txt', 'b.txt']) {
        const { atime, mtime } = await stat(join(root, name));
        await writeFile(join(root, name), 'xxx');
        await utimes(join(root, name), atime, mtime);
      }
    },
    expect: { 'a.txt': ['edited', 'aaa'], 'b.txt': ['edited', 'BBB'] },
  },
  {
    it: 'gives the bytes that were there where Git turns line endings around',
    files: { '.gitattributes': '* text eol=crlf\n', 'a.txt': 'one\r\ntwo\r\n' },
    repository: async (root) => {
      await commitAll(root);
      assert.equal(git(root, 'cat-file', 'blob', 'HEAD:a.txt'), 'one\ntwo\n');
    },
    act: (root) => writeFile(join(root, 'a.txt'), 'gone'),
    expect: { 'a.txt': ['edited', 'one\r\ntwo\r\n'] },
  },
  {
    it: 'copies what a filter of the repository’s converts, and does not run the filter',
    files: { '.gitattributes': '*.x filter=evil\n', 'a.x': 'abc' },
    repository: async (root) => {
      await commitAll(root);
      git(root, 'config', 'filter.evil.clean', 'touch CLEANED; cat');
      git(root, 'config', 'filter.evil.smudge', 'touch SMUDGED; cat');
      await writeFile(join(root, 'a.x'), 'abd');
    },
    act: (root) => writeFile(join(root, 'a.x'), '!'),
    expect: { 'a.x': ['edited', 'abd'] },
  },
  {
    // Such an id is 43 characters longer in the file, which here are just as many as there are lines.
    it: 'copies what Git writes an id into',
    files: { '.gitattributes': '*.x ident\n', 'a.x': `$Id$${'\n'.repeat(43)}` },
    repository: async (root) => {
      await commitAll(root);
      await rm(join(root, 'a.x'));
      git(root, 'checkout', '--', 'a.x');
      // Git looks once more, later, so that the file is not in doubt.
      const old = new Date('2020-01-01T00:00:00.5Z');
      await utimes(join(root, 'a.x'), old, old);
      git(root, 'update-index', '--refresh');
    },
    act: (root) => writeFile(join(root, 'a.x'), '!'),
    expect: { 'a.x': ['edited', `$Id: ${IDENT} $${'\n'.repeat(43)}`] },
  },
  {
    it: 'S13: runs nothing that the repository’s configuration names',
    files: { 'a.txt': 'a' },
    repository: async (root) => {
      await commitAll(root);
      await writeFile(join(dirname(root), 'evil.sh'), '#!/bin/sh\ntouch "$(dirname "$0")/workspace/RAN"\n');
      await chmod(join(dirname(root), 'evil.sh'), 0o755);
      const evil = join(dirname(root), 'evil.sh');
      for (const name of ['core.fsmonitor', 'core.pager', 'core.sshCommand', 'core.editor', 'diff.external']) {
        git(root, 'config', name, evil);
      }
      for (const [name, value] of [
        ['pager.ls-files', evil],
        ['alias.ls-files', `!${evil}`],
        ['core.hooksPath', dirname(root)],
        ['extensions.partialClone', 'origin'],
        ['remote.origin.url', `ext::${evil}`],
        ['remote.origin.promisor', 'true'],
        ['remote.origin.uploadpack', evil],
      ] as const) {
        git(root, 'config', name, value);
      }
      const blob = git(root, '-c', 'core.fsmonitor=false', 'rev-parse', 'HEAD:a.txt').trim();
      await rm(join(root, '.git/objects', blob.slice(0, 2), blob.slice(2)));
      await rm(join(root, 'RAN'), { force: true });
    },
    act: (root) => writeFile(join(root, 'a.txt'), '!'),
    expect: { 'a.txt': ['edited', '(Git does not have it any more.)'] },
  },
  {
    it: 'looks into submodules and repositories inside, and into folders that hold several',
    files: { 'one/a.txt': 'a', 'one/in/b.txt': 'b', 'plain.txt': 'p' },
    repository: async (root) => {
      await rm(join(root, '.git'), { recursive: true });
      for (const inner of ['one/in', 'one']) {
        git(join(root, inner), 'init', '-q');
        await commitAll(join(root, inner));
      }
    },
    act: async (root) => {
      for (const name of ['one/a.txt', 'one/in/b.txt', 'plain.txt']) await writeFile(join(root, name), '!');
    },
    expect: { 'one/a.txt': ['edited', 'a'], 'one/in/b.txt': ['edited', 'b'], 'plain.txt': ['edited', 'p'] },
  },
  {
    it: 'does not take a file for new that only was ignored before',
    files: { '.gitignore': 'secret*\n', secret: 's', secret2: 's' },
    repository: commitAll,
    act: async (root) => {
      await writeFile(join(root, '.gitignore'), '');
      await writeFile(join(root, 'secret2'), '!');
      await writeFile(join(root, 'fresh'), 'f');
    },
    expect: {
      '.gitignore': ['edited', 'secret*\n'],
      fresh: ['created'],
      secret2: ['edited', '(It was ignored before, so what it was is not known.)'],
    },
  },
  {
    it: 'does not lose sight of a file that becomes ignored',
    files: { 'a.txt': 'a', 'b.txt': 'b' },
    repository: async (root) => {
      git(root, 'commit', '-q', '--allow-empty', '-m', 'none');
    },
    act: async (root) => {
      await writeFile(join(root, '.gitignore'), '*.txt\n');
      await writeFile(join(root, 'b.txt'), '!');
    },
    expect: { '.gitignore': ['created'], 'b.txt': ['edited', 'b'] },
  },
  {
    it: 'never follows a link nor opens a pipe',
    files: { real: 'r', link: { link: 'real' }, pipe: { pipe: true }, 'gone.txt': 'g', swapped: 'w' },
    repository: async () => {},
    act: async (root) => {
      await rm(join(root, 'link'));
      await symlink('gone.txt', join(root, 'link'));
      await rm(join(root, 'swapped'));
      await symlink('/etc/passwd', join(root, 'swapped'));
    },
    expect: {
      link: ['edited', '(It is a symbolic link, of which no copy is kept.)'],
      swapped: ['edited', '(A symbolic link has taken its place.)'],
    },
  },
  {
    it: 'says why what is too large was not kept, but has it from Git where it is tracked',
    files: { 'big.txt': 'x'.repeat(2 * 1024 * 1024) },
    repository: async (root) => {
      await commitAll(root);
      await writeFile(join(root, 'large.log'), 'x'.repeat(2 * 1024 * 1024));
    },
    act: async (root) => {
      await writeFile(join(root, 'big.txt'), 'small');
      await rm(join(root, 'large.log'));
    },
    expect: {
      'big.txt': ['edited', 'x'.repeat(2 * 1024 * 1024)],
      'large.log': ['deleted', '(It was larger than 1 MB, so no copy was kept.)'],
    },
  },
  {
    it: 'survives the loss of the repository',
    files: { 'a.txt': 'a', '.gitignore': 'ignored\n', ignored: 'i' },
    repository: async (root) => {
      await commitAll(root);
      await writeFile(join(root, 'b.txt'), 'b');
    },
    act: async (root) => {
      await rm(join(root, '.git'), { recursive: true });
      await writeFile(join(root, 'a.txt'), '!');
      await writeFile(join(root, 'b.txt'), '!');
    },
    expect: { 'a.txt': ['edited', '(Git does not have it any more.)'], 'b.txt': ['edited', 'b'] },
  },
  {
    it: 'tells a changed mode, with the one from before',
    files: { 'run.sh': { text: 'x', mode: 0o644 } },
    repository: commitAll,
    act: (root) => chmod(join(root, 'run.sh'), 0o755),
    expect: { 'run.sh': ['edited', 'x'] },
  },
  {
    it: 'sees the files of a folder that the repository around it ignores',
    files: { 'a.txt': 'a' },
    repository: async (root) => {
      await rm(join(root, '.git'), { recursive: true });
      await writeFile(join(dirname(root), '.gitignore'), '*\n');
      git(dirname(root), 'init', '-q');
    },
    act: (root) => writeFile(join(root, 'a.txt'), '!'),
    expect: { 'a.txt': ['edited', 'a'] },
  },
];

async function inRepository(
  { files, repository }: Pick<Case, 'files' | 'repository'>,
  use: (workspace: Workspace) => Promise<void>,
): Promise<void> {
  const workspace = await createWorkspace(files);
  try {
    if (repository) {
      git(workspace.root, 'init', '-q');
      await repository(workspace.root);
      await setTimeout(OLD_ENOUGH_MS);
    }
    await use(workspace);
  } finally {
    await workspace.remove();
  }
}

describe('Snapshots', () => {
  for (const one of CASES) {
    it(one.it, () =>
      inRepository(one, async ({ root, outside }) => {
        const snapshots = createSnapshots(one.withoutGit ? { git: async () => undefined } : {});
        const before = await snapshots.take([root], unlimited());
        await one.act(root);
        assert.deepEqual(told(await before.changes(unlimited()), root), one.expect);
        assert.deepEqual(before.unseen, []);
        for (const name of ['RAN', 'CLEANED', 'SMUDGED']) {
          await assert.rejects(stat(join(root, name)), { code: 'ENOENT' });
          await assert.rejects(stat(join(outside, name)), { code: 'ENOENT' });
        }
      }),
    );
  }

  it('never writes into the repository, not even its index', () =>
    inRepository({ files: { 'a.txt': 'a', 'b.txt': 'b' }, repository: commitAll }, async ({ root }) => {
      await utimes(join(root, 'a.txt'), new Date(), new Date());
      const index = () => readFile(join(root, '.git/index'), 'latin1');
      const [bytes, { mtimeMs }] = [await index(), await stat(join(root, '.git/index'))];
      const before = await createSnapshots().take([root], unlimited());
      await writeFile(join(root, 'b.txt'), '!');
      await before.changes(unlimited());
      assert.deepEqual([await index(), (await stat(join(root, '.git/index'))).mtimeMs], [bytes, mtimeMs]);
    }));

  it('compares with what the command before left, not with what the prompt began with', () =>
    inRepository({ files: { 'a.txt': 'a', 'b.txt': 'b' }, repository: commitAll }, async ({ root }) => {
      const snapshots = createSnapshots();
      const first = await snapshots.take([root], unlimited());
      await writeFile(join(root, 'a.txt'), 'first command');
      assert.deepEqual(told(await first.changes(unlimited()), root), { 'a.txt': ['edited', 'a'] });
      await writeFile(join(root, 'b.txt'), 'an edit in between');
      const second = await snapshots.take([root], unlimited());
      await writeFile(join(root, 'a.txt'), 'second command');
      assert.deepEqual(told(await second.changes(unlimited()), root), { 'a.txt': ['edited', 'first command'] });
    }));

  it('keeps the mode from before', () =>
    inRepository({ files: { 'run.sh': { text: 'x', mode: 0o755 } } }, async ({ root }) => {
      const before = await createSnapshots().take([root], unlimited());
      await chmod(join(root, 'run.sh'), 0o600);
      const [change] = await before.changes(unlimited());
      assert.deepEqual([change?.change, change?.before?.mode], ['edited', 0o755]);
    }));

  it('says where its view ends', async () => {
    const workspace = await createWorkspace();
    try {
      const files = Array.from({ length: 60 }, (_, at) => workspace.path(`f${String(at).padStart(2, '0')}`));
      for (const file of files) await writeFile(file, '');
      const before = await createSnapshots({ maxFiles: 50 }).take(
        [workspace.root, 'vscode-vfs://github/a/b'],
        unlimited(),
      );
      for (const file of files) await writeFile(file, '!');
      assert.equal((await before.changes(unlimited())).length, 50);
      assert.deepEqual(before.unseen, [
        'vscode-vfs://github/a/b is not a folder on this machine: what commands change there is not known.',
        'There are more than 50 files: what commands change in those beyond is not known and cannot be taken back.',
      ]);
    } finally {
      await workspace.remove();
    }
  });
});
