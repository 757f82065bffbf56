// Reading a session file back: good lines become events, bad ones are counted, a torn tail is closed before anything is appended.
import type { AgentEvent, EventType } from '../../common/events';
import { isJsonObject, type JsonObject } from '../../common/json';
import type { Store } from '../store';
import { ENTRY_VERSION, sessionFile } from './journal';

export interface LoadedSession {
  readonly events: readonly AgentEvent[];
  /** Lines that hold no event that can be read. */
  readonly badLines: number;
  /** A later version has written in it: nothing may be appended, since that version could not know what to make of it. */
  readonly isNewer: boolean;
}

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/** Undefined when there is no such session. Rejects with a readable Error when the store fails. */
export async function loadSession(store: Store, id: string): Promise<LoadedSession | undefined> {
  const name = sessionFile(id);
  if ((await store.size(name)) === undefined) return undefined;
  const events: AgentEvent[] = [];
  let badLines = 0;
  let isNewer = false;
  for await (const line of readLines(store, name)) {
    const whole = parseEntry(line);
    for (const text of whole ? [] : splitEntries(line)) {
      const event = parseEntry(text);
      if (event) events.push(event);
      else if (versionOf(text) > ENTRY_VERSION) isNewer = true;
      else badLines++;
    }
    if (whole) events.push(whole);
  }
  return { events, badLines, isNewer };
}

function versionOf(text: string): number {
  return Number(/^\{"v":(\d+),/.exec(text)?.[1] ?? ENTRY_VERSION);
}

/** What comes next must not be glued to half a line. */
export async function closeTornLine(store: Store, id: string): Promise<void> {
  const name = sessionFile(id);
  const sizeBytes = (await store.size(name)) ?? 0;
  if (sizeBytes === 0) return;
  const [last] = await store.read(name, sizeBytes - 1, 1);
  if (last !== NEWLINE) await store.append(name, '\n');
}

/** Across chunks; the last one may be torn. */
export async function* readLines(store: Store, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let rest: string[] = [];
  for (let offset = 0; ;) {
    const bytes = await store.read(name, offset, CHUNK_BYTES);
    if (bytes.length === 0) break;
    offset += bytes.length;
    const lines = decoder.decode(bytes, { stream: true }).split('\n');
    for (const line of lines.slice(0, -1)) {
      yield rest.join('') + line;
      rest = [];
    }
    rest.push(lines.at(-1) ?? '');
  }
  yield rest.join('') + decoder.decode();
}

/** The entries of a line that is not a single good one: a crash can leave NULs where data had not reached the disk yet, and two entries on one line. */
function splitEntries(line: string): string[] {
  const text = line.replaceAll('\0', '').trim();
  if (text === '') return [];
  return isJson(text) ? [text] : text.split(/(?=\{"v":\d+,"id":")/);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** What a line holds that can be read. */
export function parseLine(line: string): readonly AgentEvent[] {
  const whole = parseEntry(line);
  return whole ? [whole] : splitEntries(line).flatMap((text) => parseEntry(text) ?? []);
}

/** Undefined for what is no event of this version: it must never get as far as the folds. */
export function parseEntry(text: string): AgentEvent | undefined {
  let entry: unknown;
  try {
    entry = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isJsonObject(entry) || entry['v'] !== ENTRY_VERSION) return undefined;
  const { v: _, id: __, ...event } = entry;
  return asEvent(event);
}

/** Undefined for what is no event of this version. */
export function asEvent(entry: unknown): AgentEvent | undefined {
  if (!isJsonObject(entry) || !hasFields(entry, STAMP_FIELDS)) return undefined;
  const type = entry['type'];
  if (typeof type !== 'string' || !Object.hasOwn(EVENT_FIELDS, type)) return undefined;
  if (!hasFields(entry, EVENT_FIELDS[type as EventType])) return undefined;
  return entry as unknown as AgentEvent;
}

type FieldType = 'string' | 'number' | 'boolean' | 'object';
type Fields = Readonly<Record<string, FieldType>>;

const STAMP_FIELDS: Fields = { seq: 'number', time: 'number', session: 'string', turn: 'string', agent: 'string' };

/** What the folds rely on. A new event does not compile before it stands here. */
const EVENT_FIELDS: Readonly<Record<EventType, Fields>> = {
  'session/started': { roots: 'object', mode: 'string' },
  'session/titled': { title: 'string', by: 'string' },
  'session/archived': { archived: 'boolean' },
  'session/forked': { from: 'string' },
  'turn/started': { text: 'string' },
  'note/appended': { about: 'string', text: 'string' },
  'prompt/frozen': { system: 'object', tools: 'object' },
  'request/started': {},
  'text/delta': { block: 'string', text: 'string' },
  'thinking/delta': { block: 'string', text: 'string' },
  'tool/streaming': { call: 'string', tool: 'string', chars: 'number' },
  'block/finished': { block: 'string', content: 'object' },
  'message/finished': { stopReason: 'string', usage: 'object' },
  'tool/queued': { call: 'string', tool: 'string', kind: 'string', title: 'string' },
  'ask/opened': { call: 'string', ask: 'object' },
  'ask/closed': { call: 'string', answer: 'object' },
  'tool/started': { call: 'string' },
  'tool/progress': { call: 'string', display: 'object' },
  'tool/finished': { call: 'string', status: 'string', text: 'string', wholeChars: 'number', durationMs: 'number' },
  'tool/ended': { call: 'string', status: 'string', wholeChars: 'number', durationMs: 'number' },
  'tasks/changed': {},
  'results/pruned': { results: 'object' },
  'files/changed': { call: 'string', files: 'object' },
  'deeds/done': { call: 'string', deeds: 'object' },
  'files/restored': { to: 'string', files: 'object' },
  'conversation/rewound': { to: 'string' },
  'conversation/restored': {},
  'todos/changed': { todos: 'object' },
  'mode/changed': { mode: 'string' },
  notice: { level: 'string', text: 'string' },
  'retry/waiting': {},
  'turn/finished': { end: 'string', usage: 'object', durationMs: 'number' },
};

function hasFields(entry: JsonObject, fields: Fields): boolean {
  return Object.entries(fields).every(([name, type]) => typeof entry[name] === type && entry[name] !== null);
}
