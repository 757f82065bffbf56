// Which parts of a person's edit are theirs alone, and so go into the baseline too, and which lie in the agent's hunks.
import { trimBlanks } from '../edit/fold';
import { comesFirst, type Piece } from './compose';
import { lineChanges, type LineChange, sizeOf } from './lineChanges';
import { canFollow, type FileState, type Hunk } from './state';

/** Sorted; what turns the lines of the file into `after`. */
export function personPieces(file: FileState, after: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  const changes = lineChanges(file.lines, after);
  for (const [index, found] of changes.entries()) {
    const first = (pieces.at(-1)?.end ?? -1) + 1;
    const last = (changes[index + 1]?.start ?? file.lines.length + 1) - 1;
    const change = settled(file, after, found, first, last);
    const overlapping = touching(file.hunks, change).filter((hunk) => overlaps(hunk, change));
    const isWithin = overlapping.some(({ start, end }) => start <= change.start && change.end <= end);
    const parts = overlapping.length > 0 && !isWithin ? partsOf(file, after, change) : [change];
    for (const part of parts) pieces.push({ ...part, isCarried: isTheirs(file, after, part) });
  }
  return pieces;
}

function isTheirs(file: FileState, after: readonly string[], change: LineChange): boolean {
  const near = touching(file.hunks, change);
  if (near.some((hunk) => overlaps(hunk, change) || bringsBack(file, after, hunk, change))) return false;
  return near.length === 0 || fitsBaseline(file, near, after, change);
}

/** Touching end to end counts. */
function touching(hunks: readonly Hunk[], { start, end }: LineChange): Hunk[] {
  let [low, high] = [0, hunks.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((hunks[middle]?.end ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  const found: Hunk[] = [];
  for (let hunk = hunks[low]; hunk && hunk.start <= end; hunk = hunks[++low]) found.push(hunk);
  return found;
}

function overlaps(hunk: Hunk, change: LineChange): boolean {
  return hunk.start < change.end && change.start < hunk.end;
}

/** Lines added next to a hunk that are mostly those that it took away. */
function bringsBack(file: FileState, after: readonly string[], hunk: Hunk, change: LineChange): boolean {
  if (change.start !== change.end || hunk.baseStart === hunk.baseEnd) return false;
  const base = file.base.slice(hunk.baseStart, hunk.baseEnd);
  const fresh = after.slice(change.newStart, change.newEnd);
  if (!fresh.some((line) => base.includes(line))) return false;
  const old = file.lines.slice(hunk.start, hunk.end);
  const now = change.start === hunk.start && old.length > 0 ? [...fresh, ...old] : [...old, ...fresh];
  return sizeOf(lineChanges(base, now)) < base.length + old.length;
}

/** A line without a line break must stay the last one, in the baseline too. */
function fitsBaseline(
  { base }: FileState,
  near: readonly Hunk[],
  after: readonly string[],
  change: LineChange,
): boolean {
  if (change.newStart === change.newEnd) return true;
  const before = near.filter((hunk) => comesFirst(hunk, change)).at(-1);
  const [next] = near;
  const shift = before ? before.baseEnd - before.end : next ? next.baseStart - next.start : 0;
  const isLast = change.end + shift === base.length;
  return canFollow(base, change.start + shift) && (isLast || canFollow(after, change.newEnd));
}

/**
 * Where equal lines stand next to each other, several places explain the same edit: what was added is taken as added
 * beside a hunk rather than inside, what was removed as removed inside. It stays between the lines `first` and `last`.
 */
function settled(
  file: FileState,
  after: readonly string[],
  change: LineChange,
  first: number,
  last: number,
): LineChange {
  const { start, end, newStart, newEnd } = change;
  const isAdded = start === end;
  if (!isAdded && newStart !== newEnd) return change;
  const [lines, from, to] = isAdded ? [after, newStart, newEnd] : [file.lines, start, end];
  const isGood = (by: number) => {
    const there = { ...change, start: start + by, end: end + by };
    const near = touching(file.hunks, there);
    return isAdded
      ? !near.some((hunk) => overlaps(hunk, there))
      : near.some((hunk) => hunk.start <= there.start && there.end <= hunk.end);
  };
  if (isGood(0)) return change;
  for (let by = -1; start + by >= first && lines[from + by] === lines[to + by]; by--) {
    if (isGood(by)) return shifted(change, by);
  }
  for (let by = 1; end + by <= last && lines[from + by - 1] === lines[to + by - 1]; by++) {
    if (isGood(by)) return shifted(change, by);
  }
  return change;
}

function shifted({ start, end, newStart, newEnd }: LineChange, by: number): LineChange {
  return { start: start + by, end: end + by, newStart: newStart + by, newEnd: newEnd + by };
}

/** Line by line where lines answer to each other: those that differ in indentation only, and as many as they replace. */
function partsOf(file: FileState, after: readonly string[], change: LineChange): LineChange[] {
  const before = file.lines.slice(change.start, change.end).map(trimBlanks);
  const fresh = after.slice(change.newStart, change.newEnd).map(trimBlanks);
  const parts: LineChange[] = [];
  let [at, newAt] = [change.start, change.newStart];
  const pairTo = (end: number) => {
    for (; at < end; at++, newAt++) {
      if (file.lines[at] !== after[newAt]) parts.push({ start: at, end: at + 1, newStart: newAt, newEnd: newAt + 1 });
    }
  };
  for (const { start, end, newEnd } of lineChanges(before, fresh)) {
    pairTo(change.start + start);
    const [to, newTo] = [change.start + end, change.newStart + newEnd];
    if (to - at === newTo - newAt) pairTo(to);
    else if (newAt === newTo)
      parts.push(...cutAtHunks(file.hunks, { start: at, end: to, newStart: newAt, newEnd: newTo }));
    else parts.push({ start: at, end: to, newStart: newAt, newEnd: newTo });
    [at, newAt] = [to, newTo];
  }
  pairTo(change.end);
  return parts;
}

/** Of lines that go. */
function cutAtHunks(hunks: readonly Hunk[], removed: LineChange): LineChange[] {
  const within = (line: number) => line > removed.start && line < removed.end;
  const cuts = touching(hunks, removed)
    .flatMap(({ start, end }) => [start, end])
    .filter(within);
  const ends = [...new Set(cuts), removed.end];
  return ends.map((end, index) => ({ ...removed, start: ends[index - 1] ?? removed.start, end }));
}
