// Writes a found block: three ways merged between what the model saw, what it wants and what the file has.
import type { Alignment, Segment } from './align';
import { isBlank, trimBlanks } from './fold';
import { indentOf } from './indent';
import { diffLines, type LineHunk } from './lineDiff';
import { mergeLine } from './mergeLine';
import { pairSimilarity } from './drift';
import { indentationOf, pairsOf } from './pairs';
import { moverFor, type Mover } from './rebase';
import type { Search } from './search';

const MIN_PAIR_SIMILARITY = 0.5;

/**
 * The lines that stand there afterwards: lines the model kept as the file has them, new lines in the file's form. Undefined
 * when it is not certain how they would have to stand.
 */
export function mergeBlock(search: Search, alignment: Alignment): string[] | undefined {
  const block = search.block();
  const indentation = indentationOf(pairsOf(search, alignment));
  const mover = indentation && moverFor(search, alignment, indentation);
  if (!mover) return undefined;
  const theirs = fileLinesByOld(search, alignment);
  const { old, new: fresh, head, newHead } = withoutLooseEdges(block, theirs);
  const hunks = diffLines(old, fresh);
  const kept = keptLines(hunks, head);
  const out: (string | undefined)[] = [];
  const extras = new Map(theirs.extras);
  /** Blank lines that the model left out stay, once, where the line above them stays. */
  const takeExtras = (before: number, stays: boolean) => {
    const lines = stays ? (extras.get(before) ?? []) : [];
    if (stays) extras.delete(before);
    return lines;
  };
  let [oldAt, newAt] = [head, newHead];
  for (const { kept: keptCount, removed, added } of hunks) {
    for (let count = 0; count < keptCount; count++, oldAt++) {
      out.push(...takeExtras(oldAt, kept.has(oldAt - 1)));
      out.push(...placeKept(oldAt, newAt++, { search, theirs, kept, mover }));
    }
    if (removed + added === 0) continue;
    // Between a line that stays and new ones: above them only where they bring a blank line of their own below.
    const freshLines = block.new.slice(newAt, newAt + added);
    out.push(...takeExtras(oldAt, keptCount > 0 && (removed > 0 || isBlank(freshLines.at(-1) ?? ''))));
    const gone = rangeOf(oldAt, oldAt + removed);
    const placed = placeNew(freshLines, newAt, gone, { block, theirs, mover });
    out.push(...placed.flatMap((line, at) => [...takeExtras(oldAt + at, at > 0 && removed === added), line]));
    oldAt += removed;
    newAt += added;
    out.push(...takeExtras(oldAt, added > 0 && (removed > 0 || keptCount > 0)));
  }
  return out.includes(undefined) ? undefined : (out as string[]);
}

interface Theirs {
  /** The file's line for one of the model's, where it is one for one. */
  readonly lines: ReadonlyMap<number, string>;
  /** Where lines were joined or broken. */
  readonly groups: ReadonlyMap<number, Segment>;
  /** Blank lines of the file that the model left out, by the line they stand before. */
  readonly extras: ReadonlyMap<number, readonly string[]>;
}

function fileLinesByOld({ fileLine }: Search, { segments }: Alignment): Theirs {
  const lines = new Map<number, string>();
  const groups = new Map<number, Segment>();
  const extras = new Map<number, string[]>();
  for (const segment of segments) {
    const { oldFrom, oldTo, fileFrom, fileTo, isBlank: isBlankSegment } = segment;
    const [oldCount, fileCount] = [oldTo - oldFrom, fileTo - fileFrom];
    if (!isBlankSegment && (oldCount !== 1 || fileCount !== 1)) {
      for (let old = oldFrom; old < oldTo; old++) groups.set(old, segment);
      continue;
    }
    // Of the blank lines above the block those next to it count.
    const skipped = isBlankSegment && oldFrom === 0 ? Math.max(0, oldCount - fileCount) : 0;
    for (let at = 0; at < Math.min(oldCount, fileCount); at++)
      lines.set(oldFrom + skipped + at, fileLine(fileFrom + at));
    const more = Array.from({ length: Math.max(0, fileCount - oldCount) }, (_, at) =>
      fileLine(fileFrom + oldCount + at),
    );
    if (more.length > 0) extras.set(oldTo, more);
  }
  return { lines, groups, extras };
}

interface Core {
  readonly old: readonly string[];
  readonly new: readonly string[];
  /** Lines left out before them. */
  readonly head: number;
  readonly newHead: number;
}

