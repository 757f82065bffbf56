// The MCP servers of this window: started for the first prompt, shared by its sessions, ended with it.
import type { SettingValue } from '../common/settings';
import type { McpServers } from '../core/mcp/servers';
import type { ConnectedTools } from '../core/session/types';
import type { Host } from '../core/host';

/** How long the first prompt waits for servers that are still starting. */
const READY_MS = 5_000;

export interface WindowServers {
  /** What the setting names now. A changed setting counts for sessions that have sent no prompt yet. */
  connected(): Promise<ConnectedTools>;
  /** Resolves when nothing of any server is left. */
  close(): Promise<void>;
}

export async function connectServers(
  host: Host,
  servers: SettingValue<'mcp.servers'>,
): Promise<{ readonly opened: McpServers; readonly connected: () => Promise<ConnectedTools> }> {
  const [{ openServers }, { programStarter }] = await Promise.all([
    import('../core/mcp/servers'),
    import('../node/program'),
  ]);
  const opened = openServers({ host, servers, log: host.log, start: programStarter() });
  const connected = async () => {
    await opened.ready(READY_MS);
    return { tools: opened.tools(), problems: opened.problems() };
  };
  return { opened, connected };
}

export function windowServers(host: Host): WindowServers {
  // Sets of earlier settings stay open: sessions that began with them go on with them.
  const sets = new Map<string, ReturnType<typeof connectServers>>();
  return {
    async connected() {
      const servers = host.settings.get('mcp.servers');
      if (Object.keys(servers).length === 0) return { tools: [], problems: [] };
      const key = JSON.stringify(servers);
      const set = sets.get(key) ?? connectServers(host, servers);
      sets.set(key, set);
      return (await set).connected();
    },
    async close() {
      const all = await Promise.all(sets.values());
      sets.clear();
      await Promise.all(all.map(({ opened }) => opened.close()));
    },
  };
}
