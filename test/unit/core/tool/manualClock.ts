// A clock that stands still until a test moves it on.
import type { Clock } from '../../../../src/core/host';

export interface ManualClock extends Clock {
  /** Moves time on and ends the sleeps that are due, in their order. */
  advance(ms: number): Promise<void>;
  /** Sleeps that have not ended. */
  readonly sleeping: number;
}

export function createManualClock(): ManualClock {
  let nowMs = 0;
  let sleeps: { readonly dueMs: number; readonly end: () => void }[] = [];
  return {
    now: () => nowMs,
    elapsed: () => nowMs,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleep = { dueMs: nowMs + ms, end: resolve };
        sleeps.push(sleep);
        signal?.addEventListener('abort', () => {
          sleeps = sleeps.filter((other) => other !== sleep);
          resolve();
        });
      }),
    async advance(ms) {
      nowMs += ms;
      const due = sleeps.filter(({ dueMs }) => dueMs <= nowMs).sort((a, b) => a.dueMs - b.dueMs);
      sleeps = sleeps.filter((sleep) => !due.includes(sleep));
      for (const { end } of due) end();
      await new Promise((resolve) => setImmediate(resolve));
    },
    get sleeping() {
      return sleeps.length;
    },
  };
}
