// What is under review, kept over a reload: append-only files of a workspace, of which the latest whole one counts.
import { createHash } from 'node:crypto';
import { messageOf } from '../../common/errors';
import { type Files, isProblem, type Path } from '../host';
import type { Store } from '../store';
import { readLines } from '../session/load';
import { decodeLine, encodeFile, encodeLeft, WHOLE } from './record';
import { createReviews, type ReviewModel } from './reviews';
import type { FileState } from './state';

/** Of each text of a file. */
const MAX_FILE_CHARS = 1024 * 1024;
/** Of all texts of all files. */
const MAX_CHARS = 32 * 1024 * 1024;
/** A file of ours is written anew when it is this long, and more than twice what is in it. */
const MIN_REWRITE_CHARS = 1024 * 1024;

export interface SaveOutcome {
  /** Too long to be stored: after a reload they are not under review. */
  readonly inMemory: readonly Path[];
  /** Why nothing could be stored; it is tried again with the next `save`. */
  readonly failed?: string;
}

/** Held state: what the files of ours say by now. */
export class StoredReviews {
  private readonly folder: string;
  private saved = new Map<Path, FileState>();
  /** Undefined: what comes next is written whole, into a file of its own. */
  private name: string | undefined;
  private generation = 0;
  private writtenChars = 0;
  private idle: Promise<unknown> = Promise.resolve();

  /** `roots`: the folders of the workspace, which name it. */
  constructor(
    private readonly store: Store,
    roots: readonly Path[],
  ) {
    const key = createHash('sha256').update(JSON.stringify([...roots].sort()));
    this.folder = `review/${key.digest('hex').slice(0, 32)}`;
  }

  /** Reads nothing: to know whether there is something to load. Rejects with a readable Error when the store fails. */
  async exists(): Promise<boolean> {
    return (await this.store.list(`${this.folder}/`)).length > 0;
  }

  /** What is torn or not ours is left out. Rejects with a readable Error when the store fails. */
  async load(): Promise<readonly FileState[]> {
    const generations = await this.generations();
    this.generation = generations[0] ?? 0;
    for (const generation of generations) {
      const states = await this.read(this.nameOf(generation));
      if (states) return states;
    }
    return [];
  }

  /** Calls keep their order. Never rejects. */
  save(states: readonly FileState[]): Promise<SaveOutcome> {
    const written = this.idle.then(() => this.write(states));
    this.idle = written;
    return written;
  }

  private async write(states: readonly FileState[]): Promise<SaveOutcome> {
    const { small, large } = bySize(states);
    try {
      if (small.length === 0) await this.clear();
      else await this.append(small);
      return { inMemory: large };
    } catch (error) {
      this.name = undefined;
      return { inMemory: large, failed: messageOf(error) };
    }
  }

  private async append(states: readonly FileState[]): Promise<void> {
    const name = this.name;
    const isLong = this.writtenChars > Math.max(MIN_REWRITE_CHARS, 2 * sum(states, charsOf));
    if (name === undefined || isLong) return this.writeWhole(states);
    const now = new Map(states.map((state) => [state.path, state]));
    const left = [...this.saved.keys()].filter((path) => !now.has(path));
    const changed = states.filter((state) => this.saved.get(state.path) !== state);
    const lines = [...left.map(encodeLeft), ...changed.map((state) => encodeFile(state, this.saved.get(state.path)))];
    if (lines.length === 0) return;
    await this.add(name, lines.join(''));
    this.saved = now;
  }

  private async writeWhole(states: readonly FileState[]): Promise<void> {
    const older = await this.generations();
    this.generation = Math.max(this.generation, older[0] ?? 0) + 1;
    const name = this.nameOf(this.generation);
    this.writtenChars = 0;
    await this.add(name, states.map((state) => encodeFile(state, undefined)).join('') + WHOLE);
    this.name = name;
    this.saved = new Map(states.map((state) => [state.path, state]));
    for (const generation of older) await this.store.remove(this.nameOf(generation));
  }

  private async add(name: string, data: string): Promise<void> {
    await this.store.append(name, data);
    this.writtenChars += data.length;
  }

  private async clear(): Promise<void> {
    this.name = undefined;
    this.saved = new Map();
    for (const generation of await this.generations()) await this.store.remove(this.nameOf(generation));
  }

  /** Latest first. */
  private async generations(): Promise<number[]> {
    const names = await this.store.list(`${this.folder}/`);
    const numbers = names.map((name) => Number(/\/(\d{1,12})\.jsonl$/.exec(name)?.[1]));
    return numbers.filter(Number.isInteger).sort((a, b) => b - a);
  }

  private nameOf(generation: number): string {
    return `${this.folder}/${generation}.jsonl`;
  }

  /** Undefined when it was not written to its end. */
  private async read(name: string): Promise<readonly FileState[] | undefined> {
    const states = new Map<Path, FileState>();
    let isWhole = false;
    for await (const line of readLines(this.store, name)) {
      const decoded = decodeLine(line, (path) => states.get(path));
      if (decoded?.kind === 'whole') isWhole = true;
      else if (decoded?.kind === 'left') states.delete(decoded.path);
      else if (decoded) states.set(decoded.state.path, decoded.state);
    }
    return isWhole ? [...states.values()] : undefined;
  }
}

/**
 * What was under review before a reload; what has happened to the files since counts as the person's.
 * Rejects with a readable Error when the store fails.
 */
export async function resumeReviews(stored: StoredReviews, files: Pick<Files, 'text'>): Promise<ReviewModel> {
  const states = await stored.load();
  const reviews = createReviews(states);
  for (const { path } of states) {
    const found = await files.text(path, MAX_FILE_CHARS * 4);
    if (!isProblem(found)) reviews.personChanged(path, found.text);
    else if (found.problem === 'missing') reviews.personChanged(path, undefined);
  }
  return reviews;
}

function bySize(states: readonly FileState[]): { small: FileState[]; large: Path[] } {
  const small: FileState[] = [];
  const large: Path[] = [];
  let left = MAX_CHARS;
  for (const state of states) {
    const isSmall = [state.base, state.lines].every((lines) => lengthOf(lines) <= MAX_FILE_CHARS);
    if (!isSmall || charsOf(state) > left) large.push(state.path);
    else {
      small.push(state);
      left -= charsOf(state);
    }
  }
  return { small, large };
}

function charsOf({ base, lines }: FileState): number {
  return lengthOf(base) + lengthOf(lines);
}

function lengthOf(lines: readonly string[]): number {
  return sum(lines, ({ length }) => length);
}

function sum<T>(items: readonly T[], sizeOf: (item: T) => number): number {
  return items.reduce((total, item) => total + sizeOf(item), 0);
}
