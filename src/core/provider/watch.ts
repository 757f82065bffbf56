// Guards one request: nothing may stay silent for ever, before the headers or between the bytes of the answer.
import { ProviderFault } from './types';

/** How long silence is borne. Source: [77], the largest field values seen: 300 s for headers, 180 s between bytes. */
export interface Patience {
  /** From the request to the headers of the answer. */
  readonly headerMs: number;
  /** Between two pieces of the body; pings count, since bytes are what is measured. */
  readonly idleMs: number;
}

export const PATIENCE: Patience = { headerMs: 300_000, idleMs: 180_000 };

/**
 * A `fetch` that ends a silent request with the fault `stalled`. Plain timers on purpose: what is measured is the socket.
 * `fault` tells afterwards whether that happened, since what a caller sees then depends on the fetch underneath.
 */
export function watchFetch(
  fetchIt: typeof fetch,
  patience: Patience,
): { fetch: typeof fetch; fault(): ProviderFault | undefined } {
  let fault: ProviderFault | undefined;

  const watched: typeof fetch = async (input, init) => {
    const stall = new AbortController();
    const giveUp = (afterMs: number): ProviderFault => {
      fault = stalled(afterMs);
      stall.abort(fault);
      return fault;
    };
    const signal = init?.signal ? AbortSignal.any([init.signal, stall.signal]) : stall.signal;
    const headerTimer = setTimeout(() => giveUp(patience.headerMs), patience.headerMs);
    // A key must not follow to wherever an endpoint points.
    const response = await fetchIt(input, { ...init, signal, redirect: 'manual' }).finally(() =>
      clearTimeout(headerTimer),
    );
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const body = watchBody(response.body, patience.idleMs, () => giveUp(patience.idleMs));
    return new Response(body, { status, statusText, headers });
  };
  return { fetch: watched, fault: () => fault };
}

/** Passes the bytes on; the time runs only while somebody waits for them. */
function watchBody(body: ReadableStream<Uint8Array>, idleMs: number, onIdle: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      // Told to both ends: an editor's fetch may not pass an abort on to a body that is already being read.
      const timer = setTimeout(() => controller.error(onIdle()), idleMs);
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function stalled(afterMs: number): ProviderFault {
  const seconds = Math.round(afterMs / 1000);
  return new ProviderFault('stalled', `The model sent nothing for ${seconds} seconds.`);
}
