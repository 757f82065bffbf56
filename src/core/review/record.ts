// A file under review as one line of JSON, told as what differs from the line before about the same file, and back.
import { createHash } from 'node:crypto';
import { isJsonObject } from '../../common/json';
import { applySplices, splitLines } from '../edit/lines';
import { difference } from '../edit/splices';
import type { EditOrigin, Path, Splice } from '../host';
import { isSame } from './file';
import { type FileState, type Hunk, withOrigin } from './state';

const RECORD_VERSION = 1;

/** The texts of a file; those of one of which nothing is stored yet are empty. */
interface Texts {
  readonly base: string;
  readonly text: string;
}

interface HunkRecord {
  /** `start`, `end`, `baseStart`, `baseEnd`. */
  readonly lines: readonly [number, number, number, number];
  /** Indexes of `writers`. */
  readonly origins: readonly number[];
  /** So many lines, and whose: an index of `writers`, or -1. */
  readonly authors: readonly (readonly [number, number])[];
}

interface FileRecord {
  readonly v: typeof RECORD_VERSION;
  readonly path: Path;
  readonly from?: Path;
  readonly isNew: boolean;
  readonly isGone: boolean;
  /** Against what the line before says. */
  readonly base: Splice;
  /** Against what the line before says; in the first one, against the baseline. */
  readonly text: Splice;
  /** Of both texts: a line that got lost must not be taken for one that said the same. */
  readonly sum: string;
  readonly hunks: readonly HunkRecord[];
  readonly origins: readonly number[];
  readonly writers: readonly EditOrigin[];
}

export function encodeFile(state: FileState, stored: FileState | undefined): string {
  const { path, from, isNew, isGone } = state;
  const [now, before] = [textsOf(state), stored && textsOf(stored)];
  const writers: EditOrigin[] = [];
  const indexOf = (origin: EditOrigin) => {
    const index = writers.findIndex(({ session, call }) => session === origin.session && call === origin.call);
    return index === -1 ? writers.push(origin) - 1 : index;
  };
  const record: FileRecord = {
    ...{ v: RECORD_VERSION, path, ...(from === undefined ? {} : { from }), isNew, isGone },
    base: difference(before?.base ?? '', now.base),
    text: difference(before?.text ?? now.base, now.text),
    sum: sumOf(now),
    hunks: state.hunks.map(({ start, end, baseStart, baseEnd, origins, authors }) => ({
      lines: [start, end, baseStart, baseEnd],
      origins: origins.map(indexOf),
      authors: runs(authors.map((author) => (author ? indexOf(author) : -1))),
    })),
    origins: state.origins.map(indexOf),
    writers,
  };
  return `${JSON.stringify(record)}\n`;
}

export function encodeLeft(path: Path): string {
  return `${JSON.stringify({ v: RECORD_VERSION, path, left: true })}\n`;
}

/** After all files: what is before it is complete. */
export const WHOLE = `${JSON.stringify({ v: RECORD_VERSION, whole: true })}\n`;

export type Decoded =
  | { readonly kind: 'file'; readonly state: FileState }
  /** Not under review any more; or nothing that is said of it can be trusted. */
  | { readonly kind: 'left'; readonly path: Path }
  | { readonly kind: 'whole' };

/** Undefined for what is no line of this version. Never throws. */
export function decodeLine(line: string, stored: (path: Path) => FileState | undefined): Decoded | undefined {
  const value = parse(line);
  if (!isJsonObject(value) || value['v'] !== RECORD_VERSION) return undefined;
  if (value['whole'] === true) return { kind: 'whole' };
  const path = value['path'];
  if (typeof path !== 'string') return undefined;
  if (value['left'] === true || !isFileRecord(value)) return { kind: 'left', path };
  const state = stateOf(value, stored(path));
  return state ? { kind: 'file', state } : { kind: 'left', path };
}

