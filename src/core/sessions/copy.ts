// A new session made of another one's events: what is taken, and what stays with the session that it came from.
import type { ChangedFile } from '../../common/changes';
import type { AgentEvent, EventBody, EventType } from '../../common/events';
import { isJsonObject, type JsonObject } from '../../common/json';
import type { Host } from '../host';
import { entryLine, sessionFile } from '../session/journal';
import type { WritingParts } from './writing';

/** What belongs to the session itself and not to its conversation: its mode, where it lies, where it came from. */
const LEFT_BEHIND: ReadonlySet<EventType> = new Set<EventType>(['mode/changed', 'session/archived', 'session/forked']);

const PIECE_CHARS = 1024 * 1024;

/** Its contents lie with the other session, so nothing can be put back from here; that it was changed still counts. */
const NOT_HERE = 'It was changed before this session was forked. Put it back from there.';

/** Undefined where it is not taken. */
export function copied(event: AgentEvent): AgentEvent | undefined {
  if (LEFT_BEHIND.has(event.type)) return undefined;
  if (event.type === 'files/changed' || event.type === 'files/restored') {
    const files: unknown = event.files;
    return { ...event, files: Array.isArray(files) ? files.filter(isJsonObject).map(withoutContents) : [] };
  }
  return event;
}

/** It may come out of a file that anybody has written in. */
function withoutContents({ before: _, after: __, ...file }: JsonObject): ChangedFile {
  return { ...(file as unknown as ChangedFile), lost: NOT_HERE };
}

export interface NewFile {
  readonly id: string;
  readonly events: readonly AgentEvent[];
  /** What is said of the new session at its end. */
  readonly closing: EventBody;
}

/** Writes them as a session of their own; one that cannot be written whole is taken back. Rejects with a readable Error. */
export async function writeCopy({ store, ids, clock }: WritingParts, { id, events, closing }: NewFile): Promise<void> {
  const last = events.at(-1);
  const stamp = {
    seq: (last?.seq ?? 0) + 1,
    time: clock.now(),
    session: id,
    turn: last?.turn ?? 'none',
    agent: 'main',
  };
  try {
    let piece = '';
    for (const event of [...events, { ...closing, ...stamp }]) {
      piece += entryLine(ids, { ...event, session: id });
      if (piece.length < PIECE_CHARS) continue;
      await store.append(sessionFile(id), piece);
      piece = '';
    }
    await store.append(sessionFile(id), piece);
  } catch (error) {
    await store.remove(sessionFile(id)).catch(() => {});
    throw error;
  }
}

/** What its calls have put out can be looked up in the new session too; what cannot be taken along is a miss there. */
export async function copyOutputs(
  { store, log }: Pick<Host, 'store' | 'log'>,
  from: string,
  to: string,
): Promise<void> {
  try {
    for (const name of await store.list(`outputs/${from}/`)) {
      await store.copy(name, name.replace(`outputs/${from}/`, `outputs/${to}/`));
    }
  } catch (error) {
    log.warn(`Not all outputs of ${from} could be taken along: ${String(error)}`);
  }
}
