// All stored sessions: found, named, copied, handed out and taken in.
import type { EventBody } from '../../common/events';
import type { Host } from '../host';
import { sessionFile } from '../session/journal';
import { exportSession } from './export';
import { forkSession } from './fork';
import { importSession } from './import';
import { removeStored } from './remove';
import type { SessionIndex } from './sessionIndex';
import { searchSessions } from './search';
import { titleLine } from './summary';
import type { Library, OpenedSession, Outcome, Refusal } from './types';
import { appendEvent, whileLocked } from './writing';

export interface LibraryParts {
  readonly host: Pick<Host, 'store' | 'ids' | 'clock' | 'log' | 'roots' | 'platform'>;
  /** The window's, shared with its sessions. */
  readonly index: SessionIndex;
  /** A session that this window has open. */
  readonly opened: (id: string) => OpenedSession | undefined;
}

export function createLibrary(parts: LibraryParts): Library {
  const { host, index, opened } = parts;

  async function tell(id: string, body: EventBody): Promise<Outcome> {
    const missing = await refuseMissing(host, id);
    if (missing) return missing;
    const told = await whileLocked(host, id, async () => {
      await appendEvent(host, id, body);
      return { ok: true } as const;
    });
    await index.note(id);
    return told;
  }

  return {
    list: () => index.list(),
    async *search(query, signal) {
      const { store, clock } = host;
      yield* searchSessions({ store, sessions: await index.list(), nowMs: clock.now() }, query, signal);
    },
    async rename(id, title) {
      const line = titleLine(title);
      if (line === '') return { ok: false, reason: 'A title needs at least one character that can be seen.' };
      const session = opened(id);
      if (!session) return tell(id, { type: 'session/titled', title: line, by: 'person' });
      return session.rename(line, 'person') ? { ok: true } : refuseReadOnly(session);
    },
    async archive(id, archived) {
      const session = opened(id);
      if (!session) return tell(id, { type: 'session/archived', archived });
      return session.archive(archived) ? { ok: true } : refuseReadOnly(session);
    },
    async remove(id) {
      if (opened(id)) return { ok: false, reason: 'The session is open in this window. Open another one first.' };
      return (await refuseMissing(host, id)) ?? whileLocked(host, id, () => removeStored(host.store, id));
    },
    async fork(id, turn) {
      await opened(id)?.flush();
      return (await refuseMissing(host, id)) ?? forkSession(host, id, turn);
    },
    async export(id, options) {
      await opened(id)?.flush();
      const session = await index.get(id);
      return session ? { ok: true, text: exportSession(host, session, options) } : MISSING;
    },
    import: (bytes) => importSession(host, bytes),
  };
}

const MISSING: Refusal = {
  ok: false,
  reason: 'There is no such session any more. It may have been deleted in another window.',
};

async function refuseMissing({ store }: Pick<Host, 'store'>, id: string): Promise<Refusal | undefined> {
  if (/^[\w-]+$/.test(id) && (await store.size(sessionFile(id))) !== undefined) return undefined;
  return MISSING;
}

function refuseReadOnly({ readOnlyBecause }: OpenedSession): Refusal {
  return { ok: false, reason: readOnlyBecause ?? 'The session cannot be changed now.' };
}
