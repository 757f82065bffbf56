// Where the lines of a diff stand: numbers on both sides, and which part of a changed line is new.
import type { DiffLine, FileDiff, Hunk } from '../../src/common/display';

export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface DiffRow {
  readonly sign: DiffLine['sign'];
  /** 1-based; absent on the side where the line is not. */
  readonly oldLine?: number;
  readonly newLine?: number;
  readonly text: string;
  /** The part that differs from the line it replaces; absent when it is all new. */
  readonly changed?: Span;
}

/** Beyond this share of a line, marking what changed says less than the line itself. */
const MAX_CHANGED_SHARE = 0.6;

export function layoutHunk({ oldStart, newStart, lines }: Hunk): DiffRow[] {
  let oldLine = oldStart;
  let newLine = newStart;
  const changed = changedSpans(lines);
  return lines.map(({ sign, text }, index): DiffRow => {
    const span = changed.get(index);
    const row = { sign, text, ...(span && { changed: span }) };
    if (sign === '+') return { ...row, newLine: newLine++ };
    if (sign === '-') return { ...row, oldLine: oldLine++ };
    return { ...row, oldLine: oldLine++, newLine: newLine++ };
  });
}

export function countRows(file: FileDiff): number {
  return file.hunks.reduce((sum, { lines }) => sum + lines.length, 0);
}

/** Removed lines are paired with the added ones right after them, first with first. */
function changedSpans(lines: readonly DiffLine[]): Map<number, Span> {
  const spans = new Map<number, Span>();
  for (let at = 0; at < lines.length;) {
    const removed = runLength(lines, at, '-');
    const added = runLength(lines, at + removed, '+');
    for (let pair = 0; pair < Math.min(removed, added); pair++) {
      const before = lines[at + pair]?.text ?? '';
      const after = lines[at + removed + pair]?.text ?? '';
      const [old, fresh] = changedParts(before, after);
      if (!isTelling(old, before) || !isTelling(fresh, after)) continue;
      if (old.end > old.start) spans.set(at + pair, old);
      if (fresh.end > fresh.start) spans.set(at + removed + pair, fresh);
    }
    at += Math.max(1, removed + added);
  }
  return spans;
}

function runLength(lines: readonly DiffLine[], from: number, sign: DiffLine['sign']): number {
  let at = from;
  while (lines[at]?.sign === sign) at++;
  return at - from;
}

function isTelling({ start, end }: Span, text: string): boolean {
  return end - start <= text.length * MAX_CHANGED_SHARE;
}

/** What is left of both when their common beginning and end are taken away. */
export function changedParts(before: string, after: string): readonly [Span, Span] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail++;
  // Never between the halves of a surrogate pair.
  if (start > 0 && isHighSurrogate(before, start - 1)) start--;
  if (tail > 0 && isHighSurrogate(before, before.length - tail - 1)) tail--;
  return [
    { start, end: before.length - tail },
    { start, end: after.length - tail },
  ];
}

function isHighSurrogate(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0xd800 && code <= 0xdbff;
}
