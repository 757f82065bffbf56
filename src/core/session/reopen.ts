// The record of a session: a new one, or the stored one with what is to be said about it: what did not survive, what could not be read.
import type { Mode } from '../../common/modes';
import { aboutRun, lostRunText } from '../tool/background';
import type { Store } from '../store';
import { closeTornLine, loadSession } from './load';
import { Ownership } from './ownership';
import { SessionRecord } from './record';
import type { SessionOptions } from './types';

export interface OpenedRecord {
  readonly record: SessionRecord;
  readonly ownership: Ownership;
}

/** Rejects only for bugs and for a store that cannot be read. */
export async function openRecord({ host, resume }: SessionOptions, mode: Mode): Promise<OpenedRecord> {
  const record = new SessionRecord(resume ?? host.ids.next('session'), host);
  const ownership = new Ownership(record.id, host);
  if (resume !== undefined) await ownership.take();
  const stored = resume === undefined ? undefined : await loadSession(host.store, resume);
  if (stored?.isNewer) await ownership.renounce();
  if (stored && (stored.events.length > 0 || stored.isNewer)) {
    const unreadable = stored.badLines + record.replay(stored.events);
    if (ownership.refusal !== undefined) reportReadOnly(record, ownership.refusal);
    else await goOn(record, { unreadable, mode, store: host.store });
  } else {
    record.emit({ type: 'session/started', roots: host.roots().map(({ path }) => path), mode });
    if (resume !== undefined) reportMissing(record);
  }
  return { record, ownership };
}

async function goOn(
  record: SessionRecord,
  { unreadable, mode, store }: { readonly unreadable: number; readonly mode: Mode; readonly store: Store },
): Promise<void> {
  await closeTornLine(store, record.id);
  record.journal.release();
  closeInterruptedTurn(record);
  closeLostRuns(record);
  reportUnreadable(record, unreadable);
  if (record.known.mode !== mode) record.emit({ type: 'mode/changed', mode });
}

/** What is said from here on stays in memory. */
function reportReadOnly(record: SessionRecord, reason: string): void {
  const action = { title: 'New Session', command: 'lathe.newSession' };
  record.emit({ type: 'notice', level: 'warning', text: reason, action });
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
