// Shortens what a search has found: the first and the last matches, and how many there are of each file between them.
import { countNewlines } from './excerpt';
import type { ResultLimits } from './limits';
import { cutHead, marker } from './shorten';
import type { Items } from './types';

/** Of the room beside the marker; the counts get what is left. */
const HEAD_SHARE = 0.6;
const TAIL_SHARE = 0.15;

/**
 * The whole text where it has at most `maxChars` and no more items than are shown at first, else a digest of at most
 * `digestChars`, cut between items. Pure; shortening a digest again changes nothing.
 */
export function shortenMatches(text: string, { list, first }: Items, limits: ResultLimits, call: string): string {
  const firstItems = first ?? list.length;
  if (text.length <= limits.maxChars && list.length <= firstItems) return text;
  const roomChars = Math.max(0, limits.digestChars - marker(text.length, countNewlines(text), call).length - 3);
  const headRoom = Math.floor(roomChars * HEAD_SHARE);
  const tailRoom = Math.floor(roomChars * TAIL_SHARE);

  const headItems = Math.min(
    firstItems,
    countWhere(list, ({ end }) => end <= headRoom),
  );
  const head = headItems > 0 ? text.slice(0, list[headItems - 1]?.end) : cutHead(text, headRoom);
  const tailAt = tailStart(text, list, Math.max(headItems, 1), tailRoom);
  const tail = tailAt === undefined ? '' : tailFrom(text, list, tailAt);
  const missing = text.slice(head.length, tailAt === undefined ? text.length : list[tailAt - 1]?.end);
  if (missing === '') return text;
  const counts = countLines(list.slice(headItems, tailAt), roomChars - headRoom - tailRoom);
  const between = head.endsWith('\n') ? '' : '\n';
  return `${head}${between}${counts}${marker(missing.length, countNewlines(missing), call)}\n${tail}`;
}

/** The first item of the longest tail that fits; undefined when none does. */
function tailStart(text: string, list: Items['list'], from: number, maxChars: number): number | undefined {
  let at = list.length;
  while (at > from && tailFrom(text, list, at - 1).length <= maxChars) at--;
  return at === list.length ? undefined : at;
}

/** An item that is not the first of its group does not say what it belongs to. */
function tailFrom(text: string, list: Items['list'], at: number): string {
  const before = list[at - 1];
  const group = list[at]?.group;
  return `${before && before.group === group ? `${group}\n` : ''}${text.slice(before?.end ?? 0)}`;
}

function countLines(left: Items['list'], maxChars: number): string {
  const counts = new Map<string, number>();
  for (const { group } of left) counts.set(group, (counts.get(group) ?? 0) + 1);
  const rest = (groups: number, items: number): string => `and ${items} more in ${groups} other files\n`;
  let roomChars = maxChars - rest(counts.size, left.length).length;
  let shown = 0;
  let shownItems = 0;
  const lines: string[] = [];
  for (const [group, count] of counts) {
    const line = `${group}: ${count} more\n`;
    roomChars -= line.length;
    if (roomChars < 0) break;
    lines.push(line);
    shown++;
    shownItems += count;
  }
  const others = counts.size - shown;
  return lines.join('') + (others > 0 ? rest(others, left.length - shownItems) : '');
}

function countWhere<T>(sorted: readonly T[], holds: (item: T) => boolean): number {
  const end = sorted.findIndex((item) => !holds(item));
  return end === -1 ? sorted.length : end;
}
