// Composition root without an editor: one prompt through the real loop and the real tools on plain Node.
import type { AgentEvent, TurnEnd } from './common/events';
import type { Mode } from './common/modes';
import type { SettingValue } from './common/settings';
import { openServers } from './core/mcp/servers';
import { connector } from './core/provider/connect';
import { demoProvider } from './core/provider/demo';
import { openSession } from './core/session/session';
import { unattended } from './node/asker';
import { createNodeHost } from './node/host';
import { programStarter } from './node/program';
import { TOOLS } from './tools';

export interface RunOptions {
  /** Absolute path of the folder to work in. */
  readonly workspace: string;
  readonly prompt: string;
  /** Absolute path of the folder for sessions and outputs, outside the workspace. */
  readonly storeDir: string;
  /** Empty or absent: Anthropic's own with a key, else the demo model. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly model?: string;
  readonly mode?: Mode;
  readonly mcpServers?: SettingValue<'mcp.servers'>;
  /** Stops the turn when it aborts. */
  readonly signal?: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
}

/** How long the prompt waits for MCP servers that are still starting. */
const SERVERS_READY_MS = 5_000;

/** Nobody is there to be asked: what the mode does not allow is denied. Never rejects for what the model or a tool does. */
export async function runPrompt(options: RunOptions): Promise<TurnEnd> {
  const { workspace, storeDir, mode, model, apiKey, signal } = options;
  const host = createNodeHost({ roots: [workspace], storeDir });
  const servers = openServers({ host, servers: options.mcpServers ?? {}, log: host.log, start: programStarter() });
  const session = await openSession({
    host,
    tools: TOOLS,
    connected: async () => {
      await servers.ready(SERVERS_READY_MS);
      return { tools: servers.tools(), problems: servers.problems() };
    },
    asker: unattended,
    provider: connector({
      host,
      apiKey: () => Promise.resolve(apiKey),
      demo: () => Promise.resolve(demoProvider(host)),
      baseUrl: options.baseUrl ?? '',
    }),
    ...(mode === undefined ? {} : { mode }),
    ...(model === undefined ? {} : { model }),
  });
  const stop = () => {
    session.stop();
  };
  signal?.addEventListener('abort', stop);
  session.subscribe(options.onEvent);
  try {
    const end = await session.prompt(options.prompt);
    await session.flush();
    if (end === 'busy') throw new Error('A session that was just opened is busy.');
    return end;
  } finally {
    signal?.removeEventListener('abort', stop);
    session.dispose();
    await servers.close();
  }
}
