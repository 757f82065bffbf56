// Which lines differ between two texts: exact, in time that is bounded for long files, and the same each time.
import { diffArrays } from 'diff';

/** Lines [start, end) of the text before became lines [newStart, newEnd). Changes are sorted, and never touch each other. */
export interface LineChange {
  readonly start: number;
  readonly end: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Comparing costs the square of the lines that differ; beyond this many the stretch counts as replaced. */
const MAX_EDITED_LINES = 500;
/** Of those squares in one comparison. */
const MAX_STEPS = 2_000_000;
/** Longer stretches are first cut at the lines that are in both texts exactly once. */
const ANCHORED_LINES = 64;

export function lineChanges(before: readonly string[], after: readonly string[]): LineChange[] {
  const changes: LineChange[] = [];
  const budget = { steps: MAX_STEPS };
  const whole = trimmed(before, after, { start: 0, end: before.length, newStart: 0, newEnd: after.length });
  if (isEmpty(whole)) return changes;
  for (const stretch of stretches(before, after, whole)) compare(before, after, stretch, budget, changes);
  return changes;
}

/** How many lines come and go. */
export function sizeOf(changes: readonly LineChange[]): number {
  return changes.reduce((sum, { start, end, newStart, newEnd }) => sum + (end - start) + (newEnd - newStart), 0);
}

function isEmpty({ start, end, newStart, newEnd }: LineChange): boolean {
  return start === end && newStart === newEnd;
}

/** Without the lines that are equal at both ends. */
function trimmed(before: readonly string[], after: readonly string[], change: LineChange): LineChange {
  let { start, end, newStart, newEnd } = change;
  while (start < end && newStart < newEnd && before[start] === after[newStart]) {
    start++;
    newStart++;
  }
  while (start < end && newStart < newEnd && before[end - 1] === after[newEnd - 1]) {
    end--;
    newEnd--;
  }
  return { start, end, newStart, newEnd };
}

function compare(
  before: readonly string[],
  after: readonly string[],
  stretch: LineChange,
  budget: { steps: number },
  changes: LineChange[],
): void {
  const left = trimmed(before, after, stretch);
  if (isEmpty(left)) return;
  const { start, end, newStart, newEnd } = left;
  const lines = end - start + (newEnd - newStart);
  const maxEditLength = Math.min(MAX_EDITED_LINES, lines, Math.floor(Math.sqrt(budget.steps)));
  budget.steps -= maxEditLength ** 2;
  const isSimple = start === end || newStart === newEnd;
  const parts = isSimple
    ? undefined
    : diffArrays(before.slice(start, end), after.slice(newStart, newEnd), { maxEditLength });
  if (!parts) return add(changes, left);
  let [at, newAt] = [start, newStart];
  for (const { added, removed, value } of parts) {
    const [from, newFrom] = [at, newAt];
    if (!added) at += value.length;
    if (!removed) newAt += value.length;
    if (added || removed) add(changes, { start: from, end: at, newStart: newFrom, newEnd: newAt });
  }
}

/** One that continues the last becomes part of it. */
function add(changes: LineChange[], change: LineChange): void {
  const last = changes.at(-1);
  if (last?.end !== change.start || last.newEnd !== change.newStart) {
    changes.push(change);
    return;
  }
  changes[changes.length - 1] = { ...last, end: change.end, newEnd: change.newEnd };
}

/** What lies between the anchors. */
function stretches(before: readonly string[], after: readonly string[], whole: LineChange): LineChange[] {
  const { start, end, newStart, newEnd } = whole;
  if (Math.min(end - start, newEnd - newStart) <= ANCHORED_LINES) return [whole];
  const found: LineChange[] = [];
  let [at, newAt] = [start, newStart];
  for (const [line, newLine] of rising(commonOnce(before, after, whole))) {
    found.push({ start: at, end: line, newStart: newAt, newEnd: newLine });
    [at, newAt] = [line + 1, newLine + 1];
  }
  return [...found, { start: at, end, newStart: newAt, newEnd }];
}

type Pair = readonly [line: number, newLine: number];

/** Lines that both texts have exactly once, in the order of the text before. */
function commonOnce(before: readonly string[], after: readonly string[], whole: LineChange): Pair[] {
  const places = onlyPlaces(after, whole.newStart, whole.newEnd);
  const pairs: Pair[] = [];
  for (const [text, line] of onlyPlaces(before, whole.start, whole.end)) {
    const newLine = places.get(text);
    if (line >= 0 && newLine !== undefined && newLine >= 0) pairs.push([line, newLine]);
  }
  return pairs;
}

const SEVERAL = -1;

function onlyPlaces(lines: readonly string[], start: number, end: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let line = start; line < end; line++) {
    const text = lines[line] ?? '';
    places.set(text, places.has(text) ? SEVERAL : line);
  }
  return places;
}

/** The most of them that are in the same order in both texts. */
function rising(pairs: readonly Pair[]): Pair[] {
  /** Of each length the run that ends lowest, by index. */
  const ends: number[] = [];
  const previous: number[] = [];
  const newLineOf = (index: number | undefined) => (index === undefined ? -1 : (pairs[index]?.[1] ?? -1));
  for (const [index, [, newLine]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (newLineOf(ends[middle]) < newLine) low = middle + 1;
      else high = middle;
    }
    previous[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const run: Pair[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair) run.push(pair);
  }
  return run.reverse();
}
