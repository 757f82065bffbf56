// One prompt in a session of its own, for the command line and for tests: the same in the editor and without one.
import type { AgentEvent, TurnEnd } from '../../common/events';
import type { Mode } from '../../common/modes';
import type { SettingName, Settings, SettingValue } from '../../common/settings';
import type { Asker, Host } from '../host';
import { connectServers } from '../mcp/connected';
import type { Effect } from '../permission/types';
import type { StartProgram } from '../program';
import { connector } from '../provider/connect';
import { demoProvider } from '../provider/demo';
import type { Tool } from '../tool/tool';
import { openSession } from './session';
import type { SessionOptions } from './types';

export interface PromptRun {
  readonly prompt: string;
  readonly mode?: Mode;
  readonly model?: string;
  /** As in the settings `permission.*`, and added to those. */
  readonly rules?: { readonly [E in Effect]: readonly string[] };
  /** Empty or absent: Anthropic's own with `apiKey`, else the demo model. Settings and kept keys do not count. */
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly mcpServers?: SettingValue<'mcp.servers'>;
  /** Stops the turn when it aborts. */
  readonly signal?: AbortSignal;
  readonly onEvent: (event: AgentEvent) => void;
}

export interface PromptSurroundings {
  readonly host: Host;
  readonly tools: readonly Tool[];
  readonly asker: Asker;
  readonly start: StartProgram;
  readonly onCommandChanges?: SessionOptions['onCommandChanges'];
}

/** Resolves when the turn has ended and everything is stored. Rejects only for bugs. */
export async function runPrompt(run: PromptRun, surroundings: PromptSurroundings): Promise<TurnEnd> {
  const { tools, asker, start, onCommandChanges } = surroundings;
  const host = run.rules ? withRules(surroundings.host, run.rules) : surroundings.host;
  const { mode, model, signal } = run;
  const servers = connectServers(host, run.mcpServers ?? {}, start);
  const session = await openSession({
    host,
    tools,
    asker,
    start,
    connected: () => servers.connected(),
    provider: connector({
      host,
      apiKey: () => Promise.resolve(run.apiKey),
      demo: () => Promise.resolve(demoProvider(host)),
      baseUrl: run.baseUrl ?? '',
    }),
    ...(onCommandChanges ? { onCommandChanges } : {}),
    ...(mode === undefined ? {} : { mode }),
    ...(model === undefined ? {} : { model }),
  });
  const stop = (): void => session.stop();
  signal?.addEventListener('abort', stop);
  session.subscribe(run.onEvent);
  try {
    const end = await session.prompt(run.prompt);
    await session.flush();
    if (end === 'busy' || end === 'readonly') throw new Error('A session that was just opened takes no prompt.');
    return end;
  } finally {
    signal?.removeEventListener('abort', stop);
    await session.close();
    await servers.close();
  }
}

function withRules(host: Host, rules: NonNullable<PromptRun['rules']>): Host {
  const added: { readonly [name in SettingName]?: readonly string[] } = {
    'permission.allow': rules.allow,
    'permission.ask': rules.ask,
    'permission.deny': rules.deny,
  };
  const settings: Settings = {
    get<N extends SettingName>(name: N): SettingValue<N> {
      const value = host.settings.get(name);
      const more = added[name];
      return more ? ([...(value as readonly string[]), ...more] as SettingValue<N>) : value;
    },
  };
  return { ...host, settings };
}
