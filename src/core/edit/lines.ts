// A text as lines with their own line endings, beside the same text with `\n` only, and the way back from one to the other.
import { diffArrays } from 'diff';
import type { Splice } from '../host';

export type Eol = '' | '\n' | '\r\n';

/** Matching works on `lf`; splices count in `raw`. A lone `\r` is a character like any other. */
export interface TextView {
  readonly raw: string;
  /** Without a byte-order mark. */
  readonly lf: string;
  /** Where each line starts in `raw`, and in `lf`. */
  readonly starts: readonly number[];
  readonly lfStarts: readonly number[];
}

export function viewText(raw: string): TextView {
  const first = raw.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const starts = [first];
  for (let at = raw.indexOf('\n', first); at !== -1; at = raw.indexOf('\n', at + 1)) starts.push(at + 1);
  const hasReturns = raw.includes('\r\n');
  if (first === 0 && !hasReturns) return { raw, lf: raw, starts, lfStarts: starts };
  let skipped = first;
  const lfStarts = starts.map((start, index) => {
    if (index > 0 && raw[start - 2] === '\r' && start - 2 >= (starts[index - 1] ?? 0)) skipped++;
    return start - skipped;
  });
  return { raw, lf: toLf(stripMark(raw)), starts, lfStarts };
}

const BYTE_ORDER_MARK = '\ufeff';

export function stripMark(text: string): string {
  return text.startsWith(BYTE_ORDER_MARK) ? text.slice(1) : text;
}

export function toLf(text: string): string {
  return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
}

/** What comes after the last line break counts as a line too. */
export function lineCount({ starts }: TextView): number {
  return starts.length;
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

/** Without its line ending. */
export function lineText({ lf, lfStarts }: TextView, index: number): string {
  const start = lfStarts[index];
  if (start === undefined) return '';
  const next = lfStarts[index + 1];
  return lf.slice(start, next === undefined ? lf.length : next - 1);
}

/** Empty for the last line only. */
export function lineEol({ raw, starts }: TextView, index: number): Eol {
  const [start, next] = [starts[index], starts[index + 1]];
  if (start === undefined || next === undefined) return '';
  return next - 2 >= start && raw[next - 2] === '\r' ? '\r\n' : '\n';
}

function rawOffset({ starts, lfStarts }: TextView, lfOffset: number, index: number): number {
  return (starts[index] ?? 0) + lfOffset - (lfStarts[index] ?? 0);
}

/** Texts that differ in more lines are replaced as a whole: comparing costs the square of it. */
export const MAX_CHANGED_LINES = 2000;

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
  const parts = diffArrays(before, splitLines(text), { maxEditLength: MAX_CHANGED_LINES }) ?? [
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
  const last = end === start ? first : lineAt(view, end);
  const [rawStart, rawEnd] = [rawOffset(view, start, first), rawOffset(view, end, last)];
  if (!text.includes('\n')) return { start: rawStart, end: rawEnd, text };
  const neighbour = lineEol(view, first) || lineEol(view, first - 1) || '\n';
  let count = 0;
  const withEols = text.replace(/\n/g, () => {
    const index = first + count++;
    const isReplaced = (view.lfStarts[index + 1] ?? Infinity) <= end;
    return (isReplaced && lineEol(view, index)) || neighbour;
  });
  return { start: rawStart, end: rawEnd, text: withEols };
}

/** Leaves out what is equal at both ends, never half of a surrogate pair. */
function trimCommon(lf: string, { start, end, text }: Hunk): Hunk {
  const old = lf.slice(start, end);
  let head = commonHead(old, text);
  if (head > 0 && isHighSurrogate(text[head - 1])) head--;
  let tail = commonTail(old, text, Math.min(old.length, text.length) - head);
  if (tail > 0 && isLowSurrogate(text[text.length - tail])) tail--;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

/** Texts are compared in pieces of that many characters first, which is much faster than one by one. */
const PIECE_CHARS = 4096;

/** How many characters are equal at the start. */
export function commonHead(a: string, b: string): number {
  const limit = Math.min(a.length, b.length);
  let at = 0;
  while (at + PIECE_CHARS <= limit && a.slice(at, at + PIECE_CHARS) === b.slice(at, at + PIECE_CHARS))
    at += PIECE_CHARS;
  while (at < limit && a.charCodeAt(at) === b.charCodeAt(at)) at++;
  return at;
}

/** How many of the last `limit` characters are equal at the end. */
export function commonTail(a: string, b: string, limit: number): number {
  let tail = 0;
  const piece = (text: string) => text.slice(text.length - tail - PIECE_CHARS, text.length - tail);
  while (tail + PIECE_CHARS <= limit && piece(a) === piece(b)) tail += PIECE_CHARS;
  while (tail < limit && a.charCodeAt(a.length - 1 - tail) === b.charCodeAt(b.length - 1 - tail)) tail++;
  return tail;
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
  parts.push(text.slice(at));
  return parts.join('');
}
