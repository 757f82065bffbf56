// What a session gets of the servers that a setting names: their tools, once they have had a moment to start.
import type { SettingValue } from '../../common/settings';
import type { Host } from '../host';
import type { Tool } from '../tool/tool';
import { startWhereTrusted } from '../trust';
import type { ConnectedTools } from '../session/types';
import type { StartProgram } from '../program';
import { openServers } from './servers';

/** How long a session's first prompt waits for servers that are still starting. */
const READY_MS = 5_000;

export interface ConnectedServers {
  connected(): Promise<ConnectedTools>;
  /** Resolves when nothing of any server is left. */
  close(): Promise<void>;
}

/** Starts nothing before `connected` is asked, and nothing before the workspace is trusted (S50). */
export function connectServers(
  host: Host,
  servers: SettingValue<'mcp.servers'>,
  start: StartProgram,
): ConnectedServers {
  const opened = openServers({ host, servers, log: host.log, start: startWhereTrusted(start, host) });
  const tools = () => (host.isTrusted() ? opened.tools() : NO_TOOLS);
  return {
    connected: async () => {
      if (!host.isTrusted()) return { tools, problems: [] };
      await opened.ready(READY_MS);
      return { tools, problems: opened.problems() };
    },
    close: () => opened.close(),
  };
}

/** The same array each time: nothing has changed. */
const NO_TOOLS: readonly Tool[] = [];
