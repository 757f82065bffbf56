// Servers over HTTP: the streamable transport, the older one where the server knows no other, and what the person is told.
import assert from 'node:assert/strict';
import { serveHttp } from '../../../fixtures/mcp/http.mjs';
import { callTool, untrusted, withServers } from './support';

const AUTHORIZATION = 'Bearer 123';

function check(kind: 'streamable' | 'sse'): void {
  describe(`an MCP server over HTTP (${kind})`, () => {
    it('lists, is called with the declared headers, and is reached again after it was away', async () => {
      const first = await serveHttp(kind, AUTHORIZATION);
      let second: typeof first | undefined;
      try {
        const setting = { web: { url: first.url, headers: { Authorization: AUTHORIZATION } } };
        await withServers(setting, {}, async ({ servers }) => {
          assert.deepEqual(
            servers.problems().filter((problem) => !problem.includes(' is left out: ')),
            [],
          );
          const { text } = await callTool(servers.tools(), 'mcp__web__echo', { text: 'hello' });
          assert.equal(text, untrusted('web', 'hello'));
          await first.close();
          const away = await callTool(servers.tools(), 'mcp__web__fail');
          assert.equal(away.status, 'failed');
          assert.match(away.text, /^The MCP server web (was lost during the call|is not available): /);
          second = await serveHttp(kind, AUTHORIZATION, Number(new URL(first.url).port));
          const again = await callTool(servers.tools(), 'mcp__web__echo', { text: 'back' });
          assert.equal(again.text, untrusted('web', 'back'));
        });
      } finally {
        await second?.close();
      }
    });

    it('that wants other credentials says so', async () => {
      const { url, close } = await serveHttp(kind, AUTHORIZATION);
      try {
        await withServers({ web: { url } }, {}, ({ servers }) => {
          assert.deepEqual(servers.tools(), []);
          assert.deepEqual(servers.problems(), [
            'The MCP server web could not be started: it answered HTTP 401: it wants credentials, so check its "headers" in lathe.mcp.servers',
          ]);
        });
      } finally {
        await close();
      }
    });
  });
}

check('streamable');
check('sse');
