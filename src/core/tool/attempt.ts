// Once more, after a short wait, when the fault was a passing one [O12].
import type { Clock } from '../host';

const RETRY_DELAY_MS = 200;

/** Thrown by a tool for a fault that may be gone in a moment; `message` is worded for the model. */
export class PassingFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'PassingFault';
  }
}

export interface AttemptOptions {
  /** Only for what reads and declares `retry`. */
  readonly mayRetry: boolean;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Rejects with the first fault when it may not be tried again, else with the second. */
export async function attempt<T>(run: () => Promise<T>, { mayRetry, clock, signal }: AttemptOptions): Promise<T> {
  try {
    return await run();
  } catch (fault) {
    if (!mayRetry || signal.aborted || !isPassing(fault)) throw fault;
    await clock.sleep(RETRY_DELAY_MS, signal);
    if (signal.aborted) throw fault;
    return run();
  }
}

const NETWORK_CODE =
  /^(ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|EAI_AGAIN|ENETDOWN|ENETRESET|ENETUNREACH|EHOSTUNREACH|UND_ERR_(SOCKET|\w*TIMEOUT))$/;
const CAUSE_MAX_DEPTH = 4;

/** Network faults, timeouts, 429 and 5xx, also as the cause of another error. Never an abort: somebody wanted that. */
export function isPassing(fault: unknown): boolean {
  let error = fault;
  for (let depth = 0; depth < CAUSE_MAX_DEPTH && error instanceof Error; depth++, error = error.cause) {
    if (error.name === 'AbortError') return false;
    if (error instanceof PassingFault || error.name === 'TimeoutError') return true;
    const { code, status } = error as Error & { readonly code?: unknown; readonly status?: unknown };
    if (typeof code === 'string' && NETWORK_CODE.test(code)) return true;
    if (typeof status === 'number' && (status === 429 || (status >= 500 && status < 600))) return true;
  }
  return false;
}
