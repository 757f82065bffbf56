// Programs that a workspace brings along are not taken for the system's, wherever PATH leads.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openServers } from '../../src/core/mcp/servers';
import { runHook } from '../../src/core/hooks/run';
import { createNodeHost } from '../../src/node/host';
import { withLoginPath } from '../../src/node/loginPath';
import { programStarter } from '../../src/node/program';
import { commitAll, git } from '../support/repository';
import { createWorkspace, type Tree, type Workspace } from '../support/workspace';

const NAMES = ['git', 'rg', 'bash', 'sh', 'bwrap', 'node', 'ls', 'cat', 'sleep', 'grep', 'env', 'mine'];
const HOOK = { event: 'PreToolUse', command: 'git --version; ls >/dev/null', timeoutMs: 15_000 } as const;

/** Each would leave its name behind. */
function planted(): Tree {
  const text = '#!/bin/sh\necho "$0" >> "$(/usr/bin/dirname "$0")/RAN"\n';
  return Object.fromEntries(NAMES.map((name) => [name, { text, mode: 0o755 }]));
}

describe('S12 programs in the workspace', () => {
  let workspace: Workspace;
  let env: NodeJS.ProcessEnv;
  const before = { cwd: process.cwd(), path: process.env['PATH'] };

  beforeEach(async () => {
    workspace = await createWorkspace({ ...planted(), 'a.txt': 'word\n' });
    git(workspace.root, 'init', '-q');
    await commitAll(workspace.root);
    const PATH = ['.', '', workspace.root, before.path].join(':');
    env = { ...process.env, PATH };
    process.env['PATH'] = PATH;
    process.chdir(workspace.root);
  });
  afterEach(async () => {
    process.chdir(before.cwd);
    process.env['PATH'] = before.path;
    await workspace.remove();
  });

  const check = (what: string, act: (host: ReturnType<typeof createNodeHost>) => Promise<unknown>) =>
    it(`S12: ${what}`, async () => {
      const log = { info: () => {}, warn: () => {}, error: () => {} };
      const host = createNodeHost({ roots: [workspace.root], storeDir: join(workspace.outside, 's'), env, log });
      await act(host);
      assert.equal((await workspace.tree())['RAN'], undefined);
    }).timeout(30_000);
  const signal = new AbortController().signal;
  const start = () => programStarter({ env, roots: () => [{ path: workspace.root }] });

  check('searches, snapshots and history', async (host) => {
    const { root } = workspace;
    const found = await host.search.files({ pattern: '*.txt', path: root, maxFiles: 9 }, signal);
    const taken = await host.snapshots.take([root], signal);
    await taken.changes(signal);
    assert.equal((await host.history?.state(root, signal))?.branch !== undefined, true);
    assert.match(JSON.stringify(found), /a\.txt/);
  });

  check('commands, also by a name that the system has', async (host) => {
    let output = '';
    const exit = await host.shell.run({
      ...{
        call: 'c',
        session: 's',
        command: 'ls && cat a.txt && git --version && env > /dev/null',
        cwd: workspace.root,
      },
      ...{ timeoutMs: 20_000, signal, onOutput: (bytes: Uint8Array) => void (output += Buffer.from(bytes).toString()) },
    });
    assert.deepEqual([exit.ok && exit.code, /word\ngit version/.test(output)], [0, true]);
  });

  check('hooks', async (host) => {
    const surroundings = { host, start: start(), cwd: workspace.root, env: {}, leave: () => {} };
    const exit = await runHook(HOOK, {}, surroundings, signal);
    assert.match(exit.how === 'exited' ? exit.stdout : '', /^git version/);
  });

  check('MCP servers by name', async (host) => {
    const servers = openServers({
      ...{ host, log: host.log, start: start() },
      servers: { one: { command: 'mine' }, two: { command: 'node', args: ['-e', 'process.exit(7)'] } },
    });
    await servers.ready(15_000);
    const told = servers.problems().join('\n');
    await servers.close();
    assert.match(told, /one could not be started: there is no program mine on the PATH \(outside the workspace\)/);
    assert.match(told, /two could not be started: it ended with exit code 7/);
  });

  check('the profile that PATH is read from', () => withLoginPath({ ...env, HOME: workspace.outside }, '/bin/bash'));

  it('S12: what only the workspace has is still found by a command, after everything else', async () => {
    const { root } = workspace;
    const own = createNodeHost({ roots: [root], storeDir: join(workspace.outside, 's'), env });
    const exit = await own.shell.run({
      ...{ call: 'c', session: 's', command: 'mine', cwd: root, timeoutMs: 20_000, signal, onOutput: () => {} },
    });
    assert.deepEqual([exit.ok && exit.code, (await workspace.tree())['RAN']], [0, `${join(root, 'mine')}\n`]);
  });
});
