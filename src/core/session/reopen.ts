// The record of a session: a new one, or the stored one with what is to be said about it: what did not survive, what could not be read.
import type { Mode } from '../../common/modes';
import { aboutRun, lostRunText } from '../tool/background';
import { loadSession } from './load';
import { SessionRecord } from './record';
import type { SessionOptions } from './types';

/** Rejects only for bugs and for a store that cannot be read. */
export async function openRecord({ host, resume }: SessionOptions, mode: Mode): Promise<SessionRecord> {
  const record = new SessionRecord(resume ?? host.ids.next('session'), host);
  const stored = resume === undefined ? undefined : await loadSession(host.store, resume);
  if (stored && stored.events.length > 0) {
    const unreadable = stored.badLines + record.replay(stored.events);
    record.journal.release();
    closeInterruptedTurn(record);
    closeLostRuns(record);
    reportUnreadable(record, unreadable);
    if (record.known.mode !== mode) record.emit({ type: 'mode/changed', mode });
  } else {
    record.emit({ type: 'session/started', roots: host.roots().map(({ path }) => path), mode });
    if (resume !== undefined) reportMissing(record);
  }
  return record;
}

/** A turn that the process did not survive: it ends now, and nothing of it is run again. */
function closeInterruptedTurn(record: SessionRecord): void {
  const { isTurnOpen, turnUsage: usage } = record.known;
  if (isTurnOpen) record.emit({ type: 'turn/finished', end: 'stopped', usage, durationMs: 0 });
}

/** Runs in the background end with the process; the model was told that they go on. */
function closeLostRuns(record: SessionRecord): void {
  for (const call of record.known.backgroundRuns) {
    record.emit({ type: 'note/appended', about: aboutRun(call), text: lostRunText(call) });
    record.emit({ type: 'tool/ended', call, status: 'stopped', wholeChars: 0, durationMs: 0 });
  }
}

function reportUnreadable(record: SessionRecord, count: number): void {
  if (count === 0) return;
  const text = `${count} ${count === 1 ? 'entry' : 'entries'} of this session’s file could not be read and ${count === 1 ? 'is' : 'are'} left out.`;
  record.emit({ type: 'notice', level: 'warning', text });
}

function reportMissing(record: SessionRecord): void {
  const text = 'The earlier conversation is not stored on this machine, so this session starts empty.';
  record.emit({ type: 'notice', level: 'info', text });
}
