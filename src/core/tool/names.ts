// Names of tools as models write them: found in any case and with any separators, and the nearest for one that is not there.
import { distance } from 'fastest-levenshtein';
import type { Tool } from './tool';

type Named = Pick<Tool, 'name' | 'aliases'>;

const NEAREST_MAX = 3;

/** Throws for two tools of one name or alias, which is a bug. */
export function checkNames(tools: readonly Named[]): void {
  const known = new Set<string>();
  for (const name of tools.flatMap((tool) => [tool.name, ...tool.aliases])) {
    if (known.has(name)) throw new Error(`Two tools are called ${name}.`);
    known.add(name);
  }
}

/**
 * By name, then by alias, then by either without regard to case and separators [O21]. Of two tools of one name the first
 * counts; a folded form that two tools share leads to neither.
 */
export function indexNames<T extends Named>(tools: readonly T[]): ReadonlyMap<string, T> {
  const names = new Map<string, T>();
  const add = (name: string, tool: T): void => void (names.has(name) || names.set(name, tool));
  for (const tool of tools) add(tool.name, tool);
  for (const tool of tools) for (const alias of tool.aliases) add(alias, tool);
  const folded = [
    ...shareless(tools.map((tool) => [foldName(tool.name), tool])),
    ...shareless(tools.flatMap((tool) => tool.aliases.map((alias): [string, T] => [foldName(alias), tool]))),
  ];
  for (const [name, tool] of folded) add(name, tool);
  return names;
}

function shareless<T>(claims: readonly [string, T][]): [string, T][] {
  const owners = new Map<string, T | undefined>();
  for (const [name, tool] of claims) {
    owners.set(name, !owners.has(name) || owners.get(name) === tool ? tool : undefined);
  }
  return claims.filter(([name, tool]) => owners.get(name) === tool);
}

/** `Read`, `read_file` and `ReadFile` differ only in how words are put together. */
export function foldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/** The nearest names, best first; none when all are too far away [O09]. */
export function nearestNames(name: string, tools: readonly Named[]): string[] {
  const folded = foldName(name);
  return tools
    .map((tool) => ({ name: tool.name, steps: distance(folded, foldName(tool.name)) }))
    .filter(({ name: known, steps }) => steps <= Math.max(2, folded.length / 3) || known.includes(folded))
    .sort((a, b) => a.steps - b.steps || compare(a.name, b.name))
    .slice(0, NEAREST_MAX)
    .map((near) => near.name);
}

export function byName(a: Pick<Tool, 'name'>, b: Pick<Tool, 'name'>): number {
  return compare(a.name, b.name);
}

/** By code unit: the same order whatever the locale. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
