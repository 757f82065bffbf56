// Taking in a session that was exported, by whoever: every entry is checked, and nothing in it counts as said or allowed here.
import { isJsonObject, isTooDeep } from '../../common/json';
import { MAIN_AGENT, type AgentEvent, type EventType } from '../../common/events';

import type { Host } from '../host';
import { asEvent } from '../session/load';
import { copied, writeCopy } from './copy';
import { EXPORT_FORMAT, EXPORT_VERSION, isThought } from './export';
import type { NewSession, Refusal } from './types';

const IMPORT_MAX_BYTES = 256 * 1024 * 1024;
const MEBIBYTE = 1024 * 1024;

type ImportParts = Pick<Host, 'store' | 'ids' | 'clock' | 'roots'>;

/** See `Library.import`. Rejects with a readable Error when the store cannot take it. */
export async function importSession(parts: ImportParts, bytes: Uint8Array): Promise<NewSession> {
  const read = readExport(bytes);
  if ('ok' in read) return read;
  const id = parts.ids.next('session');
  const started: AgentEvent = {
    ...{ type: 'session/started', roots: parts.roots().map(({ path }) => path), mode: 'ask', imported: true },
    ...{ seq: 0, time: read[0]?.time ?? parts.clock.now(), session: id, turn: 'none', agent: MAIN_AGENT },
  };
  const events = read.flatMap((event) => taken(event) ?? []);
  const end = { type: 'notice', level: 'info', text: IMPORTED } as const;
  await writeCopy(parts, { id, events: [started, ...events], closing: end });
  return { ok: true, id };
}

const IMPORTED = 'This session was imported. Nothing in it was run or allowed on this machine.';

function readExport(bytes: Uint8Array): readonly AgentEvent[] | Refusal {
  if (bytes.length > IMPORT_MAX_BYTES) {
    return refuse(`The file is larger than ${IMPORT_MAX_BYTES / MEBIBYTE} MB. Export the session without images.`);
  }
  const value = parse(bytes);
  if (!isJsonObject(value) || value['format'] !== EXPORT_FORMAT) {
    return refuse('The file is no session that Lathe exported. Choose one that was exported as JSON.');
  }
  if (value['version'] !== EXPORT_VERSION) {
    return refuse('The session was exported by another version of Lathe. Update Lathe and try again.');
  }
  const entries: unknown = value['events'];
  if (!Array.isArray(entries) || entries.length === 0) return refuse('The file holds no entries of a session.');
  const events = entries.map((entry: unknown) => (isTooDeep(entry) ? undefined : asEvent(entry)));
  const bad = events.findIndex((event) => event === undefined);
  if (bad !== -1)
    return refuse(
      `Entry ${bad + 1} of the file is none that this version of Lathe knows. Update Lathe, or export the session again.`,
    );
  return events as readonly AgentEvent[];
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}

function refuse(reason: string): Refusal {
  return { ok: false, reason };
}

/** What holds on another machine, or for another account, only. */
const NOT_TAKEN: ReadonlySet<EventType> = new Set<EventType>([
  'session/started',
  'prompt/frozen',
  'ask/opened',
  'ask/closed',
]);

function taken(event: AgentEvent): AgentEvent | undefined {
  if (NOT_TAKEN.has(event.type)) return undefined;
  // Signed for whoever asked: another account's endpoint would refuse it.
  if (event.type === 'block/finished' && isThought(event.content)) return undefined;
  if (event.type === 'notice') {
    const { action: _, ...told } = event;
    return told;
  }
  if (event.type === 'tool/finished' || event.type === 'tool/ended') {
    // What is drawn is drawn as text: nobody has checked the rest.
    const { display: _, ...kept } = event;
    return kept;
  }
  return copied(event);
}
