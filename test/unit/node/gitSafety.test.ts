// Git as Lathe itself calls it runs nothing that a repository names.
import assert from 'node:assert/strict';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createHistory } from '../../../src/node/history';
import { createSnapshots } from '../../../src/node/snapshots';
import { commitAll, git } from '../../support/repository';
import { inWorkspace, type Workspace } from '../../support/workspace';

const ATTRIBUTES = '*.txt filter=evil diff=evil merge=evil\n';
const HOOKS = ['post-index-change', 'reference-transaction', 'post-checkout', 'fsmonitor-watchman'];
const PLUMBING = ['rev-parse', 'ls-files', 'rev-list', 'for-each-ref', 'cat-file', 'check-ignore', 'check-attr'];

/** Whatever of it is run leaves a file `RAN` beside the workspace. */
async function bait({ root, outside }: Workspace): Promise<string> {
  git(root, 'init', '-q');
  await commitAll(root);
  const evil = join(outside, 'evil.sh');
  for (const path of [evil, ...HOOKS.map((hook) => join(root, '.git/hooks', hook))]) {
    await writeFile(path, `#!/bin/sh\ntouch "${outside}/RAN"\ncat\n`);
    await chmod(path, 0o755);
  }
  const config: readonly (readonly [string, string])[] = [
    ...['core.fsmonitor', 'core.pager', 'core.editor', 'core.sshCommand', 'core.askPass', 'diff.external'].map(
      (name) => [name, evil] as const,
    ),
    ...['filter.evil.clean', 'filter.evil.smudge', 'filter.evil.process'].map((name) => [name, evil] as const),
    ...['diff.evil.textconv', 'diff.evil.command', 'merge.evil.driver', 'gpg.program'].map(
      (name) => [name, evil] as const,
    ),
    ...PLUMBING.flatMap((name) => [[`alias.${name}`, `!${evil}`] as const, [`pager.${name}`, evil] as const]),
    ['core.hooksPath', join(root, '.git/hooks')],
    ['filter.evil.required', 'true'],
    ['log.showSignature', 'true'],
    ['credential.helper', `!${evil}`],
    ['core.alternateRefsCommand', evil],
    ['uploadpack.packObjectsHook', evil],
  ];
  for (const [name, value] of config) git(root, 'config', name, value);
  await rm(join(outside, 'RAN'), { force: true });
  return join(outside, 'RAN');
}

async function hasRun(workspace: Workspace): Promise<boolean> {
  const { files } = workspace.host;
  return (await files.stat(join(workspace.outside, 'RAN'))) !== undefined;
}

describe('S13 our own Git', () => {
  const files = { 'a.txt': 'a\n', '.gitattributes': ATTRIBUTES };
  const signal = new AbortController().signal;

  it('S13: the bait works: Git as everybody calls it takes it', () =>
    inWorkspace(files, async (workspace) => {
      await bait(workspace);
      await writeFile(workspace.path('a.txt'), 'b\n');
      // What it starts is no monitor, which Git notices too late.
      assert.throws(() => git(workspace.root, 'status'));
      assert.equal(await hasRun(workspace), true);
    }));

  it('S13: snapshots of what a command changes run none of it', () =>
    inWorkspace(files, async (workspace) => {
      await bait(workspace);
      const taken = await createSnapshots().take([workspace.root], signal);
      await writeFile(workspace.path('a.txt'), 'b\n');
      const changes = await taken.changes(signal);
      assert.deepEqual(
        changes.map(({ path, change }) => [path, change]),
        [[workspace.path('a.txt'), 'edited']],
      );
      assert.equal(await hasRun(workspace), false);
    }));

  it('S13: looking for commits and branches runs none of it', () =>
    inWorkspace(files, async (workspace) => {
      await bait(workspace);
      const history = createHistory();
      const state = await history.state(workspace.root, signal);
      const commits = await history.commits(workspace.root, { to: state?.commit ?? '', max: 5 });
      assert.deepEqual(
        commits.map(({ subject }) => subject),
        ['all'],
      );
      assert.equal(await hasRun(workspace), false);
    }));
});
