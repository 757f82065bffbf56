// Thins out a tool's live display: at once when the last one is long enough ago, else the newest one when it is.
import type { Display } from '../../common/display';
import type { Clock } from '../host';

const INTERVAL_MS = 100;
/** For a run in the background, which is looked at from the corner of an eye. */
const RELEASED_INTERVAL_MS = 500;

export interface Progress {
  report(display: Display): void;
  /** The last display that was reported. */
  readonly last: () => Display | undefined;
  /** The run goes on in the background: fewer are shown from here on. */
  slowDown(): void;
  /** Nothing is shown from here on. Answers the last display that was reported. */
  end(): Display | undefined;
}

export function thinOut(show: (display: Display) => void, clock: Clock): Progress {
  const ended = new AbortController();
  let last: Display | undefined;
  let shownAtMs = -Infinity;
  let isWaiting = false;
  let intervalMs = INTERVAL_MS;

  const showLast = (): void => {
    isWaiting = false;
    if (ended.signal.aborted || last === undefined) return;
    shownAtMs = clock.elapsed();
    show(last);
  };
  return {
    report(display) {
      if (ended.signal.aborted) return;
      last = display;
      if (isWaiting) return;
      const waitMs = shownAtMs + intervalMs - clock.elapsed();
      if (waitMs <= 0) return showLast();
      isWaiting = true;
      void clock.sleep(waitMs, ended.signal).then(showLast);
    },
    last: () => last,
    slowDown: () => void (intervalMs = RELEASED_INTERVAL_MS),
    end() {
      // With a reason, since making an error for each call is a waste.
      ended.abort('ended');
      return last;
    },
  };
}
