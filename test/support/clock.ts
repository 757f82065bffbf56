// A clock whose sleeps take no time: it moves on by what was slept, so that waits can be asserted and none is waited for.
import { setImmediate } from 'node:timers/promises';
import type { Clock } from '../../src/core/host';

export interface QuickClock extends Clock {
  /** Every sleep asked for, in milliseconds. */
  readonly slept: readonly number[];
}

const START_MS = Date.UTC(2026, 10, 30, 12);

export function createQuickClock(startMs = START_MS): QuickClock {
  const slept: number[] = [];
  let passedMs = 0;
  return {
    slept,
    now: () => startMs + passedMs,
    elapsed: () => passedMs,
    async sleep(ms, signal) {
      slept.push(ms);
      await setImmediate();
      if (!signal?.aborted) passedMs += ms;
    },
  };
}
