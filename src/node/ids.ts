// The Ids port: ids that sort by the time they were made in, unique across restarts and processes.
import { randomUUID } from 'node:crypto';
import type { Clock, Ids } from '../core/host';

/** `prefix_` + 9 characters of time + 3 of a counter within the millisecond + 8 random ones. */
export function createIds(clock: Pick<Clock, 'now'>, random: () => string = randomPart): Ids {
  let lastMs = 0;
  let count = 0;
  return {
    next(prefix) {
      // A clock that is set back must not bring back earlier ids.
      const nowMs = Math.max(lastMs, clock.now());
      count = nowMs === lastMs ? count + 1 : 0;
      lastMs = nowMs;
      return `${prefix}_${base36(nowMs, 9)}${base36(count, 3)}${random()}`;
    },
  };
}

function base36(value: number, length: number): string {
  return value.toString(36).padStart(length, '0');
}

/** The first eight digits are all random; Node draws for many at once. */
function randomPart(): string {
  return randomUUID().slice(0, 8);
}
