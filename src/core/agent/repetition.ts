// Whether the model goes in circles: the same call with the same result again and again, or a file that is changed back and forth.
import { createHash } from 'node:crypto';
import type { FileDiff } from '../../common/display';
import { isJsonObject, type Json } from '../../common/json';
import type { ToolResult } from '../tool/turnTools';

/** Calls that are remembered: enough for five rounds of four, */
export const WINDOW_CALLS = 20;
/** and those of so many messages, where a message holds many calls; */
const WINDOW_MESSAGES = 5;
/** but never more than this. */
const WINDOW_MAX_CALLS = 500;
/** The same call with the same result, this one counted: the model is told, then the person is asked. */
const SAME_CALL = { tell: 3, stop: 5 } as const;
/** Times a file came back to a text that it had before. */
const RETURNS = { tell: 2, stop: 4 } as const;

/** One call that has its result, as far as it matters here; texts as hashes, so that the memory is small whatever came. */
export interface Seen {
  /** Calls of one message share it. */
  readonly message: number;
  /** Tool and input. */
  readonly call: string;
  readonly result: string;
  /** It points to the result of the same call before. */
  readonly repeats: boolean;
  readonly failed: boolean;
  /** It may have changed something. */
  readonly changes: boolean;
  readonly steps: readonly FileStep[];
}

/** A file went from one text to another; the way back has the same `between` and the other direction. */
export interface FileStep {
  readonly path: string;
  readonly between: string;
  readonly isForward: boolean;
}

export interface Finding {
  readonly verdict: 'tell' | 'stop';
  readonly count: number;
  /** Set when it is a file that goes back and forth, else it is the call. */
  readonly path?: string;
}

export interface Asked {
  readonly tool: string;
  /** After coercion, or the raw text of one that did not parse. */
  readonly input: Json;
  readonly changes: boolean;
}

export function seenOf({ tool, input, changes }: Asked, result: ToolResult, message: number): Seen {
  const { call, status, text, images, wholeChars, display, repeats = false } = result;
  // A shortened result names its own call.
  const said = text.replaceAll(call, '');
  const failed = status !== 'done';
  return {
    message,
    call: hash(tool, stable(input)),
    result: hash(status, said, `${wholeChars}`, ...images.map(({ data }) => data)),
    repeats,
    failed,
    changes: changes && !failed,
    steps: failed || display?.kind !== 'diff' ? [] : display.files.flatMap(stepOf),
  };
}

/** The calls that are kept once `seen` is there too. */
export function remember(window: readonly Seen[], seen: Seen): readonly Seen[] {
  const same = seen.repeats ? window.findLast(({ call }) => call === seen.call) : undefined;
  const all = [...window, same ? { ...seen, result: same.result } : seen];
  const inMessages = all.findIndex(({ message }) => message > seen.message - WINDOW_MESSAGES);
  return all.slice(Math.max(0, all.length - WINDOW_MAX_CALLS, Math.min(inMessages, all.length - WINDOW_CALLS)));
}

/** What is to be said of the last call in the window, the worst first. Nobody is stopped who was not told in an earlier message. */
export function judge(window: readonly Seen[]): Finding | undefined {
  const last = window.at(-1);
  if (!last) return undefined;
  const earlier = window.filter(({ message }) => message !== last.message);
  const findings = last.steps.map(({ path, between }) => ({
    ...verdict(returns(window, between), returns(earlier, between), RETURNS),
    path,
  }));
  const same = sameCalls(window, last);
  const before = same.filter(({ message }) => message !== last.message).length;
  const found: Partial<Finding>[] = [...findings, verdict(same.length, before, SAME_CALL)];
  const isFinding = (finding: Partial<Finding>): finding is Finding => finding.verdict !== undefined;
  const told = found.filter(isFinding);
  return told.find((finding) => finding.verdict === 'stop') ?? told[0];
}

function verdict(count: number, before: number, { tell, stop }: typeof SAME_CALL | typeof RETURNS): Partial<Finding> {
  if (count >= stop && before >= tell) return { verdict: 'stop', count };
  return count >= tell && before < tell ? { verdict: 'tell', count } : {};
}

/**
 * The calls that the last one repeats, itself included. A good result is worth getting again once something else was
 * changed (a build after each edit); a failure that no change helps is not.
 */
function sameCalls(window: readonly Seen[], last: Seen): readonly Seen[] {
  const same: Seen[] = [];
  for (let at = window.length - 1; at >= 0; at--) {
    const seen = window[at];
    if (seen?.call === last.call && seen.result === last.result) same.push(seen);
    else if (seen && !last.failed && isNewChange(window, at, seen)) break;
  }
  return same;
}

/** Changing the same thing in the same way again is no progress. */
function isNewChange(window: readonly Seen[], at: number, seen: Seen): boolean {
  return seen.changes && !window.slice(0, at).some(({ call }) => call === seen.call);
}

function returns(window: readonly Seen[], between: string): number {
  const ways = window.flatMap(({ steps }) => steps.filter((step) => step.between === between));
  return ways.filter(({ isForward }, at) => at > 0 && isForward !== ways[at - 1]?.isForward).length;
}

function stepOf({ path, hunks }: FileDiff): FileStep[] {
  const side = (left: '-' | '+') =>
    hash(
      ...hunks.map(({ lines }) =>
        lines.flatMap(({ sign, text }) => (sign === ' ' || sign === left ? [text] : [])).join('\n'),
      ),
    );
  const from = side('-');
  const to = side('+');
  if (from === to) return [];
  const isForward = from < to;
  return [{ path, between: hash(path, ...(isForward ? [from, to] : [to, from])), isForward }];
}

/** The same text for the same value, in whatever order its fields came. */
function stable(value: Json): string {
  return JSON.stringify(value, (_, each: unknown) =>
    isJsonObject(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

function hash(...parts: readonly string[]): string {
  const sum = createHash('sha256');
  for (const part of parts) sum.update(`${part.length}:`).update(part);
  return sum.digest('base64');
}
