// Real servers over their pipes: what they answer, how they fail, and that nothing of them is left behind.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { callTool, script, untrusted, withServers, type TestServersOptions } from './support';
import type { ToolResult } from '../../../../src/core/tool/turnTools';
import type { JsonObject } from '../../../../src/common/json';
import { marksOf } from '../../../../src/node/environment';

/** Calls one tool of the fixture, called `fix`. */
function check(
  title: string,
  tool: string,
  expected: Pick<ToolResult, 'status' | 'text'>,
  { input = {}, ...options }: TestServersOptions & { readonly input?: JsonObject } = {},
): void {
  it(title, () =>
    withServers({ fix: script('serve') }, options, async ({ servers }) => {
      const result = await callTool(servers.tools(), `mcp__fix__${tool}`, input);
      assert.deepEqual(result, { images: [], ...expected });
    }),
  );
}

const failed = (text: string) => ({ status: 'failed' as const, text });
const done = (text: string) => ({ status: 'done' as const, text: untrusted('fix', text) });

describe('a call to a running MCP server', () => {
  check('answers with a text', 'echo', done('hello'), { input: { text: 'hello' } });
  check(
    'that crashes the server',
    'crash',
    failed(
      'The MCP server fix was lost during the call: it ended with exit code 3. It is started again at the next call; whether this one has done its work is unknown.',
    ),
  );
  check(
    'that is not answered',
    'hang',
    failed('The MCP server fix did not answer within 0.3 s. It may still be at it: do not simply repeat the call.'),
    { limits: { callMs: 300 } },
  );
  check('that takes long and says so', 'slow', done('counted'), { limits: { callMs: 400 } });
  check(
    'that is answered with more than may be read',
    'huge',
    failed(
      'The MCP server fix was lost during the call: it sent a message of more than 10485760 characters. It is started again at the next call; whether this one has done its work is unknown.',
    ),
  );
  it('ends when the person stops it, and the server is told', () =>
    withServers({ fix: script('serve') }, {}, async ({ servers, logged }) => {
      const { status } = await callTool(servers.tools(), 'mcp__fix__untilStopped', {}, async ({ seen, stop }) => {
        await seen('tool/progress');
        stop.abort();
      });
      assert.equal(status, 'stopped');
      // What it wrote is told with the crash.
      await callTool(servers.tools(), 'mcp__fix__crash');
      assert.deepEqual(logged, [
        'The MCP server fix was lost: it ended with exit code 3\nIt wrote to its standard error:\nwas told to stop\nout of cheese',
      ]);
    }));

  it('shows how far it is', () =>
    withServers({ fix: script('serve') }, {}, ({ servers }) =>
      callTool(servers.tools(), 'mcp__fix__slow', {}, async ({ seen }) => {
        const { display } = await seen('tool/progress');
        assert.deepEqual(display, { kind: 'text', text: 'counting (1 of 6)' });
      }).then(({ status }) => assert.equal(status, 'done')),
    ));

  it('starts the server again after a crash', () =>
    withServers({ fix: script('serve') }, {}, async ({ servers, started }) => {
      const tools = servers.tools();
      await callTool(tools, 'mcp__fix__crash');
      const { text } = await callTool(tools, 'mcp__fix__echo', { text: 'back' });
      assert.equal(text, untrusted('fix', 'back'));
      assert.equal(started.length, 2);
    }));

  it('is tried once more only when it just reads, and not while the server needs a rest', () =>
    withServers({ fix: script('serve') }, {}, async ({ servers, started }) => {
      const tools = servers.tools();
      const lost = await callTool(tools, 'mcp__fix__crashread');
      assert.match(lost.text, /was lost during the call: it ended with exit code 4/);
      assert.equal(started.length, 2);
      const rested = await callTool(tools, 'mcp__fix__fail');
      assert.deepEqual(rested, {
        ...failed('The MCP server fix is not available: it ended with exit code 4. Nothing was sent to it.'),
        images: [],
      });
      assert.equal(started.length, 2);
    }));

  it('S61: gets nothing of the environment but what it is meant to get', () => {
    const env = { ...process.env, LANG: 'C', SECRET_TOKEN: 'x', AWS_PROFILE: 'y', ANTHROPIC_API_KEY: 'z' };
    return withServers({ fix: script('serve', { DECLARED: 'yes' }) }, { env }, async ({ servers, started }) => {
      const { text } = await callTool(servers.tools(), 'mcp__fix__env');
      const seen = JSON.parse(text.slice(text.indexOf('\n'))) as Record<string, string>;
      const { HOME, PATH } = process.env;
      const [mark] = started;
      assert.deepEqual(seen, { HOME, PATH, LANG: 'C', DECLARED: 'yes', ...marksOf(mark ?? '') });
    });
  });
});

