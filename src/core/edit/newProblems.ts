// Which problems are new after an edit: the same problem a few lines further down is not [O29]. Pure.
import type { Path } from '../host';
import type { Problem } from '../problems';
import { lineChanges, type LineChange } from '../review/lineChanges';
import { splitLines } from './lines';

/** A file that was edited between the two looks. */
export interface EditedText {
  readonly path: Path;
  readonly before: string;
  readonly after: string;
}

/** Those of `after` that were not there before, errors first, then by file and line. */
export function newProblems(
  before: readonly Problem[],
  after: readonly Problem[],
  edited: readonly EditedText[],
): readonly Problem[] {
  const changes = new Map(edited.map((one) => [one.path, lineChanges(splitLines(one.before), splitLines(one.after))]));
  const known = new Map<string, Span[]>();
  for (const problem of before) {
    const key = keyOf(problem);
    known.set(key, [...(known.get(key) ?? []), spanNow(problem.line, changes.get(problem.path) ?? [])]);
  }
  const isNew = (problem: Problem): boolean => {
    const spans = known.get(keyOf(problem)) ?? [];
    const at = nearest(spans, problem.line);
    if (at === -1) return true;
    spans.splice(at, 1);
    return false;
  };
  return after.filter(isNew).sort(worstFirst);
}

/** Lines [start, end) of the text now. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/** Where a line of before is now; one that was changed is anywhere in what took its place. */
function spanNow(line: number, changes: readonly LineChange[]): Span {
  let shift = 0;
  for (const { start, end, newStart, newEnd } of changes) {
    if (line < start) break;
    if (line < end) return { start: newStart, end: Math.max(newEnd, newStart + 1) };
    shift = newEnd - end;
  }
  return { start: line + shift, end: line + shift + 1 };
}

/** The narrowest that holds the line: a problem on a line that stayed is that one and no other. */
function nearest(spans: readonly Span[], line: number): number {
  let found = -1;
  for (const [at, { start, end }] of spans.entries()) {
    if (line < start || line >= end) continue;
    const best = spans[found];
    if (!best || end - start < best.end - best.start) found = at;
  }
  return found;
}

function keyOf({ path, severity, message, code = '', source = '' }: Problem): string {
  return JSON.stringify([path, severity, message, code, source]);
}

function worstFirst(a: Problem, b: Problem): number {
  if (a.severity !== b.severity) return a.severity === 'error' ? -1 : 1;
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}
