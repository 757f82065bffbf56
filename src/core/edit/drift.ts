// Places where most lines of a block stand, and how alike the others are: candidates for the stages that tolerate a drifted line.
import { foldLineEnd } from './fold';
import { filledInk, type Ink } from './ink';

export interface Window {
  readonly ink: Ink;
  /** Position of its first filled line in the ink. */
  readonly first: number;
  /** Positions in the block of the lines that differ in more than a comma or semicolon at their end. */
  readonly differing: readonly number[];
  /** 0 to 1, each line by its share of the ink. */
  readonly similarity: () => number;
}

/** A block needs that many lines before one of them may differ. */
const LINES_PER_DIFFERENCE = 3;
const MAX_DIFFERING_LINES = 2;
const MIN_EQUAL_CHARS = 30;
/** Shorter lines are braces that stand anywhere. */
const MIN_VOTING_CHARS = 3;
/** Beyond these a line that repeats says nothing about where the block stands. */
const MAX_REPEATS = 16;
const MAX_WINDOWS = 200;
const MAX_COMPARED_CHARS = 400;

/** Every place with as many filled lines of which at least one line is equal that is more than a brace, the most equal ones first. */
export function windowsOf(inks: readonly Ink[], block: Ink): Window[] {
  const keys = block.filled.map((_, at) => foldLineEnd(filledInk(block, at)));
  const positions = positionsOf(keys);
  const found = inks.flatMap((ink) => votesIn(ink, keys.length, positions));
  return found
    .sort((a, b) => b.votes - a.votes)
    .slice(0, MAX_WINDOWS)
    .map(({ ink, first }) => readWindow(ink, keys, first));
}

function positionsOf(keys: readonly string[]): Map<string, number[]> {
  const positions = new Map<string, number[]>();
  for (const [at, key] of keys.entries()) {
    if (key.length < MIN_VOTING_CHARS) continue;
    const known = positions.get(key);
    if (!known) positions.set(key, [at]);
    else if (known.length < MAX_REPEATS) known.push(at);
  }
  return positions;
}

interface Votes {
  readonly ink: Ink;
  readonly first: number;
  readonly votes: number;
}

/** Each line that also stands in the block votes for where the block would start; long ones count for more. */
function votesIn(ink: Ink, count: number, positions: ReadonlyMap<string, readonly number[]>): Votes[] {
  const votes = new Map<number, number>();
  for (const at of ink.filled.keys()) {
    const key = foldLineEnd(filledInk(ink, at));
    for (const position of positions.get(key) ?? []) {
      const first = at - position;
      if (first < 0 || first + count > ink.filled.length) continue;
      votes.set(first, (votes.get(first) ?? 0) + key.length);
    }
  }
  return Array.from(votes, ([first, sum]) => ({ ink, first, votes: sum }));
}

function readWindow(ink: Ink, keys: readonly string[], first: number): Window {
  const theirs = keys.map((_, at) => foldLineEnd(filledInk(ink, first + at)));
  const differing = [...keys.keys()].filter((at) => keys[at] !== theirs[at]);
  const similarity = () => {
    let [alike, size] = [0, 0];
    for (const [at, key] of keys.entries()) {
      const other = theirs[at] ?? '';
      const weight = Math.max(key.length, other.length);
      size += weight;
      alike += key === other ? weight : weight * pairSimilarity(key, other);
    }
    return size === 0 ? 0 : alike / size;
  };
  return { ink, first, differing, similarity };
}

/** Whether few enough lines differ for the rest to say where the block stands. */
export function isNear(block: Ink, { differing }: Window): boolean {
  const count = block.filled.length;
  if (differing.length > Math.min(MAX_DIFFERING_LINES, Math.floor(count / LINES_PER_DIFFERENCE))) return false;
  const equal = block.filled.reduce(
    (sum, _, at) => (differing.includes(at) ? sum : sum + filledInk(block, at).length),
    0,
  );
  return equal >= MIN_EQUAL_CHARS;
}

/** Dice coefficient of the pairs of neighbouring characters: cheap, and high for texts that differ by one word. */
export function pairSimilarity(left: string, right: string): number {
  const [a, b] = [left.slice(0, MAX_COMPARED_CHARS), right.slice(0, MAX_COMPARED_CHARS)];
  if (a.length < 2 || b.length < 2) return a === b ? 1 : 0;
  const pairs = new Map<string, number>();
  for (let at = 0; at < a.length - 1; at++) {
    const pair = a.slice(at, at + 2);
    pairs.set(pair, (pairs.get(pair) ?? 0) + 1);
  }
  let shared = 0;
  for (let at = 0; at < b.length - 1; at++) {
    const pair = b.slice(at, at + 2);
    const left = pairs.get(pair) ?? 0;
    if (left === 0) continue;
    shared++;
    pairs.set(pair, left - 1);
  }
  return (2 * shared) / (a.length + b.length - 2);
}
