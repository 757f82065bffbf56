// Opens sessions for the panels: what is heavy in the core is loaded here, when the first one is opened.
import type { TurnEnd } from '../../common/events';
import type { Note } from '../../core/agent/notes';
import type { OutputMemory } from '../../core/output/memory';
import type { SessionOptions } from '../../core/session/types';
import type { PromptRun } from '../../core/session/runPrompt';
import type { Tool } from '../../core/tool/tool';
import { unattended } from '../../node/asker';
import type { EditorHost } from '../host';
import type { WindowServers } from '../mcp';
import type { Keys } from '../secrets';
import type { OpenSession } from './sessions';

export interface SessionParts {
  readonly host: EditorHost;
  readonly keys: Keys;
  readonly servers: WindowServers;
  /** Loads the tools; this floor knows none of them. */
  readonly tools: () => Promise<readonly Tool[]>;
  /** What a session's model should know of the window, such as a change that the person took back. */
  readonly news: (session: string) => readonly Note[];
}

async function loadCore() {
  const [session, journal, connect, demo, askQueue, memory, program] = await Promise.all([
    import('../../core/session/session'),
    import('../../core/session/journal'),
    import('../../core/provider/connect'),
    import('../../core/provider/demo'),
    import('../../core/permission/askQueue'),
    import('../../core/output/memory'),
    import('../../node/program'),
  ]);
  return { ...session, ...journal, ...connect, ...demo, ...askQueue, ...memory, ...program };
}

export function sessionOpener({ host, keys, servers, tools, news }: SessionParts): OpenSession {
  let outputMemory: OutputMemory | undefined;
  return async (resume) => {
    const [core, loaded] = await Promise.all([loadCore(), tools()]);
    const { openSession, sessionFile, connector, demoProvider, createAskQueue } = core;
    outputMemory ??= new core.OutputMemory(host.settings);
    const asks = createAskQueue();
    const provider = connector({
      host,
      apiKey: (baseUrl) => keys.get(baseUrl),
      demo: async () => demoProvider(host),
    });
    const connected = () => servers.connected();
    const start = core.programStarter({ roots: () => host.roots() });
    const onCommandChanges = commandTeller(host);
    const keepRule = async (rule: string) => (await import('../permission/keepRule')).keepRule(rule, host.log);
    const common = { host, tools: loaded, connected, provider, asker: asks, start, outputMemory, news };
    const options = { ...common, onCommandChanges, keepRule };
    // One that was opened and never prompted has left nothing to go on with.
    const isStored = resume !== undefined && (await host.store.size(sessionFile(resume))) !== undefined;
    const session = await openSession(isStored ? { ...options, resume } : options);
    return { session, asks };
  };
}

function commandTeller(host: EditorHost): NonNullable<SessionOptions['onCommandChanges']> {
  return (changes, origin) => void host.commandChanged(changes, origin);
}

/** One prompt without a person: what the mode does not allow is denied. */
export async function runPrompt(
  run: PromptRun,
  { host, tools }: Pick<SessionParts, 'host' | 'tools'>,
): Promise<TurnEnd> {
  const [core, { programStarter }, loaded] = await Promise.all([
    import('../../core/session/runPrompt'),
    import('../../node/program'),
    tools(),
  ]);
  const onCommandChanges = commandTeller(host);
  return core.runPrompt(run, {
    host,
    tools: loaded,
    asker: unattended,
    start: programStarter({ roots: () => host.roots() }),
    onCommandChanges,
  });
}
