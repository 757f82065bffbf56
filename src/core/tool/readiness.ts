// Waits until a run in the background is ready: its pattern has appeared in what it puts out, or enough time has passed.
import { searchLines } from '../output/lineSearch';
import type { RunContext } from './tool';

/** How long a pattern is waited for before the call is answered without it. */
const PATTERN_MAX_MS = 30_000;
/** Without a pattern: enough for a command that does not start at all to say so. */
const FIRST_OUTPUT_MS = 1_000;
const POLL_MS = 200;
/** What one look at the output may take. */
const SEARCH_MS = 1_000;
/** Of what has not been looked at yet; of a flood within one poll only the end is. */
const KEPT_CHARS = 1024 * 1024;

export interface Readiness {
  /** What the run puts out, whole lines. */
  write(text: string): void;
  /** The run has ended: there is nothing to wait for. */
  end(): void;
}

/** Answers the call of `ctx` when it is time. `unfinished` gives the line that has not come to its end, such as a prompt. */
export function answerWhenReady(
  { pattern, unfinished }: { readonly pattern: string | undefined; readonly unfinished: () => string },
  ctx: RunContext,
): Readiness {
  let fresh = '';
  const ended = new AbortController();
  const signal = AbortSignal.any([ctx.signal, ended.signal]);
  const wait = async (): Promise<void> => {
    const { clock } = ctx.host;
    if (pattern === undefined) {
      await clock.sleep(FIRST_OUTPUT_MS, signal);
      if (!signal.aborted) ctx.answer('It has started.');
      return;
    }
    const endMs = clock.elapsed() + PATTERN_MAX_MS;
    while (!signal.aborted && clock.elapsed() < endMs) {
      const text = fresh + unfinished();
      fresh = '';
      if (text !== '' && (await appears(pattern, text, ctx))) {
        return ctx.answer(`${JSON.stringify(pattern)} has appeared in what it puts out.`);
      }
      await clock.sleep(POLL_MS, signal);
    }
    // It has ended, and its result is the answer.
    if (signal.aborted) return;
    const seconds = PATTERN_MAX_MS / 1000;
    ctx.answer(`${JSON.stringify(pattern)} has not appeared within ${seconds} s: it may not be ready yet.`);
  };
  void wait();
  return { end: () => ended.abort(), write: (text) => void (fresh = (fresh + text).slice(-KEPT_CHARS)) };
}

async function appears(pattern: string, text: string, ctx: RunContext): Promise<boolean> {
  const query = { pattern, context: 0, maxLines: 1, maxMs: SEARCH_MS };
  const found = await searchLines(query, () => linesOf(text), ctx);
  return !('problem' in found) && found.matches.length > 0;
}

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.replace(/\n$/, '').split('\n');
}
