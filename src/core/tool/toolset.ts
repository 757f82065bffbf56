// The tools of a session: what its requests describe, frozen when it is composed, and what can be called at any moment.
import { messageOf } from '../../common/errors';
import type { ToolDefinition } from '../../common/events';
import type { JsonObject } from '../../common/json';
import type { Host } from '../host';
import { byName, checkNames, foldName, indexNames, nearestNames } from './names';
import { liveSelection } from './selection';
import type { Tool, ToolCatalog, ToolEntry } from './tool';
import { clip } from './wording';

export interface Toolset extends ToolCatalog {
  /** By any of its names, whatever separators it is written with [O21]. What is deferred, turned off or gone is found too: see `fault`. */
  find(name: string): Tool | undefined;
  /** For the model: there is no such tool, and which ones come nearest [O09]. */
  unknown(name: string): string;
  /** For the model: why the tool cannot be used now, be it turned off, no longer offered or not loaded. */
  fault(tool: Tool): string | undefined;
  /** What every request carries: built-in tools by name, then connected ones. The same frozen list at each call [O03]. */
  definitions(): readonly ToolDefinition[];
  /** How many of `definitions` are built in; the prompt cache is marked after them. */
  readonly builtInCount: number;
  /** The tools' parts of the system prompt, in the order of `definitions`. */
  guides(): readonly string[];
  /** What was there at composing and is not in `definitions`: it is searched for [X01]. */
  deferred(): readonly ToolEntry[];
  /** What has been connected since, and can be searched for now. */
  late(): readonly ToolEntry[];
  /** Starts every tool's `load()` at the first call; resolves when all have ended. Never rejects: see `fault`. */
  load(): Promise<void>;
}

/**
 * In three steps [O04]: what the host can run, what the settings leave, what each request describes. Connected tools are
 * described while there are few of them, and only those there are now. `connected` answers the same array while nothing
 * has changed. Throws for two built-in tools of one name or alias, which is a bug.
 */
export function createToolset(
  builtIn: readonly Tool[],
  host: Host,
  connected: () => readonly Tool[] = () => [],
): Toolset {
  const own = builtIn.filter((tool) => tool.available(host)).sort(byName);
  checkNames(own);
  const live = liveTools(own, connected, host);
  const first = live().connected;
  const entryOf = entryMaker(host);
  const selection = liveSelection(host.settings);
  const thoseOn = (tools: readonly Tool[]): Tool[] => {
    const offBecause = selection();
    return tools.filter((tool) => offBecause(tool) === undefined);
  };
  const frozen = freeze(thoseOn(own), thoseOn(first), host.settings.get('tools.deferAbove'), entryOf);
  const loader = loadOnce([...own, ...first], host);

  const isShown = ({ name }: Tool): boolean => frozen.shown.has(name);
  const searchable = (): Tool[] => thoseOn(live().tools).filter((tool) => !isShown(tool));
  const unknown = (name: string): string => {
    const there = thoseOn(live().tools);
    const nearest = nearestNames(name, there);
    if (nearest.length > 0) return `${noTool(name)} The nearest are: ${nearest.join(', ')}.`;
    const shown = there.filter(isShown).map((tool) => tool.name);
    const more = there.length - shown.length;
    return `${noTool(name)} There are: ${shown.join(', ')}${more > 0 ? `; toolsearch finds ${more} more` : ''}.`;
  };
  const fault = (tool: Tool): string | undefined => selection()(tool) ?? live().gone.get(tool) ?? loader.fault(tool);
  const late = (): Tool[] => thoseOn(live().connected.filter(({ name }) => first.every((tool) => tool.name !== name)));
  return {
    find: (name) => live().find(name),
    unknown,
    fault,
    definitions: () => frozen.definitions,
    builtInCount: frozen.builtInCount,
    guides: () => frozen.guides,
    deferred: () => frozen.deferred,
    late: () => (frozen.canDefer ? late().map(entryOf) : []),
    searchable: () => searchable().map(entryOf),
    describe: (name) => {
      const tool = live().find(name);
      if (!tool) return { objection: unknown(name) };
      const objection = fault(tool);
      return objection === undefined ? { ...entryOf(tool), isResident: isShown(tool) } : { objection };
    },
    load: () => loader.load(),
  };
}

const NAME_SHOWN_CHARS = 200;

function noTool(name: string): string {
  return `There is no tool called ${clip(JSON.stringify(name), NAME_SHOWN_CHARS)}.`;
}

