// What a stored session is told and tells when it is opened again: what did not survive, and what could not be read.
import { aboutRun } from '../tool/background';
import type { SessionRecord } from './record';

/** A turn that the process did not survive: it ends now, and nothing of it is run again. */
export function closeInterruptedTurn(record: SessionRecord): void {
  const { isTurnOpen, turnUsage: usage } = record.known;
  if (isTurnOpen) record.emit({ type: 'turn/finished', end: 'stopped', usage, durationMs: 0 });
}

/** Runs in the background end with the process; the model was told that they go on. */
export function closeLostRuns(record: SessionRecord): void {
  for (const call of record.known.backgroundRuns) {
    const text = `The background run ${call} ended with Lathe itself. What it had put out is stored: read it with output.`;
    record.emit({ type: 'note/appended', about: aboutRun(call), text });
  }
}

export function reportUnreadable(record: SessionRecord, count: number): void {
  if (count === 0) return;
  const text = `${count} ${count === 1 ? 'entry' : 'entries'} of this session’s file could not be read and ${count === 1 ? 'is' : 'are'} left out.`;
  record.emit({ type: 'notice', level: 'warning', text });
}

export function reportMissing(record: SessionRecord): void {
  const text = 'The earlier conversation is not stored on this machine, so this session starts empty.';
  record.emit({ type: 'notice', level: 'info', text });
}
