// What a session's requests begin with, and the tools behind it: composed before its first request, and again only when a setting it comes from has changed.
import { byServer, offerOf } from '../agent/moreTools';
import type { Note } from '../agent/notes';
import { composeHead, isSameHead, type Head } from '../agent/prompt';
import type { Host } from '../host';
import { selectionKey } from '../tool/selection';
import type { Tool } from '../tool/tool';
import { createToolset, type Toolset } from '../tool/toolset';
import type { SessionRecord } from './record';
import type { ConnectedTools, SessionOptions } from './types';

interface Composed {
  /** What it was composed of, besides the tools that are connected. */
  readonly basis: string;
  readonly toolset: Toolset;
  readonly head: Head;
}

/** Held state of one session's head. */
export class FrozenHead {
  private connecting: Promise<ConnectedTools> | undefined;
  private wasTrusted = true;
  private composed: Composed | undefined;
  /** Of tools that came late: what the model was told of them, by name. */
  private readonly told = new Map<string, string>();

  constructor(
    private readonly options: Pick<SessionOptions, 'host' | 'tools' | 'connected'>,
    private readonly record: Pick<SessionRecord, 'emit' | 'known'>,
  ) {}

  /** Once per session, and once more when the workspace has become trusted; a failure is told and tried again with the next prompt. */
  connect(): Promise<ConnectedTools> {
    const isTrusted = this.options.host.isTrusted();
    if (isTrusted && !this.wasTrusted) this.connecting = undefined;
    this.wasTrusted = isTrusted;
    return (this.connecting ??= this.askConnected().catch((error: unknown) => {
      this.connecting = undefined;
      throw error;
    }));
  }

  /** For a turn that begins. A stored session's head stays in force when nothing has changed since. */
  async forTurn(connected: ConnectedTools): Promise<Omit<Composed, 'basis'>> {
    const { host, tools } = this.options;
    const basis = basisOf(host, tools);
    if (this.composed?.basis === basis) return this.composed;
    const toolset = createToolset(tools, host, () => connected.tools());
    const head = this.freeze(await composeHead(host, toolset));
    this.composed = { basis, toolset, head };
    return this.composed;
  }

  /** Told once: the tools that came after the head was frozen, which the model could not know of otherwise. */
  news(wasTold: (text: string) => boolean): Note[] {
    const fresh = (this.composed?.toolset.late() ?? []).filter(({ name }) => !wasTold(this.told.get(name) ?? ''));
    return byServer(fresh).map(([server, tools]) => {
      const text = `The MCP server ${server} now offers ${offerOf(tools)}. toolsearch shows their input schemas, call runs them.`;
      for (const { name } of tools) this.told.set(name, text);
      return { about: 'tools', text };
    });
  }

  private async askConnected(): Promise<ConnectedTools> {
    const connected = (await this.options.connected?.()) ?? NONE;
    const action = { title: 'Show Log', command: 'lathe.showLog' };
    for (const text of connected.problems) this.record.emit({ type: 'notice', level: 'warning', text, action });
    return connected;
  }

  private freeze(head: Head): Head {
    const frozen = this.record.known.head;
    if (frozen && isSameHead(frozen, head)) return frozen;
    this.record.emit({ type: 'prompt/frozen', ...head });
    return head;
  }
}

const NONE: ConnectedTools = { tools: () => [], problems: [] };

/** What connects or goes away is not in it: that must not throw away the cached conversation. */
function basisOf(host: Host, tools: readonly Tool[]): string {
  const { settings, shell } = host;
  const available = tools.filter((tool) => tool.available(host)).map(({ name }) => name);
  return JSON.stringify([
    selectionKey(settings),
    settings.get('tools.deferAbove'),
    shell.name,
    host.roots(),
    available,
  ]);
}
