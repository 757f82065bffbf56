// The tools of a session: found by the names that models use, and described to the model in an order that never changes.
import { distance } from 'fastest-levenshtein';
import type { ToolDefinition } from '../../common/events';
import type { JsonObject } from '../../common/json';
import type { Host } from '../host';
import type { Tool } from './tool';

const NEAREST_MAX = 3;

export interface ToolLine {
  readonly name: string;
  readonly description: string;
  readonly searchHint: string;
}

export interface Toolset {
  /** By name, else by alias, else by either without regard to case and separators. Deferred tools are found too. */
  find(name: string): Tool | undefined;
  /** For the model: there is no such tool, and which ones come nearest [O09]. */
  unknown(name: string): string;
  /** What every request carries: built-in tools by name, then connected ones. The same frozen list at each call [O03]. */
  definitions(): readonly ToolDefinition[];
  /** How many of `definitions` are built in; the prompt cache is marked after them. */
  readonly builtInCount: number;
  /** The tools' parts of the system prompt, in the order of `definitions`. */
  guides(): readonly string[];
  /** What is not in `definitions` and is searched for, by name. */
  deferred(): readonly ToolLine[];
  /** Starts every tool's `load()` at the first call; resolves when all have ended. Never rejects: see `fault`. */
  load(): Promise<void>;
  /** For the model: why the tool cannot be used, when its `load()` failed. */
  fault(tool: Tool): string | undefined;
}

/** Only what the host can run is in it. Throws for two tools of one name or alias, which is a bug. */
export function createToolset(builtIn: readonly Tool[], host: Host, connected: readonly Tool[] = []): Toolset {
  const resident = builtIn.filter((tool) => tool.available(host)).sort(byName);
  const tools = [...resident, ...connected.filter((tool) => tool.available(host)).sort(byName)];
  const names = indexNames(tools);
  const shown = tools.filter((tool) => !tool.deferred);
  const definitions = Object.freeze(shown.map((tool) => definitionOf(tool, host)));
  const faults = new Map<Tool, string>();
  let loading: Promise<void> | undefined;

  const loadOne = async (tool: Tool): Promise<void> => {
    try {
      await tool.load();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      faults.set(tool, `${tool.name} cannot be used, because a part of it could not be loaded: ${reason}`);
      host.log.error(`The tool ${tool.name} could not be loaded.`, error);
    }
  };
  return {
    find: (name) => names.get(name) ?? names.get(foldName(name)),
    unknown: (name) => unknownName(name, tools),
    definitions: () => definitions,
    builtInCount: resident.filter((tool) => !tool.deferred).length,
    guides: () => shown.flatMap(({ guide }) => guide ?? []),
    deferred: () => tools.filter((tool) => tool.deferred).map((tool) => lineOf(tool, host)),
    load: () => (loading ??= Promise.all(tools.map(loadOne)).then(() => undefined)),
    fault: (tool) => faults.get(tool),
  };
}

/** Names and aliases as they are written win over folded ones; a folded form that two tools share leads to neither. */
function indexNames(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const names = new Map<string, Tool>();
  for (const tool of tools) {
    for (const name of [tool.name, ...tool.aliases]) {
      if (names.has(name)) throw new Error(`Two tools are called ${name}.`);
      names.set(name, tool);
    }
  }
  const folded = [
    ...shareless(tools.map((tool) => [foldName(tool.name), tool])),
    ...shareless(tools.flatMap((tool) => tool.aliases.map((alias): [string, Tool] => [foldName(alias), tool]))),
  ];
  for (const [name, tool] of folded) if (!names.has(name)) names.set(name, tool);
  return names;
}

function shareless(claims: readonly [string, Tool][]): [string, Tool][] {
  return claims.filter(([name, tool]) => claims.every(([other, owner]) => other !== name || owner === tool));
}

/** `Read`, `read_file` and `ReadFile` differ only in how words are put together. */
function foldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function unknownName(name: string, tools: readonly Tool[]): string {
  const folded = foldName(name);
  const nearest = tools
    .map((tool) => ({ name: tool.name, steps: distance(folded, foldName(tool.name)) }))
    .filter(({ name: known, steps }) => steps <= Math.max(2, folded.length / 3) || known.includes(folded))
    .sort((a, b) => a.steps - b.steps || compare(a.name, b.name))
    .slice(0, NEAREST_MAX)
    .map((near) => near.name);
  const advice =
    nearest.length > 0
      ? `The nearest are: ${nearest.join(', ')}.`
      : `There are: ${tools.map((tool) => tool.name).join(', ')}.`;
  return `There is no tool called ${JSON.stringify(name)}. ${advice}`;
}

function definitionOf(tool: Tool, host: Host): ToolDefinition {
  // A JSON Schema is JSON; its own type does not say so.
  const inputSchema = tool.schema as unknown as JsonObject;
  return Object.freeze({ name: tool.name, description: describe(tool, host), inputSchema });
}

function lineOf(tool: Tool, host: Host): ToolLine {
  return { name: tool.name, description: describe(tool, host), searchHint: tool.searchHint };
}

function describe({ description }: Tool, host: Host): string {
  return typeof description === 'string' ? description : description(host);
}

function byName(a: Tool, b: Tool): number {
  return compare(a.name, b.name);
}

/** By code unit: the same order whatever the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