interface Frozen {
  readonly definitions: readonly ToolDefinition[];
  readonly builtInCount: number;
  readonly guides: readonly string[];
  readonly deferred: readonly ToolEntry[];
  /** Something is there that reaches what is deferred. */
  readonly canDefer: boolean;
  /** Names of what `definitions` describe. */
  readonly shown: ReadonlySet<string>;
}

/** What stays for as long as the toolset does. What nothing can reach is never deferred. */
function freeze(
  own: readonly Tool[],
  connected: readonly Tool[],
  deferAbove: number,
  entryOf: (tool: Tool) => ToolEntry,
): Frozen {
  const canDefer = own.some((tool) => tool.dispatch !== undefined);
  const [deferred, resident] = split(own, (tool) => canDefer && tool.deferred);
  const isCrowded = canDefer && connected.length > deferAbove;
  const shown = isCrowded ? resident : [...resident, ...connected];
  return {
    definitions: Object.freeze(shown.map((tool) => definitionOf(entryOf(tool)))),
    builtInCount: resident.length,
    guides: shown.flatMap(({ guide }) => guide ?? []),
    deferred: (isCrowded ? [...deferred, ...connected] : deferred).map(entryOf),
    canDefer,
    shown: new Set(shown.map(({ name }) => name)),
  };
}

interface Live {
  /** By name. */
  readonly connected: readonly Tool[];
  /** Built-in tools, then connected ones. */
  readonly tools: readonly Tool[];
  /** Why, for each tool that was connected at first and is no more. */
  readonly gone: ReadonlyMap<Tool, string>;
  find(name: string): Tool | undefined;
}

/** Follows what is connected: looked at anew only when it has changed. */
function liveTools(own: readonly Tool[], connected: () => readonly Tool[], host: Host): () => Live {
  let seen: readonly Tool[] | undefined;
  let first: readonly Tool[] | undefined;
  let live: Live | undefined;
  return () => {
    const offered = connected();
    if (live && (offered === seen || (offered.length === 0 && seen?.length === 0))) return live;
    seen = offered;
    const usable = offered.filter((tool) => tool.available(host)).sort(byName);
    const names = new Set(usable.map(({ name }) => name));
    const gone = (first ??= usable).filter(({ name }) => !names.has(name));
    const index = indexNames([...own, ...usable, ...gone]);
    live = {
      connected: usable,
      tools: [...own, ...usable],
      gone: new Map(gone.map((tool) => [tool, whyGone(tool)])),
      find: (name) => index.get(name) ?? index.get(foldName(name)),
    };
    return live;
  };
}

function whyGone({ name, server }: Tool): string {
  const whose =
    server === undefined ? `${name} is no longer offered` : `The MCP server ${server} no longer offers ${name}`;
  return `${whose}. Go on without it; toolsearch shows what there is.`;
}

/** Each tool's `load` once, and what went wrong with it. */
function loadOnce(tools: readonly Tool[], host: Host): Pick<Toolset, 'load' | 'fault'> {
  const faults = new Map<Tool, string>();
  let loading: Promise<void> | undefined;
  const loadOne = async (tool: Tool): Promise<void> => {
    try {
      await tool.load();
    } catch (error) {
      const reason = messageOf(error);
      faults.set(tool, `${tool.name} cannot be used, because a part of it could not be loaded: ${reason}`);
      host.log.error(`The tool ${tool.name} could not be loaded.`, error);
    }
  };
  return {
    load: () => (loading ??= Promise.all(tools.map(loadOne)).then(() => undefined)),
    fault: (tool) => faults.get(tool),
  };
}

function split<T>(all: readonly T[], belongs: (one: T) => boolean): [T[], T[]] {
  return [all.filter(belongs), all.filter((one) => !belongs(one))];
}

/** Each tool is described once, so that its text is the same each time. */
function entryMaker(host: Host): (tool: Tool) => ToolEntry {
  const entries = new WeakMap<Tool, ToolEntry>();
  return (tool) => {
    const entry = entries.get(tool) ?? describe(tool, host);
    entries.set(tool, entry);
    return entry;
  };
}

function describe({ description, name, schema, searchHint, server }: Tool, host: Host): ToolEntry {
  return Object.freeze({
    name,
    description: typeof description === 'string' ? description : description(host),
    // A JSON Schema is JSON; its own type does not say so.
    inputSchema: schema as unknown as JsonObject,
    searchHint,
    ...(server === undefined ? {} : { server }),
  });
}

function definitionOf({ name, description, inputSchema }: ToolEntry): ToolDefinition {
  return Object.freeze({ name, description, inputSchema });
}
