// What is known of one file under review. Immutable: each change makes a new one.
import { splitLines } from '../edit/lines';
import type { EditOrigin, Path } from '../host';
import type { ReviewHunk } from './types';

/** With what is not shown. */
export interface Hunk extends ReviewHunk {
  /** Who wrote each line of [start, end); undefined: not the agent. */
  readonly authors: readonly (EditOrigin | undefined)[];
}

/** Outside the hunks `base` and `lines` are equal, line by line; hunks are sorted and never touch each other. */
export interface FileState {
  readonly path: Path;
  /** Where it was in the baseline, where the agent moved it. */
  readonly from?: Path;
  /** It was not there before the agent. */
  readonly isNew: boolean;
  /** The file is not there now. */
  readonly isGone: boolean;
  /** Lines with their own line endings. */
  readonly base: readonly string[];
  readonly lines: readonly string[];
  readonly hunks: readonly Hunk[];
  /** The calls that changed the file, latest last. */
  readonly origins: readonly EditOrigin[];
}

/** Of one file; older ones say little and are many. */
const MAX_ORIGINS = 50;

/** Undefined: it is not there. */
export function unchanged(path: Path, text: string | undefined): FileState {
  const lines = splitLines(text ?? '');
  const isMissing = text === undefined;
  return { path, isNew: isMissing, isGone: isMissing, base: lines, lines, hunks: [], origins: [] };
}

/** There is something to keep or to undo. */
export function isUnderReview({ from, isNew, isGone, hunks }: FileState): boolean {
  if (isNew && isGone) return false;
  return isNew || isGone || from !== undefined || hunks.length > 0;
}

/** The lines of a text, those that are in `known` at its start and end taken from there; `known` itself when it is that text. */
export function splitLike(known: readonly string[], text: string): readonly string[] {
  let [head, at] = [0, 0];
  for (const line of known) {
    const next = at + line.length;
    if (!text.startsWith(line, at) || (next < text.length && !line.endsWith('\n'))) break;
    head++;
    at = next;
  }
  if (head === known.length && at === text.length) return known;
  let [tail, end] = [known.length, text.length];
  for (; tail > head; tail--) {
    const line = known[tail - 1] ?? '';
    const start = end - line.length;
    if (start < at || !text.startsWith(line, start) || (start > at && text[start - 1] !== '\n')) break;
    end = start;
  }
  return [...known.slice(0, head), ...splitLines(text.slice(at, end)), ...known.slice(tail)];
}

/** Undefined: the file is not there. */
export function isText({ lines, isGone }: FileState, text: string | undefined): boolean {
  return text === undefined ? isGone : !isGone && splitLike(lines, text) === lines;
}

export function textOf({ lines, isGone }: FileState): string | undefined {
  return isGone ? undefined : lines.join('');
}

export function changeOf({ isNew, isGone, from }: FileState): 'created' | 'edited' | 'deleted' | 'moved' {
  if (isGone) return 'deleted';
  if (isNew) return 'created';
  return from === undefined ? 'edited' : 'moved';
}

/** Without repetitions of a call; the latest place counts. */
export function withOrigin(origins: readonly EditOrigin[], ...more: readonly EditOrigin[]): readonly EditOrigin[] {
  let all = origins;
  for (const origin of more) {
    if (all.at(-1) === origin) continue;
    all = [...all.filter(({ session, call }) => session !== origin.session || call !== origin.call), origin];
  }
  return all.length > MAX_ORIGINS ? all.slice(-MAX_ORIGINS) : all;
}

/** Every line but the last ends with a line break; else two lines would become one. */
export function canFollow(lines: readonly string[], at: number): boolean {
  return at === 0 || lines[at - 1]?.endsWith('\n') === true;
}
