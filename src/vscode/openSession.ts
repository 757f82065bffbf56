// Opens sessions for the panels: what is heavy in the core is loaded here, when the first one is opened.
import type { Mode } from '../common/modes';
import type { SettingValue } from '../common/settings';
import type { AgentEvent, TurnEnd } from '../common/events';
import type { Host } from '../core/host';
import type { Tool } from '../core/tool/tool';
import { unattended } from '../node/asker';
import { connectServers, type WindowServers } from './mcp';
import type { Keys } from './secrets';
import type { OpenSession } from './sessions';

export interface SessionParts {
  readonly host: Host;
  readonly keys: Keys;
  readonly servers: WindowServers;
  /** Loads the tools; this floor knows none of them. */
  readonly tools: () => Promise<readonly Tool[]>;
}

async function loadCore() {
  const [{ openSession }, { sessionFile }, { connector }, { demoProvider }, { createAskQueue }] = await Promise.all([
    import('../core/session/session'),
    import('../core/session/journal'),
    import('../core/provider/connect'),
    import('../core/provider/demo'),
    import('../core/permission/askQueue'),
  ]);
  return { openSession, sessionFile, connector, demoProvider, createAskQueue };
}

export function sessionOpener({ host, keys, servers, tools }: SessionParts): OpenSession {
  return async (resume) => {
    const [core, loaded] = await Promise.all([loadCore(), tools()]);
    const { openSession, sessionFile, connector, demoProvider, createAskQueue } = core;
    const asks = createAskQueue();
    const provider = connector({
      host,
      apiKey: (baseUrl) => keys.get(baseUrl),
      demo: async () => demoProvider(host),
    });
    const options = { host, tools: loaded, connected: () => servers.connected(), provider, asker: asks };
    // One that was opened and never prompted has left nothing to go on with.
    const isStored = resume !== undefined && (await host.store.size(sessionFile(resume))) !== undefined;
    const session = await openSession(isStored ? { ...options, resume } : options);
    return { session, asks };
  };
}

export interface PromptRun {
  readonly prompt: string;
  readonly mode?: Mode;
  readonly model?: string;
  /** Empty or absent: Anthropic's own with `apiKey`, else the demo model. Settings and kept keys do not count. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly mcpServers?: SettingValue<'mcp.servers'>;
  readonly signal?: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
}

/** One prompt in a session of its own, without a person: what the mode does not allow is denied. */
export async function runPrompt(
  run: PromptRun,
  { host, tools }: Pick<SessionParts, 'host' | 'tools'>,
): Promise<TurnEnd> {
  const [{ openSession, connector, demoProvider }, loaded] = await Promise.all([loadCore(), tools()]);
  const servers = await connectServers(host, run.mcpServers ?? {});
  const session = await openSession({
    host,
    tools: loaded,
    connected: servers.connected,
    asker: unattended,
    provider: connector({
      host,
      apiKey: async () => run.apiKey,
      demo: async () => demoProvider(host),
      baseUrl: run.baseUrl ?? '',
    }),
    ...(run.mode === undefined ? {} : { mode: run.mode }),
    ...(run.model === undefined ? {} : { model: run.model }),
  });
  const stop = (): void => session.stop();
  run.signal?.addEventListener('abort', stop);
  session.subscribe(run.onEvent);
  try {
    const end = await session.prompt(run.prompt);
    await session.flush();
    if (end === 'busy') throw new Error('A session that was just opened is busy.');
    return end;
  } finally {
    run.signal?.removeEventListener('abort', stop);
    session.dispose();
    await servers.opened.close();
  }
}
