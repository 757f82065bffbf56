// What the editor needs to know about a change of a text before it makes it.
import type { Splice } from '../core/host';

/** The same change without the text that stays at its two ends, so that cursors, folds and breakpoints there do too. */
export function smallest({ start, end, text }: Splice, before: string): Splice {
  const old = before.slice(start, end);
  const most = Math.min(old.length, text.length);
  let head = 0;
  while (head < most && old[head] === text[head]) head++;
  let tail = 0;
  while (tail < most - head && old[old.length - 1 - tail] === text[text.length - 1 - tail]) tail++;
  // Positions inside a line ending or a surrogate pair are not positions of a document.
  while (head > 0 && splitsPair(old, head)) head--;
  while (tail > 0 && splitsPair(old, old.length - tail)) tail--;
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

/** What makes `before` of `after` again. */
export function inverse(before: string, after: string): Splice {
  return smallest({ start: 0, end: after.length, text: before }, after);
}

/**
 * A splice of `text` as one of `now`, which somebody has changed in one place since; undefined where both are about the same
 * place.
 */
export function rebased(splice: Splice, text: string, now: string): Splice | undefined {
  if (now === text) return splice;
  const typed = inverse(now, text);
  if (typed.start >= splice.end) return typed.start === splice.end && splice.start === splice.end ? undefined : splice;
  if (typed.end > splice.start) return undefined;
  const moved = now.length - text.length;
  return { start: splice.start + moved, end: splice.end + moved, text: splice.text };
}
