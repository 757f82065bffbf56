// When a request is tried again: how often, how long the wait is, and the countdown that the person sees.
import type { ProviderFault } from '../provider/types';
import type { Turn } from './turn';

/** Tries of one request, the first one included. Source: [R01]. */
export const ATTEMPTS_MAX = 8;
const FIRST_DELAY_MS = 1000;
const DELAY_MAX_MS = 60_000;

/** Doubles from try to try; what the endpoint asks for counts instead, up to a minute. Without jitter: one person's client is no herd. */
export function retryDelayMs(attempt: number, retryAfterMs: number | undefined): number {
  return Math.min(DELAY_MAX_MS, retryAfterMs ?? FIRST_DELAY_MS * 2 ** (attempt - 1));
}

/**
 * Waits before the next try after `attempt` tries, with the countdown on show.
 *
 * @returns false when there is none: the fault is for good, or the tries are used up. Ends at once when the turn is stopped.
 */
export async function waitForRetry(fault: ProviderFault, attempt: number, turn: Turn): Promise<boolean> {
  if (!fault.isPassing || attempt >= ATTEMPTS_MAX || turn.signal.aborted) return false;
  const delayMs = retryDelayMs(attempt, fault.retryAfterMs);
  turn.emit({
    type: 'retry/waiting',
    attempt: attempt + 1,
    attempts: ATTEMPTS_MAX,
    delayMs,
    reason: fault.message,
    transient: true,
  });
  await turn.host.clock.sleep(delayMs, turn.signal);
  return !turn.signal.aborted;
}