/** Without the blank lines at the edges of the old text that the file has not, and as many of the new one’s. */
function withoutLooseEdges({ old, new: fresh }: ReturnType<Search['block']>, { lines, groups }: Theirs): Core {
  const isLoose = (at: number) => isBlank(old[at] ?? 'x') && !lines.has(at) && !groups.has(at);
  const filled = old.flatMap((line, at) => (isBlank(line) ? [] : [at]));
  const [first = 0, last = 0] = [filled[0], filled.at(-1)];
  const head = rangeOf(0, first).filter(isLoose).length;
  const tail = rangeOf(last + 1, old.length).filter(isLoose).length;
  const newHead = Math.min(head, blanksAt(fresh));
  const newTail = Math.min(tail, blanksAt(fresh.slice(newHead).reverse()));
  return { old: old.slice(head, old.length - tail), new: fresh.slice(newHead, fresh.length - newTail), head, newHead };
}

function blanksAt(lines: readonly string[]): number {
  const filled = lines.findIndex((line) => !isBlank(line));
  return filled === -1 ? lines.length : filled;
}

/** Old lines that the new text still has. */
function keptLines(hunks: readonly LineHunk[], from: number): ReadonlySet<number> {
  const kept = new Set<number>();
  let at = from;
  for (const hunk of hunks) {
    for (const old of rangeOf(at, at + hunk.kept)) kept.add(old);
    at += hunk.kept + hunk.removed;
  }
  return kept;
}

interface KeptContext {
  readonly search: Search;
  readonly theirs: Theirs;
  readonly kept: ReadonlySet<number>;
  readonly mover: Mover;
}

function placeKept(oldAt: number, newAt: number, { search, theirs, kept, mover }: KeptContext): (string | undefined)[] {
  const block = search.block();
  const [oldLine, newLine] = [block.old[oldAt] ?? '', block.new[newAt] ?? ''];
  const group = theirs.groups.get(oldAt);
  if (group) {
    const isWhole = rangeOf(group.oldFrom, group.oldTo).every((old) => kept.has(old));
    if (!isWhole) return [mover.place(newLine, newAt)];
    return oldAt === group.oldFrom ? rangeOf(group.fileFrom, group.fileTo).map(search.fileLine) : [];
  }
  const fileLine = theirs.lines.get(oldAt);
  // A blank line that the model put at an edge, or between lines, where the file has none.
  if (fileLine === undefined) return [];
  const [before, after] = [trailingBlanks(oldLine), trailingBlanks(newLine)];
  if (isBlank(oldLine)) return [oldLine === newLine ? fileLine : newLine];
  if (!mover.isMoved(oldLine, newLine, fileLine)) return [before === after ? fileLine : fileLine.trimEnd() + after];
  const placed = mover.place(newLine, newAt);
  return [placed === undefined ? undefined : indentOf(placed) + fileLine.trim() + after];
}

function trailingBlanks(line: string): string {
  return /\s*$/.exec(line)?.[0] ?? '';
}

interface NewContext {
  readonly block: ReturnType<Search['block']>;
  readonly theirs: Theirs;
  readonly mover: Mover;
}

/** New lines; one that replaces a line which looks different in the file gets only the words that the model changed. */
function placeNew(
  fresh: readonly string[],
  newAt: number,
  removedLines: readonly number[],
  { block, theirs, mover }: NewContext,
): (string | undefined)[] {
  const isDrifted = removedLines.some((old) => {
    const fileLine = theirs.lines.get(old);
    return fileLine !== undefined && fileLine.trim() !== mover.restyle(trimBlanks(block.old[old] ?? ''));
  });
  if (!isDrifted) return fresh.map((line, at) => mover.place(line, newAt + at));
  let from = 0;
  return fresh.map((line, at) => {
    const placed = mover.place(line, newAt + at);
    if (placed === undefined || isBlank(line)) return placed;
    const replaced = removedLines.findIndex(
      (old, position) => position >= from && pairSimilarity(block.old[old] ?? '', line) >= MIN_PAIR_SIMILARITY,
    );
    const old = removedLines[replaced];
    if (old === undefined) return placed;
    from = replaced + 1;
    const fileLine = theirs.lines.get(old);
    const merged =
      fileLine === undefined
        ? undefined
        : mergeLine(mover.restyle(trimBlanks(block.old[old] ?? '')), trimBlanks(placed), fileLine.trim());
    return merged === undefined ? placed : indentOf(placed) + merged + trailingBlanks(line);
  });
}

function rangeOf(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
