// Adding to the file of a session that nobody has open: under its lock, and after its last whole line.
import type { AgentEvent, EventBody } from '../../common/events';
import { MAIN_AGENT } from '../../common/events';
import type { Host } from '../host';
import type { StoreLock } from '../store';
import { entryLine, sessionFile } from '../session/journal';
import { parseEntry } from '../session/load';
import { sessionLock } from '../session/ownership';
import type { Refusal } from './types';

export type WritingParts = Pick<Host, 'store' | 'ids' | 'clock'>;

const OPEN_ELSEWHERE = 'The session is open in another window. Do it there, or close the session there and try again.';

/** Runs `work` while no other window can open the session. */
export async function whileLocked<T>(
  { store }: Pick<Host, 'store'>,
  id: string,
  work: (lock: StoreLock) => Promise<T>,
): Promise<T | Refusal> {
  const lock = await store.lock(sessionLock(id));
  if (!lock) return { ok: false, reason: OPEN_ELSEWHERE };
  try {
    return await work(lock);
  } finally {
    await lock.release();
  }
}

/** Rejects with a readable Error when the store cannot take it. */
export async function appendEvent({ store, ids, clock }: WritingParts, id: string, body: EventBody): Promise<void> {
  const name = sessionFile(id);
  const { last, isTorn } = await readEnd({ store }, name);
  const event: AgentEvent = {
    ...body,
    seq: (last?.seq ?? 0) + 1,
    time: clock.now(),
    session: id,
    // What follows when the session goes on belongs to the turn that it was in.
    turn: last?.turn ?? 'none',
    agent: MAIN_AGENT,
  };
  await store.append(name, (isTorn ? '\n' : '') + entryLine(ids, event));
}

const TAIL_BYTES = 64 * 1024;

async function readEnd(
  { store }: Pick<Host, 'store'>,
  name: string,
): Promise<{ readonly last: AgentEvent | undefined; readonly isTorn: boolean }> {
  const sizeBytes = (await store.size(name)) ?? 0;
  for (let bytes = TAIL_BYTES; ; bytes *= 8) {
    const text = new TextDecoder().decode(await store.read(name, Math.max(0, sizeBytes - bytes), bytes));
    const events = text.split('\n').flatMap((line) => parseEntry(line) ?? []);
    const last = events.at(-1);
    if (last || bytes >= sizeBytes) return { last, isTorn: text !== '' && !text.endsWith('\n') };
  }
}
