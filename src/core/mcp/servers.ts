// The MCP servers of the person's own setting `mcp.servers`: no repository can add one (S34).
import type { SettingValue } from '../../common/settings';
import type { Host, Log } from '../host';
import type { Tool } from '../tool/tool';
import { readServers } from './config';
import { connector } from './connect';
import type { Connect } from './connection';
import type { StartProgram } from '../program';
import { McpServer, type ServerLimits } from './server';

export interface ServersOptions {
  readonly host: Pick<Host, 'clock' | 'web' | 'platform' | 'ids'>;
  readonly servers: SettingValue<'mcp.servers'>;
  readonly log: Log;
  readonly start: StartProgram;
  readonly limits?: Partial<ServerLimits>;
  /** How connections are made, where it is not the usual way. */
  readonly connect?: Connect;
}

export interface McpServers {
  /**
   * Starts what is not running, all at once, and resolves when each of them is ready or has failed, at the latest after
   * `limitMs`; what comes later is there at the next call. Never rejects.
   */
  ready(limitMs: number): Promise<void>;
  /** What is known now, by name: the same array while nothing has changed. */
  tools(): readonly Tool[];
  /** For the person: which servers and tools cannot be used now, and why. */
  problems(): readonly string[];
  /** Resolves when nothing of any server is left; no call starts one again. */
  close(): Promise<void>;
}

const LIMITS: ServerLimits = { startMs: 30_000, callMs: 60_000 };

/** Nothing is started or loaded before `ready`. */
export function openServers({ host, servers, log, start, limits, connect }: ServersOptions): McpServers {
  const { clock } = host;
  const configs = readServers(servers);
  const connecting = connect ?? connector(host, start);
  const opened = configs.servers.map(
    (config) => new McpServer({ config, connect: connecting, clock, log, limits: { ...LIMITS, ...limits } }),
  );
  for (const problem of configs.problems) log.warn(problem);
  let lists: readonly (readonly Tool[])[] = [];
  let known: readonly Tool[] = [];
  const tools = (): readonly Tool[] => {
    const isChanged = opened.some((server, at) => server.tools !== lists[at]);
    if (!isChanged) return known;
    lists = opened.map((server) => server.tools);
    return (known = lists.flat().sort(byName));
  };
  return {
    async ready(limitMs) {
      const done = new AbortController();
      const all = Promise.all(opened.map((server) => server.start()));
      await Promise.race([all, clock.sleep(limitMs, done.signal)]);
      done.abort();
    },
    tools,
    problems: () => [...configs.problems, ...opened.flatMap((server) => server.complaints())],
    close: async () => void (await Promise.all(opened.map((server) => server.close()))),
  };
}

/** By code unit: the same order whatever the locale. */
function byName(a: Tool, b: Tool): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}
