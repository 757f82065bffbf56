// MCP servers of this process whose coming, going and changing a test decides.
import assert from 'node:assert/strict';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { connectOver } from '../../src/core/mcp/sdk';
import { openServers, type McpServers } from '../../src/core/mcp/servers';
import { createServer } from '../fixtures/mcp/server.mjs';
import { createWorkspace } from './workspace';

export interface OfferedEntry {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
}

export interface Offer {
  /** What the server lists; each is answered with `called NAME`. */
  readonly list: OfferedEntry[];
  /** From here on the server answers. */
  open(): void;
  /** The server says that its list has changed. */
  tellChange(): Promise<void>;
}

export function entries(count: number, prefix = 'job'): OfferedEntry[] {
  return Array.from({ length: count }, (_, at) => ({
    ...{ name: `${prefix}${at}`, description: `Does ${prefix} number ${at}` },
    inputSchema: { type: 'object', properties: { what: { type: 'string' } } },
  }));
}

/** None of the servers answers before it is opened; all are ended after `use`. */
export async function withOffers<const Name extends string>(
  lists: Readonly<Record<Name, OfferedEntry[]>>,
  use: (servers: McpServers, offers: Readonly<Record<Name, Offer>>) => Promise<void>,
): Promise<void> {
  const { host, remove } = await createWorkspace({}, { log: { info: () => {}, warn: () => {}, error: () => {} } });
  const names = Object.keys(lists) as Name[];
  const offers = Object.fromEntries(names.map((name) => [name, createOffer(lists[name])])) as Record<Name, LiveOffer>;
  const servers = openServers({
    host,
    log: host.log,
    servers: Object.fromEntries(names.map((name) => [name, { command: 'in-process' }])),
    start: () => assert.fail('No program is started.'),
    connect: async ({ name }, options) => {
      const [ours, theirs] = InMemoryTransport.createLinkedPair();
      await offers[name as Name].connect(theirs);
      return connectOver(ours, options);
    },
  });
  try {
    await use(servers, offers);
  } finally {
    for (const name of names) offers[name].open();
    await servers.close();
    await remove();
  }
}

interface LiveOffer extends Offer {
  connect(transport: InMemoryTransport): Promise<void>;
}

function createOffer(list: OfferedEntry[]): LiveOffer {
  const server = createServer({ names: [], more: list });
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return {
    list,
    open: () => open(),
    tellChange: () => server.sendToolListChanged(),
    connect: async (transport) => {
      await opened;
      await server.connect(transport);
    },
  };
}
