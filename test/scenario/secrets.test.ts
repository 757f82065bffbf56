// Keys that turn up in what endpoints and servers say do not reach the log, the panel or the session's file.
import assert from 'node:assert/strict';
import { openServers } from '../../src/core/mcp/servers';
import { sessionFile } from '../../src/core/session/journal';
import { createLog } from '../../src/node/log';
import { programStarter } from '../../src/node/program';
import { fault } from '../support/model-server/scenario';
import { withSession } from '../support/sessionTest';
import { createWorkspace } from '../support/workspace';

function captured() {
  const lines: string[] = [];
  return { lines, log: createLog({ now: () => 0 }, (line) => lines.push(line)) };
}

const PLANTED = /hunter2|abc123def|w0rd1234|sk-ant-api03|k-0123456789/;

describe('S95 secrets in what others say', () => {
  it('S95: a failing request that quotes headers, logins and keys', async () => {
    const { lines, log } = captured();
    const message = [
      'Bad header Authorization: Bearer abc123def',
      'x-api-key: k-0123456789',
      'via https://me:w0rd1234@proxy/',
      'body {"key":"sk-ant-api03-0123456789"}',
      'PGPASSWORD=hunter2',
    ].join('\n');
    await withSession({ replies: [fault.status(400, { message })], log }, async ({ session, of, workspace }) => {
      assert.equal(await session.prompt('Go'), 'failed');
      await session.flush();
      const [notice] = of('notice');
      assert.match(
        notice?.text ?? '',
        /^The endpoint refused the request \(HTTP 400: Bad header Authorization: Bearer \[redacted\]/,
      );
      const rows = JSON.stringify(session.transcript.page(100));
      const { store } = workspace.host;
      const stored = Buffer.from(await store.read(sessionFile(session.id), 0, 1_000_000)).toString();
      assert.match(stored, /refused the request/);
      assert.deepEqual(
        [rows, stored, lines.join('\n')].map((text) => PLANTED.test(text)),
        [false, false, false],
      );
    });
  });

  it('S95: an MCP server that writes its environment to its standard error', async () => {
    const { lines, log } = captured();
    const { host, remove } = await createWorkspace({}, { log });
    const said =
      'MY_TOKEN=hunter2\\nAuthorization: Bearer abc123def\\nlogin https://me:w0rd1234@db/x\\nsk-ant-api03-0123456789\\nno such table';
    const leaks = { command: process.execPath, args: ['-e', `process.stderr.write('${said}'); process.exit(1)`] };
    const servers = openServers({ host, log, servers: { leaks }, start: programStarter() });
    try {
      await servers.ready(15_000);
      const told = servers.problems().join('\n');
      assert.match(told, /leaks could not be started.*MY_TOKEN=\[redacted\].*no such table/s);
      assert.match(lines.join('\n'), /no such table/);
      assert.deepEqual(
        [told, lines.join('\n')].map((text) => PLANTED.test(text)),
        [false, false],
      );
    } finally {
      await servers.close();
      await remove();
    }
  });
});