function stateOf(record: FileRecord, stored: FileState | undefined): FileState | undefined {
  const texts = spliced(record, stored && textsOf(stored));
  if (!texts || sumOf(texts) !== record.sum) return undefined;
  const [base, lines] = [splitLines(texts.base), splitLines(texts.text)];
  if (!record.hunks.every((hunk) => isWithin(hunk, lines.length))) return undefined;
  const { path, from, isNew, isGone, writers } = record;
  const pick = (indexes: readonly number[]) => withOrigin([], ...indexes.flatMap((index) => writers[index] ?? []));
  const hunks = record.hunks.map(({ lines: [start, end, baseStart, baseEnd], origins, authors }, index): Hunk => ({
    ...{ id: `${index}`, start, end, baseStart, baseEnd, origins: pick(origins) },
    authors: authors.flatMap(([count, writer]) =>
      new Array<undefined>(count).fill(undefined).map(() => writers[writer]),
    ),
  }));
  const state = { path, ...(from === undefined ? {} : { from }), isNew, isGone, base, lines, hunks };
  return fits(state) ? { ...state, origins: pick(record.origins) } : undefined;
}

/** Before anything is made that is as long as it says. */
function isWithin({ lines: [start, end], authors }: HunkRecord, lineCount: number): boolean {
  return end <= lineCount && authors.reduce((sum, [count]) => (count < 0 ? NaN : sum + count), 0) === end - start;
}

function spliced({ base, text }: FileRecord, stored: Texts | undefined): Texts | undefined {
  try {
    const baseText = applySplices(stored?.base ?? '', [base]);
    return { base: baseText, text: applySplices(stored?.text ?? baseText, [text]) };
  } catch {
    return undefined;
  }
}

/** Whether the hunks, and nothing else, make the one text of the other. */
function fits({ base, lines, hunks, isGone }: Pick<FileState, 'base' | 'lines' | 'hunks' | 'isGone'>): boolean {
  let [at, baseAt] = [0, 0];
  for (const { start, end, baseStart, baseEnd, authors } of [...hunks, endOf(lines, base)]) {
    const isSorted = at <= start && start <= end && baseAt <= baseStart && baseStart <= baseEnd;
    if (!isSorted || authors.length !== end - start) return false;
    if (!isSame(lines.slice(at, start), base.slice(baseAt, baseStart))) return false;
    [at, baseAt] = [end, baseEnd];
  }
  return at === lines.length && baseAt === base.length && !(isGone && lines.length > 0);
}

function endOf({ length: end }: readonly string[], { length: baseEnd }: readonly string[]) {
  return { start: end, end, baseStart: baseEnd, baseEnd, authors: [] };
}

function textsOf({ base, lines }: FileState): Texts {
  return { base: base.join(''), text: lines.join('') };
}

function sumOf({ base, text }: Texts): string {
  return createHash('sha256').update(`${base.length}\n`).update(base).update(text).digest('base64url').slice(0, 22);
}

function runs(values: readonly number[]): [number, number][] {
  const all: [number, number][] = [];
  for (const value of values) {
    const last = all.at(-1);
    if (last?.[1] === value) last[0]++;
    else all.push([1, value]);
  }
  return all;
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isFileRecord(value: object): value is FileRecord {
  const { path, from, isNew, isGone, base, text, sum, hunks, origins, writers } = value as Record<string, unknown>;
  return (
    [path, from ?? '', sum].every((each) => typeof each === 'string') &&
    [isNew, isGone].every((each) => typeof each === 'boolean') &&
    [base, text].every(isSplice) &&
    isListOf(hunks, isHunkRecord) &&
    isListOf(origins, isCount) &&
    isListOf(writers, isOrigin)
  );
}

function isHunkRecord(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { lines, origins, authors } = value;
  const isRun = (run: unknown) => isListOf(run, Number.isInteger) && run.length === 2;
  return isListOf(lines, isCount) && lines.length === 4 && isListOf(origins, isCount) && isListOf(authors, isRun);
}

function isSplice(value: unknown): boolean {
  return isJsonObject(value) && isCount(value['start']) && isCount(value['end']) && typeof value['text'] === 'string';
}

function isOrigin(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const names = ['session', 'turn', 'call', 'prompt', 'title'];
  return names.every((name) => typeof value[name] === 'string') && typeof value['time'] === 'number';
}

function isCount(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}

function isListOf(value: unknown, isItem: (item: unknown) => boolean): value is readonly unknown[] {
  return Array.isArray(value) && value.every(isItem);
}
