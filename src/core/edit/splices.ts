// Changes of a text as small as they can be, taken back, and laid over a text that has moved on.
import type { Splice } from '../host';
import { commonHead, commonTail } from './lines';

/** The same change without the text that stays at its two ends, so that cursors, folds and breakpoints there do too. */
export function smallest({ start, end, text }: Splice, before: string): Splice {
  const old = before.slice(start, end);
  // Positions inside a line ending or a surrogate pair are not positions of a document.
  const isCut = (fromEnd: number) => splitsPair(old, old.length - fromEnd) || splitsPair(text, text.length - fromEnd);
  let head = commonHead(old, text);
  while (head > 0 && (splitsPair(old, head) || splitsPair(text, head))) head--;
  let tail = commonTail(old, text, Math.min(old.length, text.length) - head);
  while (tail > 0 && isCut(tail)) tail--;
  return { start: start + head, end: end - tail, text: text.slice(head, text.length - tail) };
}

function splitsPair(text: string, at: number): boolean {
  const last = text.charCodeAt(at - 1);
  return (last >= 0xd800 && last <= 0xdbff) || (last === 0x0d && (at >= text.length || text[at] === '\n'));
}

export type LineEnding = '\n' | '\r\n' | '\r';

export function lineEndings(text: string): Set<LineEnding> {
  const found = new Set<LineEnding>();
  if (/(^|[^\r])\n/.test(text)) found.add('\n');
  if (text.includes('\r\n')) found.add('\r\n');
  if (/\r(?!\n)/.test(text)) found.add('\r');
  return found;
}

/** What makes `to` of `from`. */
export function difference(from: string, to: string): Splice {
  return smallest({ start: 0, end: from.length, text: to }, from);
}

/**
 * A splice of `text` as one of `now`, which somebody has changed in one place since; undefined where both are about the same
 * place.
 */
export function rebased(splice: Splice, text: string, now: string): Splice | undefined {
  if (now === text) return splice;
  const typed = difference(text, now);
  if (typed.start >= splice.end) return typed.start === splice.end && splice.start === splice.end ? undefined : splice;
  if (typed.end > splice.start) return undefined;
  const moved = now.length - text.length;
  return { start: splice.start + moved, end: splice.end + moved, text: splice.text };
}
