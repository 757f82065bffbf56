// A change of the text laid over the hunks of a file: what it touches is compared anew, everything else only moves.
import type { EditOrigin } from '../host';
import { lineChanges, type LineChange } from './lineChanges';
import { type FileState, type Hunk, withOrigin } from './state';

/** Who changed the text. What a restore put there is a change of those who have changed the file before. */
export type Writer = EditOrigin | 'person' | 'restore';

export interface Piece extends LineChange {
  /** The baseline changes alike. Such a piece overlaps no hunk and no other piece. */
  readonly isCarried: boolean;
}

export interface Rewrite {
  readonly after: readonly string[];
  /** Sorted; what turns the lines of the file into `after`. */
  readonly pieces: readonly Piece[];
  readonly writer: Writer;
  readonly nextId: () => string;
}

/** Hunks and pieces that touch each other, in lines of the text before. */
interface Group {
  readonly start: number;
  end: number;
  readonly newStart: number;
  readonly baseStart: number;
  readonly hunks: Hunk[];
  readonly pieces: Piece[];
}

interface BaseEdit {
  readonly start: number;
  readonly end: number;
  readonly lines: readonly string[];
}

export function compose(file: FileState, { after, pieces, writer, nextId }: Rewrite): FileState {
  const hunks: Hunk[] = [];
  const baseEdits: BaseEdit[] = [];
  /** From lines before to lines after, to lines of the baseline, and from those to where they are afterwards. */
  let [shift, baseShift, baseMoved] = [0, 0, 0];
  let group: Group | undefined;

  const carry = (start: number, end: number, lines: readonly string[]) => {
    baseEdits.push({ start, end, lines });
    baseMoved += lines.length - (end - start);
  };
  const close = () => {
    if (!group) return;
    const { newStart, baseStart } = group;
    const [newEnd, baseEnd] = [group.end + shift, group.end + baseShift];
    const compared = group.pieces.length > 0 ? compareAnew({ file, after, group, newEnd, baseEnd, writer }) : undefined;
    if (!compared) {
      for (const hunk of group.hunks) hunks.push(moved(hunk, newStart - group.start, baseMoved));
    }
    for (const { change, isCarried, origins, authors, sameAs } of compared ?? []) {
      const [from, to] = [baseStart + change.start, baseStart + change.end];
      const [start, end] = [newStart + change.newStart, newStart + change.newEnd];
      if (isCarried) carry(from, to, after.slice(start, end));
      else {
        const id = sameAs?.id ?? nextId();
        hunks.push({ id, start, end, baseStart: from + baseMoved, baseEnd: to + baseMoved, origins, authors });
      }
    }
    group = undefined;
  };

  for (const item of inOrder(file.hunks, pieces)) {
    if (item.piece?.isCarried) {
      close();
      const { start, end, newStart, newEnd } = item.piece;
      carry(start + baseShift, end + baseShift, after.slice(newStart, newEnd));
      shift += newEnd - newStart - (end - start);
      continue;
    }
    const { start, end } = item.piece ?? item.hunk;
    if (group && start > group.end) close();
    group ??= { start, end, newStart: start + shift, baseStart: start + baseShift, hunks: [], pieces: [] };
    group.end = Math.max(group.end, end);
    if (item.piece) {
      group.pieces.push(item.piece);
      shift += item.piece.newEnd - item.piece.newStart - (end - start);
    } else {
      group.hunks.push(item.hunk);
      baseShift += item.hunk.baseEnd - item.hunk.baseStart - (end - start);
    }
  }
  close();
  return { ...file, base: withEdits(file.base, baseEdits), lines: after, hunks: joined(hunks, nextId) };
}

type Item = { readonly hunk: Hunk; readonly piece?: never } | { readonly piece: Piece; readonly hunk?: never };

/** At the same place the hunk comes first: what the person adds where the agent deleted stands after what was deleted. */
function inOrder(hunks: readonly Hunk[], pieces: readonly Piece[]): Item[] {
  const items: Item[] = [];
  let at = 0;
  for (const piece of pieces) {
    for (let hunk = hunks[at]; hunk && comesFirst(hunk, piece); hunk = hunks[at]) {
      items.push({ hunk });
      at++;
    }
    items.push({ piece });
  }
  return [...items, ...hunks.slice(at).map((hunk) => ({ hunk }))];
}

export function comesFirst(hunk: Hunk, piece: LineChange): boolean {
  return hunk.start === piece.start ? hunk.end <= piece.end : hunk.start < piece.start;
}

