// The stored sessions, newest first: just enough of each file is read to name it.
import type { AgentEvent } from '../../common/events';
import type { Store } from '../host';
import { sessionFile } from './journal';
import { parseEntry } from './load';

export interface StoredSession {
  readonly id: string;
  /** The first prompt on one line; empty when there is none. */
  readonly title: string;
  /** Epoch milliseconds. */
  readonly startedMs: number;
  readonly lastMs: number;
}

const NAME = /^sessions\/([\w-]+)\.jsonl$/;
const HEAD_BYTES = 64 * 1024;
/** A first prompt may hold a pasted log. */
const HEAD_MAX_BYTES = 1024 * 1024;
const TAIL_BYTES = 64 * 1024;
const TITLE_MAX_CHARS = 200;

/** Sessions that cannot be read are left out. Rejects only when the store itself cannot be listed. */
export async function listSessions(store: Store): Promise<readonly StoredSession[]> {
  const ids = (await store.list('sessions/')).flatMap((name) => NAME.exec(name)?.[1] ?? []);
  const sessions: StoredSession[] = [];
  for (const id of ids) {
    const session = await describeSession(store, id).catch(() => undefined);
    if (session) sessions.push(session);
  }
  return sessions.sort((a, b) => b.lastMs - a.lastMs || (a.id < b.id ? 1 : -1));
}

async function describeSession(store: Store, id: string): Promise<StoredSession | undefined> {
  const name = sessionFile(id);
  const sizeBytes = (await store.size(name)) ?? 0;
  const first = await readHead(store, name, sizeBytes);
  const start = first[0];
  if (!start) return undefined;
  const prompt = first.find((event) => event.type === 'turn/started');
  const tail = await readEvents(store, name, Math.max(0, sizeBytes - TAIL_BYTES), TAIL_BYTES);
  return {
    id,
    title: (prompt?.text ?? '').replace(/\s+/g, ' ').trim().slice(0, TITLE_MAX_CHARS),
    startedMs: start.time,
    lastMs: (tail.at(-1) ?? start).time,
  };
}

async function readHead(store: Store, name: string, sizeBytes: number): Promise<AgentEvent[]> {
  for (let bytes = HEAD_BYTES; ; bytes *= 4) {
    const events = await readEvents(store, name, 0, bytes);
    const isEnough = events.some(({ type }) => type === 'turn/started');
    if (isEnough || bytes >= Math.min(sizeBytes, HEAD_MAX_BYTES)) return events;
  }
}

async function readEvents(store: Store, name: string, offset: number, maxBytes: number): Promise<AgentEvent[]> {
  const text = new TextDecoder().decode(await store.read(name, offset, maxBytes));
  return text.split('\n').flatMap((line) => parseEntry(line) ?? []);
}
