// The MCP servers of this window: started for the first prompt, shared by its sessions, ended with it.
import type { SettingValue } from '../common/settings';
import type { ConnectedServers } from '../core/mcp/connected';
import type { ConnectedTools } from '../core/session/types';
import type { Host } from '../core/host';

export interface WindowServers {
  /** What the setting names now. A changed setting counts for sessions that have sent no prompt yet. */
  connected(): Promise<ConnectedTools>;
  /** Resolves when nothing of any server is left. */
  close(): Promise<void>;
}

async function open(host: Host, servers: SettingValue<'mcp.servers'>): Promise<ConnectedServers> {
  const [{ connectServers }, { programStarter }] = await Promise.all([
    import('../core/mcp/connected'),
    import('../node/program'),
  ]);
  return connectServers(host, servers, programStarter({ roots: () => host.roots() }));
}

export function windowServers(host: Host): WindowServers {
  // Sets of earlier settings stay open: sessions that began with them go on with them.
  const sets = new Map<string, Promise<ConnectedServers>>();
  return {
    async connected() {
      const servers = host.settings.get('mcp.servers');
      if (Object.keys(servers).length === 0) return { tools: () => [], problems: [] };
      const key = JSON.stringify(servers);
      const set = sets.get(key) ?? open(host, servers);
      sets.set(key, set);
      return (await set).connected();
    },
    async close() {
      const all = await Promise.all(sets.values());
      sets.clear();
      await Promise.all(all.map((set) => set.close()));
    },
  };
}
