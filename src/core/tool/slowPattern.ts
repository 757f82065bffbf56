// Regular expressions in schemas that could take for ever on a text: they come from MCP servers, and nothing can stop one that has begun.
import { isJsonObject, type Json, type JsonObject } from '../../common/json';

/** What stands under these is data, not schema. */
const DATA: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples']);

/** The schema without what would have to be matched with a slow pattern; the server checks that for itself. */
export function withoutSlowPatterns(schema: JsonObject): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]): [string, Json][] => {
    if (DATA.has(key)) return [[key, value]];
    if (key === 'pattern' && typeof value === 'string') return isSlow(value) ? [] : [[key, value]];
    if (key !== 'patternProperties' || !isJsonObject(value)) return [[key, inside(value)]];
    const quick = Object.entries(value).filter(([pattern]) => !isSlow(pattern));
    return [[key, inside(Object.fromEntries(quick))]];
  });
  return Object.fromEntries(entries);
}

function inside(value: Json): Json {
  if (Array.isArray(value)) return (value as readonly Json[]).map(inside);
  return isJsonObject(value) ? withoutSlowPatterns(value) : value;
}

const TOKEN = /\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(|\)|\||[*+?]\??|\{\d+(,?)(\d*)\}\??/gs;
/** A group that is repeated no more often than this has few ways to be repeated. */
const FEW_TIMES = 10;

/**
 * True when a group that is repeated holds repetitions or choices of its own, like `(a+)+` and `(a|ab)*`: the same text may
 * then be matched in many ways, and all of them are tried. That many such patterns are quick all the same cannot be told.
 */
export function isSlow(pattern: string): boolean {
  const tokens = [...pattern.matchAll(TOKEN)];
  /** For each open group: whether a part of it can be matched in several ways. */
  const open = [false];
  const mark = (isLoose: boolean): void => void (open[open.length - 1] ||= isLoose);
  for (const [at, [token]] of tokens.entries()) {
    if (token === '(') open.push(false);
    if (token === '|' || isRepetition(token)) mark(true);
    if (token !== ')' || open.length === 1) continue;
    const isLoose = open.pop() ?? false;
    const next = tokens[at + 1];
    const isNextTo = next?.index === (tokens[at]?.index ?? 0) + 1;
    if (isLoose && next && isNextTo && isOften(next)) return true;
    mark(isLoose);
  }
  return false;
}

function isRepetition(token: string): boolean {
  return /^[*+?{]/.test(token);
}

function isOften([token, comma, most]: RegExpMatchArray): boolean {
  if (/^[*+]/.test(token)) return true;
  if (!token.startsWith('{')) return false;
  const times = comma === ',' ? (most === '' ? Infinity : Number(most)) : Number(/\d+/.exec(token)?.[0]);
  return times > FEW_TIMES;
}