describe('an MCP server that does not start', () => {
  function checkStart(title: string, mode: string, expected: readonly string[]): void {
    it(`${title} harms no other`, () =>
      withServers({ bad: script(mode), good: script('serve') }, {}, async ({ servers, logged }) => {
        assert.deepEqual(
          servers.problems().filter((problem) => problem.includes(' bad ')),
          expected,
        );
        assert.equal(logged.filter((line) => line.includes(' bad ')).length, 1);
        const { text } = await callTool(servers.tools(), 'mcp__good__echo', { text: 'here' });
        assert.equal(text, untrusted('good', 'here'));
      }));
  }

  checkStart('since it crashes', 'crash', [
    'The MCP server bad could not be started: it ended with exit code 1. It wrote: no configuration found',
  ]);
  checkStart('but writes what is no message at first', 'junk', []);

  it('since it says nothing is ended', () =>
    withServers({ bad: script('silent') }, { limits: { startMs: 500 } }, ({ servers, started }) => {
      assert.deepEqual(servers.problems(), ['The MCP server bad could not be started: it did not answer within 0.5 s']);
      assert.deepEqual(processesOf(started), []);
    }));

  it('since there is no such program', () =>
    withServers({ bad: { command: 'lathe-no-such-program' } }, {}, ({ servers }) => {
      assert.deepEqual(servers.tools(), []);
      assert.deepEqual(servers.problems(), [
        'The MCP server bad could not be started: there is no program lathe-no-such-program on the PATH (outside the workspace)',
      ]);
    }));

  it('in time is not waited for', () =>
    withServers({ slow: script('silent') }, { readyMs: 10 }, ({ servers }) => {
      assert.deepEqual(servers.tools(), []);
      assert.deepEqual(servers.problems(), [
        'The MCP server slow is still starting; its tools are found by search once it has.',
      ]);
    }));
});

describe('closing MCP servers', () => {
  it('leaves nothing running, however stubborn', async () => {
    let ids: readonly string[] = [];
    await withServers({ a: script('serve'), b: script('stubborn') }, {}, ({ servers, started }) => {
      assert.ok(servers.tools().some(({ name }) => name === 'mcp__b__echo'));
      ids = started;
      if (process.platform === 'linux') assert.equal(processesOf(started).length, 3);
    });
    assert.deepEqual(processesOf(ids), []);
  });

  it('also ends what is only starting, and starts nothing again', async () => {
    let ids: readonly string[] = [];
    await withServers({ a: script('silent') }, { readyMs: 200 }, async ({ servers, started }) => {
      await servers.close();
      await servers.ready(1_000);
      assert.equal(started.length, 1);
      ids = started;
    });
    assert.deepEqual(processesOf(ids), []);
  });
});

/** Living processes that carry one of the ids; none where they cannot be listed. */
function processesOf(ids: readonly string[]): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid)) return false;
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'latin1');
      return ids.some((id) => environment.includes(`LATHE_RUN=${id}\0`));
    } catch {
      return false;
    }
  });
}
