// What may happen to the text of a file under review: an agent, a person or a restore changes it; hunks are kept or undone.
import { smallest } from '../edit/splices';
import type { EditOrigin, Splice } from '../host';
import { compose, moved, withEdits, type Writer } from './compose';
import { lineChanges } from './lineChanges';
import { personPieces } from './person';
import { type FileState, type Hunk, splitLike, withOrigin } from './state';

export type NextId = () => string;

export function agentWrote(file: FileState, text: string | undefined, origin: EditOrigin, nextId: NextId): FileState {
  return { ...rewritten(file, text, origin, nextId), origins: withOrigin(file.origins, origin) };
}

/** A restore or an undo: the baseline stays. */
export function restoreWrote(file: FileState, text: string | undefined, nextId: NextId): FileState {
  return rewritten(file, text, 'restore', nextId);
}

export function personWrote(file: FileState, text: string, nextId: NextId): FileState {
  const lines = splitLike(file.lines, text);
  if (isSame(lines, file.base)) return { ...file, isGone: false, lines, hunks: [] };
  const alike = withEolsOf(file, lines, nextId);
  const pieces = personPieces(alike, lines);
  return compose(alike, { after: lines, pieces, writer: 'person', nextId });
}

function rewritten(file: FileState, text: string | undefined, writer: Writer, nextId: NextId): FileState {
  const after = splitLike(file.lines, text ?? '');
  const isGone = text === undefined;
  if (isSame(after, file.base)) return { ...file, isGone, lines: after, hunks: [] };
  const pieces = lineChanges(file.lines, after).map((change) => ({ ...change, isCarried: false }));
  return { ...compose(file, { after, pieces, writer, nextId }), isGone };
}

/** A person who changes all line endings changes those of the baseline too: no line is another for that. */
function withEolsOf(file: FileState, after: readonly string[], nextId: NextId): FileState {
  if (eolOf(file.lines.slice(0, 1)) === eolOf(after.slice(0, 1))) return file;
  const [old, fresh] = [eolOf(file.lines), eolOf(after)];
  if (!old || !fresh || old === fresh) return file;
  const convert = (line: string) => (eolOf([line]) === old ? line.slice(0, -old.length) + fresh : line);
  const alike = { ...file, base: file.base.map(convert), lines: file.lines.map(convert) };
  const marks = file.hunks.map(({ start }) => ({
    ...{ start, end: start, newStart: start, newEnd: start },
    isCarried: false,
  }));
  return compose(alike, { after: alike.lines, pieces: marks, writer: 'person', nextId });
}

/** Undefined where there is none or not one for all. */
function eolOf(lines: readonly string[]): '\n' | '\r\n' | undefined {
  const first = lines[0];
  if (first?.endsWith('\n') !== true) return undefined;
  const hasReturn = first.endsWith('\r\n');
  const isAlike = lines.every((line) => !line.endsWith('\n') || line.endsWith('\r\n') === hasReturn);
  return isAlike ? (hasReturn ? '\r\n' : '\n') : undefined;
}

/** They are in the baseline from now on. */
export function withKept(file: FileState, ids: ReadonlySet<string>): FileState {
  const kept = file.hunks.filter(({ id }) => ids.has(id));
  if (kept.length === 0) return file;
  const edits = kept.map(({ baseStart, baseEnd, start, end }) => ({
    start: baseStart,
    end: baseEnd,
    lines: file.lines.slice(start, end),
  }));
  let baseMoved = 0;
  const hunks: Hunk[] = [];
  for (const hunk of file.hunks) {
    if (ids.has(hunk.id)) baseMoved += hunk.end - hunk.start - (hunk.baseEnd - hunk.baseStart);
    else hunks.push(moved(hunk, 0, baseMoved));
  }
  return { ...file, isNew: false, base: withEdits(file.base, edits), hunks };
}

/** The smallest that put the baseline's lines back. */
export function undoSplices(file: FileState, hunks: readonly Hunk[]): Splice[] {
  const splices: Splice[] = [];
  const before = file.lines.join('');
  let [line, offset] = [0, 0];
  const offsetOf = (target: number) => {
    for (; line < target; line++) offset += file.lines[line]?.length ?? 0;
    return offset;
  };
  for (const { start, end, baseStart, baseEnd } of hunks) {
    const text = file.base.slice(baseStart, baseEnd).join('');
    splices.push(smallest({ start: offsetOf(start), end: offsetOf(end), text }, before));
  }
  return splices;
}

export function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a === b || (a.length === b.length && a.every((line, index) => line === b[index]));
}
