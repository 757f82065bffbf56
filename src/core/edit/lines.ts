// A text as lines with their own line endings, beside the same text with `\n` only, and the way back from one to the other.
import { diffArrays } from 'diff';
import type { Splice } from '../host';

export type Eol = '' | '\n' | '\r\n';

export interface Line {
  /** Offsets in the text as it is; `end` is before the line ending. */
  readonly start: number;
  readonly end: number;
  /** Empty for the last line only. */
  readonly eol: Eol;
}

/** Matching works on `lf`; splices count in `raw`. A lone `\r` is a character like any other. */
export interface TextView {
  readonly raw: string;
  readonly lf: string;
  readonly lines: readonly Line[];
  /** Where each line starts in `lf`. */
  readonly lfStarts: readonly number[];
}

export function viewText(raw: string): TextView {
  const lines: Line[] = [];
  const lfStarts: number[] = [];
  let start = 0;
  let returns = 0;
  for (let at = raw.indexOf('\n'); at !== -1; at = raw.indexOf('\n', start)) {
    const hasReturn = at > start && raw[at - 1] === '\r';
    lines.push({ start, end: hasReturn ? at - 1 : at, eol: hasReturn ? '\r\n' : '\n' });
    lfStarts.push(start - returns);
    if (hasReturn) returns++;
    start = at + 1;
  }
  lines.push({ start, end: raw.length, eol: '' });
  lfStarts.push(start - returns);
  return { raw, lf: returns === 0 ? raw : toLf(raw), lines, lfStarts };
}

export function toLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

/** Index of the line that holds an offset of `lf`. */
export function lineAt({ lfStarts }: TextView, lfOffset: number): number {
  let low = 0;
  let high = lfStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lfStarts[middle] ?? 0) <= lfOffset) low = middle;
    else high = middle - 1;
  }
  return low;
}

export function lineText({ raw, lines }: TextView, index: number): string {
  const line = lines[index];
  return line ? raw.slice(line.start, line.end) : '';
}

function rawOffset(view: TextView, lfOffset: number): number {
  const index = lineAt(view, lfOffset);
  return (view.lines[index]?.start ?? 0) + lfOffset - (view.lfStarts[index] ?? 0);
}

/** A line diff of one replacement may take this long before the whole range counts as changed. */
const DIFF_TIMEOUT_MS = 250;

/**
 * The fewest splices that turn [start, end) of `lf` into `text`: lines that stay are not touched, so they keep their own
 * line endings; a new line takes the ending of the line it replaces or stands next to.
 */
export function spliceRange(view: TextView, start: number, end: number, text: string): Splice[] {
  const old = view.lf.slice(start, end);
  // Within a line there is nothing to compare, and there may be millions of places.
  if (!old.includes('\n') && !text.includes('\n')) {
    const splice = toSplice(view, { start, end, text });
    return splice ? [splice] : [];
  }
  const before = splitLines(old);
  const parts = diffArrays(before, splitLines(text), { timeout: DIFF_TIMEOUT_MS }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: [text] },
  ];
  const splices: Splice[] = [];
  let at = start;
  let hunk = { start, end: start, text: '' };
  const close = () => {
    const splice = toSplice(view, hunk);
    if (splice) splices.push(splice);
  };
  for (const { added, removed, value } of parts) {
    const piece = value.join('');
    if (added) hunk.text += piece;
    else at += piece.length;
    if (removed) hunk.end = at;
    if (added || removed) continue;
    close();
    hunk = { start: at, end: at, text: '' };
  }
  close();
  return splices;
}

interface Hunk {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

function toSplice(view: TextView, hunk: Hunk): Splice | undefined {
  const { start, end, text } = trimCommon(view.lf, hunk);
  if (start === end && text === '') return undefined;
  const first = lineAt(view, start);
  const neighbour = view.lines[first]?.eol || view.lines[first - 1]?.eol || '\n';
  let count = 0;
  const withEols = text.replace(/\n/g, () => {
    const index = first + count++;
    const isReplaced = (view.lfStarts[index + 1] ?? Infinity) <= end;
    return (isReplaced && view.lines[index]?.eol) || neighbour;
  });
  return { start: rawOffset(view, start), end: rawOffset(view, end), text: withEols };
}

/** Leaves out what is equal at both ends, never half of a surrogate pair. */
function trimCommon(lf: string, { start, end, text }: Hunk): Hunk {
  const limit = Math.min(end - start, text.length);
  let head = 0;
  while (head < limit && lf[start + head] === text[head]) head++;
  if (head > 0 && isHighSurrogate(text[head - 1])) head--;
  let tail = 0;
  while (tail < limit - head && lf[end - 1 - tail] === text[text.length - 1 - tail]) tail++;
  if (tail > 0 && isLowSurrogate(text[text.length - tail])) tail--;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

function isHighSurrogate(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\ud800' && unit <= '\udbff';
}

function isLowSurrogate(unit: string | undefined): boolean {
  return unit !== undefined && unit >= '\udc00' && unit <= '\udfff';
}

/** Each with its `\n`, so that joining gives the text back; none for the empty text. */
export function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Throws for splices that are not sorted, overlap, or lie outside the text: whoever planned them has a bug. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const parts: string[] = [];
  let at = 0;
  for (const { start, end, text: inserted } of splices) {
    if (start < at || end < start || end > text.length) throw new RangeError('Splices overlap or lie outside the text');
    parts.push(text.slice(at, start), inserted);
    at = end;
  }
  return parts.join('') + text.slice(at);
}
