// Servers that come and go: when they are started again, and what a session makes of them.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { openSession } from '../../../../src/core/session/session';
import { anthropicProvider } from '../../../../src/core/provider/anthropic';
import { unattended } from '../../../../src/node/asker';
import { programStarter } from '../../../../src/node/program';
import type { AgentEvent } from '../../../../src/common/events';
import { runPrompt } from '../../../../src/headless';
import { reply, text, toolUse } from '../../../support/model-server/scenario';
import { startModelServer } from '../../../support/model-server/server';
import { createWorkspace } from '../../../support/workspace';
import { createManualClock } from '../tool/manualClock';
import { script, untrusted, withServers, withServersInProcess } from './support';

describe('an MCP server that fails again and again', () => {
  it('is tried at the next use, then less and less often', async () => {
    const clock = createManualClock();
    const triedAtMs: number[] = [];
    const connect = async (): Promise<never> => {
      triedAtMs.push(clock.elapsed());
      throw new Error('no');
    };
    await withServers({ bad: { command: 'x' } }, { clock, connect }, async ({ servers }) => {
      for (let second = 0; second < 100; second++) {
        await servers.ready(1);
        await clock.advance(1_000);
      }
      assert.deepEqual(
        triedAtMs.map((ms) => ms / 1_000),
        [0, 0, 1, 3, 7, 15, 31, 61, 91],
      );
      assert.deepEqual(servers.problems(), ['The MCP server bad could not be started: no']);
    });
  });
});

describe('a session with MCP servers', () => {
  it('asks for the tools once, before its first request, puts them after its own and tells what is missing', () =>
    withServersInProcess({ fix: { names: ['echo', 'broken'] } }, async ({ servers }) => {
      const workspace = await createWorkspace();
      const model = await startModelServer([reply(text('one')), reply(text('two'))], { apiKey: 'sk-test' });
      const { host } = workspace;
      let asked = 0;
      const session = await openSession({
        host,
        tools: [],
        asker: unattended,
        start: programStarter(),
        provider: async () => anthropicProvider({ host, baseUrl: model.url, apiKey: 'sk-test' }),
        connected: async () => {
          asked++;
          return { tools: () => servers.tools(), problems: servers.problems() };
        },
      });
      const events: AgentEvent[] = [];
      session.subscribe((event) => events.push(event));
      assert.equal(asked, 0);
      assert.deepEqual([await session.prompt('a'), await session.prompt('b')], ['done', 'done']);
      assert.equal(asked, 1);
      const heads = events.flatMap((event) => (event.type === 'prompt/frozen' ? [event.tools.map((t) => t.name)] : []));
      assert.deepEqual(heads, [['mcp__fix__echo']]);
      const notices = events.flatMap((event) => (event.type === 'notice' ? [event.text] : []));
      assert.deepEqual(notices, servers.problems());
      session.dispose();
      await model.close();
      await workspace.remove();
    }));

  it('runs their tools without an editor, from the prompt to the result', async () => {
    const workspace = await createWorkspace();
    const model = await startModelServer([reply(toolUse('mcp__fix__echo', { text: 'hello' })), reply(text('done'))], {
      apiKey: 'sk-test',
    });
    const results: string[] = [];
    const end = await runPrompt({
      workspace: workspace.root,
      storeDir: join(workspace.outside, 'sessions'),
      prompt: 'say hello',
      baseUrl: model.url,
      apiKey: 'sk-test',
      mode: 'bypass',
      mcpServers: { fix: script('serve') },
      onEvent: (event) => {
        if (event.type === 'tool/finished') results.push(event.text);
      },
    });
    assert.deepEqual([end, results], ['done', [untrusted('fix', 'hello')]]);
    assert.deepEqual(model.problems(), []);
    await model.close();
    await workspace.remove();
  });
});
