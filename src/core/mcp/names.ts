// Names for the tools of MCP servers: legal for the provider, unique, and the same at every start.
import { createHash } from 'node:crypto';

/** The provider's limit. Source: names of tools in the Messages API [O34]. */
export const NAME_MAX_CHARS = 64;

const KEY_MAX_CHARS = 24;
const HASH_CHARS = 6;

/**
 * The `server` part by server name. No key holds `__` or begins or ends with `_`, so the first `__` after `mcp__` always
 * ends it: tools of two servers never share a name, and a permission rule for one server covers no other.
 */
export function serverKeys(names: readonly string[]): ReadonlyMap<string, string> {
  return uniqueNames(names, (name) => legal(name).replace(/_+/g, '_').replace(/^_|_$/g, '') || 'server', KEY_MAX_CHARS);
}

/** `mcp__server__tool` by the tool's own name. `names` are unique. */
export function toolNames(key: string, names: readonly string[]): ReadonlyMap<string, string> {
  const prefix = `mcp__${key}__`;
  const parts = uniqueNames(names, (name) => legal(name) || 'tool', NAME_MAX_CHARS - prefix.length);
  return new Map([...parts].map(([name, part]) => [name, prefix + part]));
}

/** What needed no change keeps its name; what was changed and is no longer the only one, or is too long, gets a hash of the original. */
function uniqueNames(
  names: readonly string[],
  legalize: (name: string) => string,
  maxChars: number,
): ReadonlyMap<string, string> {
  const claims = new Map<string, number>();
  for (const name of names) claims.set(legalize(name), (claims.get(legalize(name)) ?? 0) + 1);
  const taken = new Set(names.filter((name) => legalize(name) === name && name.length <= maxChars));
  const unique = new Map<string, string>();
  for (const name of [...names].sort()) {
    const wanted = legalize(name);
    const isPlain = taken.has(name) || (claims.get(wanted) === 1 && wanted.length <= maxChars);
    const chosen = isPlain ? wanted : hashed(name, wanted, maxChars, taken);
    taken.add(chosen);
    unique.set(name, chosen);
  }
  return unique;
}

/** Hashed again until it is free, should somebody have chosen names that look like ours. */
function hashed(name: string, wanted: string, maxChars: number, taken: ReadonlySet<string>): string {
  for (let round = 0; ; round++) {
    const hash = createHash('sha256').update(`${name}\0${round}`).digest('hex').slice(0, HASH_CHARS);
    const candidate = `${wanted.slice(0, maxChars - HASH_CHARS - 1)}_${hash}`;
    if (!taken.has(candidate)) return candidate;
  }
}

function legal(name: string): string {
  return name.replace(/[^A-Za-z0-9_-]/g, '_');
}
