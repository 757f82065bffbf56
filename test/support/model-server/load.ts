// Reads a scenario from JSON, and says exactly what is wrong with one that is not.
import type { Reply, Scenario } from './scenario';
import { isRecord, unknownKey } from './shapes';

type Kind = 'string' | 'number' | 'array' | 'object' | 'pattern' | 'times' | 'any';
type Fields = Readonly<Record<string, Kind>>;

const SCENARIO: Fields = { replies: 'array', placeholders: 'object', models: 'array', countedTokens: 'number' };
const REPLY: Fields = {
  ...{ when: 'object', times: 'times', blocks: 'array', stopReason: 'string', stopSequence: 'string' },
  ...{ stopDetails: 'object', usage: 'object', id: 'string', model: 'string', fault: 'object' },
  ...{ delayMsPerEvent: 'number', bytesPerWrite: 'number' },
};
const WHEN: Fields = { lastToolResult: 'pattern', lastUserText: 'pattern', system: 'pattern', model: 'pattern' };
const CUT: Fields = { afterEvents: 'number', afterBytes: 'number' };

/** Fields by the value of the tag; a name that ends in `!` must be there. */
const BLOCKS: Readonly<Record<string, Fields>> = {
  text: { 'text!': 'string', deltas: 'array' },
  thinking: { 'thinking!': 'string', signature: 'string', deltas: 'array' },
  redacted_thinking: { 'data!': 'string' },
  tool_use: { 'name!': 'string', input: 'object', json: 'string', id: 'string', deltas: 'array' },
  event: { 'name!': 'string', 'data!': 'any' },
};
const FAULTS: Readonly<Record<string, Fields>> = {
  status: { 'status!': 'number', errorType: 'string', message: 'string', headers: 'object' },
  html: { 'status!': 'number', 'html!': 'string' },
  error: { 'afterEvents!': 'number', 'errorType!': 'string', 'message!': 'string' },
  garbage: { 'afterEvents!': 'number', 'data!': 'string' },
  drop: CUT,
  end: CUT,
  stall: CUT,
  silence: {},
  hangUp: {},
};

/**
 * Parses the JSON of a scenario: an object with `replies`, or the list of replies alone.
 *
 * @throws Error that names the place and what may stand there.
 */
export function parseScenario(json: string): Scenario {
  const parsed = JSON.parse(json) as unknown;
  const scenario = Array.isArray(parsed) ? { replies: parsed as unknown[] } : parsed;
  checkFields(scenario, SCENARIO, 'scenario');
  const { replies } = scenario as { replies?: unknown[] };
  if (!replies) throw new Error('scenario.replies is missing: it is the list of what the model says.');
  for (const [at, reply] of replies.entries()) checkReply(reply, `replies[${String(at)}]`);
  return scenario as Scenario;
}

function checkReply(reply: unknown, path: string): asserts reply is Reply {
  checkFields(reply, REPLY, path);
  const { when, blocks, fault } = reply as { when?: unknown; blocks?: unknown[]; fault?: unknown };
  if (when !== undefined) checkFields(when, WHEN, `${path}.when`);
  for (const [at, block] of (blocks ?? []).entries())
    checkTagged(block, 'type', BLOCKS, `${path}.blocks[${String(at)}]`);
  if (fault !== undefined) checkTagged(fault, 'kind', FAULTS, `${path}.fault`);
  if (!blocks && fault === undefined) throw new Error(`${path} says nothing: give it blocks or a fault.`);
}

function checkTagged(value: unknown, tag: string, table: Readonly<Record<string, Fields>>, path: string): void {
  const name = isRecord(value) ? value[tag] : undefined;
  const fields = typeof name === 'string' ? table[name] : undefined;
  if (!fields) throw new Error(`${path}.${tag} must be one of ${Object.keys(table).join(', ')}.`);
  checkFields(value, { [`${tag}!`]: 'string', ...fields }, path);
}

function checkFields(value: unknown, fields: Fields, path: string): void {
  if (!isRecord(value)) throw new Error(`${path} must be an object.`);
  const names = Object.keys(fields).map((field) => field.replace('!', ''));
  const extra = unknownKey(value, names);
  if (extra !== undefined) throw new Error(`${path}.${extra} is unknown; known are ${names.join(', ')}.`);
  for (const [field, kind] of Object.entries(fields)) {
    const name = field.replace('!', '');
    if (value[name] === undefined && field === name) continue;
    if (!isOfKind(value[name], kind)) throw new Error(`${path}.${name} must be ${KIND_NAMES[kind]}.`);
  }
}

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  string: 'a string',
  number: 'a number',
  array: 'a list',
  object: 'an object',
  pattern: 'a string, or {"pattern": …, "flags": …}',
  times: 'a number, or "always"',
  any: 'given',
};

function isOfKind(value: unknown, kind: Kind): boolean {
  switch (kind) {
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isRecord(value);
    case 'pattern':
      return typeof value === 'string' || (isRecord(value) && typeof value.pattern === 'string');
    case 'times':
      return typeof value === 'number' || value === 'always';
    case 'any':
      return value !== undefined;
    default:
      return typeof value === kind;
  }
}
