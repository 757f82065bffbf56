// What the agent leaves open to others on the same machine: no port, and no file of a name that somebody could know before.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openServers } from '../../src/core/mcp/servers';
import { systemClock } from '../../src/node/clock';
import { createNodeHost } from '../../src/node/host';
import { programStarter } from '../../src/node/program';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { withSession } from '../support/sessionTest';
import { listeningPorts } from '../support/sockets';
import { root } from '../support/sourceTree';
import { createWorkspace } from '../support/workspace';

describe('S60 ports', () => {
  if (process.platform !== 'linux') return;

  it('S60: a port of this process would be seen', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const port = (server.address() as AddressInfo).port.toString(16).toUpperCase().padStart(4, '0');
    assert.equal(listeningPorts().includes(`tcp 0100007F:${port}`), true);
    server.close();
  });

  it('S60: none is opened by a turn with commands, searches, edits, runs in the background and MCP servers', () =>
    withSession(
      {
        tools: TOOLS,
        files: { 'a.txt': 'one\n' },
        hostClock: systemClock,
        replies: [
          reply(
            toolUse('bash', { command: 'echo hi; sleep 0.1' }),
            toolUse('bash', { command: 'sleep 30', run_in_background: true }),
            toolUse('grep', { pattern: 'one' }),
            toolUse('read', { file_path: 'a.txt' }),
            toolUse('edit', { file_path: 'a.txt', old_string: 'one', new_string: 'two' }),
          ),
          reply(text('Done.')),
        ],
      },
      async ({ session, workspace }) => {
        const before = listeningPorts();
        const { host } = workspace;
        const script = join(root, 'test/fixtures/mcp/stdio.mjs');
        const servers = openServers({
          ...{ host, log: host.log, start: programStarter() },
          servers: { fix: { command: process.execPath, args: [script] } },
        });
        const during = new Set<string>();
        session.subscribe(() => listeningPorts().forEach((port) => during.add(port)));
        await servers.ready(15_000);
        assert.equal(await session.prompt('Go'), 'done');
        assert.deepEqual(servers.problems(), []);
        await servers.close();
        assert.deepEqual([...during].sort(), before);
      },
    )).timeout(60_000);
});

describe('S42 temporary files', () => {
  const usual = process.env['TMPDIR'];
  afterEach(() => {
    if (usual === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = usual;
  });

  it('S42: they lie in folders of their own that nobody else may enter, under names that change', async () => {
    const workspace = await createWorkspace({ 'a.txt': 'one\n' });
    try {
      const shared = join(workspace.outside, 'tmp');
      await mkdir(shared, { mode: 0o777 });
      process.env['TMPDIR'] = shared;
      const signal = new AbortController().signal;
      const names: string[][] = [];
      for (const round of ['one', 'two']) {
        const host = createNodeHost({
          roots: [workspace.root],
          storeDir: join(workspace.outside, round),
          settings: { 'shell.sandbox': 'auto' },
          log: { info: () => {}, warn: () => {}, error: () => {} },
        });
        await host.shell.sandbox?.();
        const run = { call: 'c', session: 's', cwd: workspace.root, timeoutMs: 20_000, signal, onOutput: () => {} };
        await host.shell.run({ ...run, command: 'echo hi' });
        await host.search.files({ pattern: '*', path: workspace.root, maxFiles: 9 }, signal);
        const all = await readdir(shared);
        names.push(all.filter((name) => !names.flat().includes(name)));
      }
      for (const name of names.flat()) {
        const { mode } = await stat(join(shared, name));
        assert.deepEqual([name, mode & 0o77], [name, 0]);
      }
      const [first = [], second = []] = names;
      assert.deepEqual(
        first.filter((name) => second.includes(name)),
        [],
      );
    } finally {
      await workspace.remove();
    }
  }).timeout(60_000);

  it('S42: what is stored is for the person alone', async () => {
    const workspace = await createWorkspace();
    try {
      const { store } = workspace.host;
      await store.append('sessions/a.jsonl', 'x\n');
      const modes = await Promise.all(
        ['store', 'store/sessions', 'store/sessions/a.jsonl'].map(
          async (name) => (await stat(join(workspace.outside, name))).mode & 0o77,
        ),
      );
      assert.deepEqual(modes, [0, 0, 0]);
    } finally {
      await workspace.remove();
    }
  });

  it('S42: a link that waits beside a file is not followed by an edit of it', async () => {
    await withSession(
      {
        ...{
          tools: TOOLS,
          files: { 'a.txt': 'one\n', '.a.txt.tmp': { link: '../victim' }, 'a.txt~': { link: '../victim' } },
        },
        replies: [reply(toolUse('write', { file_path: 'b.txt', content: 'b\n' })), reply(text('Done.'))],
      },
      async ({ session, workspace }) => {
        await writeFile(join(workspace.outside, 'victim'), 'mine\n');
        assert.equal(await session.prompt('Go'), 'done');
        const left = (await readdir(workspace.root)).sort();
        assert.deepEqual(left, ['.a.txt.tmp', 'a.txt', 'a.txt~', 'b.txt']);
        assert.equal((await workspace.bytes('../victim')).toString(), 'mine\n');
      },
    );
  });
});