interface Compared {
  /** Relative to the group. */
  readonly change: LineChange;
  readonly isCarried: boolean;
  readonly origins: readonly EditOrigin[];
  readonly authors: readonly (EditOrigin | undefined)[];
  readonly sameAs: Hunk | undefined;
}

interface Comparison {
  readonly file: FileState;
  readonly after: readonly string[];
  readonly group: Group;
  readonly newEnd: number;
  readonly baseEnd: number;
  readonly writer: Writer;
}

/** The hunks that a group becomes; what only the person changed is none of them. */
function compareAnew({ file, after, group, newEnd, baseEnd, writer }: Comparison): Compared[] {
  const { newStart, baseStart } = group;
  const authors = authorsOf(group, writer);
  return lineChanges(file.base.slice(baseStart, baseEnd), after.slice(newStart, newEnd)).map((change) => {
    const [from, to] = [baseStart + change.start, baseStart + change.end];
    const old = group.hunks.filter((hunk) => hunk.baseStart <= to && from <= hunk.baseEnd);
    const [start, end] = [newStart + change.newStart, newStart + change.newEnd];
    const isWritten = group.pieces.some((piece) => piece.newStart <= end && start <= piece.newEnd);
    const whose = authors.slice(change.newStart, change.newEnd);
    const before = old.flatMap(({ origins }) => origins);
    const known = before.length > 0 ? before : writer === 'restore' ? file.origins : whose.filter(isOrigin);
    const mine = typeof writer === 'object' && isWritten ? [writer] : [];
    return {
      change,
      isCarried: writer === 'person' && !whose.some(isOrigin) && !old.some((hunk) => meets(hunk, from, to)),
      origins: withOrigin([], ...known, ...mine),
      authors: whose,
      sameAs: old.find(
        (hunk) =>
          hunk.baseStart === from &&
          hunk.baseEnd === to &&
          hunk.end - hunk.start === end - start &&
          after.slice(start, end).every((line, index) => line === file.lines[hunk.start + index]),
      ),
    };
  });
}

function isOrigin(author: EditOrigin | undefined): author is EditOrigin {
  return author !== undefined;
}

/** Lines of the baseline; where the agent only added, end to end is close enough. */
function meets({ baseStart, baseEnd }: Hunk, from: number, to: number): boolean {
  if (baseStart === baseEnd) return from <= baseStart && baseStart <= to;
  return baseStart < to && from < baseEnd;
}

/** Of each line of a group as it is afterwards. */
function authorsOf(group: Group, writer: Writer): (EditOrigin | undefined)[] {
  const before = new Array<EditOrigin | undefined>(group.end - group.start).fill(undefined);
  for (const { start, authors } of group.hunks) {
    for (const [index, author] of authors.entries()) before[start - group.start + index] = author;
  }
  const author = typeof writer === 'object' ? writer : undefined;
  const after: (EditOrigin | undefined)[] = [];
  let at = group.start;
  const keepTo = (line: number) => {
    for (; at < line; at++) after.push(before[at - group.start]);
  };
  for (const { start, end, newStart, newEnd } of group.pieces) {
    keepTo(start);
    for (let line = newStart; line < newEnd; line++) after.push(author);
    at = end;
  }
  keepTo(group.end);
  return after;
}

export function moved(hunk: Hunk, by: number, baseBy: number): Hunk {
  if (by === 0 && baseBy === 0) return hunk;
  const { start, end, baseStart, baseEnd } = hunk;
  return { ...hunk, start: start + by, end: end + by, baseStart: baseStart + baseBy, baseEnd: baseEnd + baseBy };
}

export function withEdits(lines: readonly string[], edits: readonly BaseEdit[]): readonly string[] {
  if (edits.length === 0) return lines;
  const all: string[] = [];
  let at = 0;
  for (const { start, end, lines: fresh } of edits) {
    for (; at < start; at++) all.push(lines[at] ?? '');
    for (const line of fresh) all.push(line);
    at = end;
  }
  for (; at < lines.length; at++) all.push(lines[at] ?? '');
  return all;
}

/** When the lines between two hunks are gone, they are one. */
function joined(hunks: readonly Hunk[], nextId: () => string): Hunk[] {
  const all: Hunk[] = [];
  for (const hunk of hunks) {
    const last = all.at(-1);
    if (last?.end !== hunk.start || last.baseEnd !== hunk.baseStart) {
      all.push(hunk);
      continue;
    }
    const origins = withOrigin(last.origins, ...hunk.origins);
    const authors = [...last.authors, ...hunk.authors];
    all[all.length - 1] = { ...last, id: nextId(), end: hunk.end, baseEnd: hunk.baseEnd, origins, authors };
  }
  return all;
}
