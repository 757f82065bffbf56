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

/** The body of an answer, piece by piece. */
export interface BodyReader {
  /** Undefined at the end. Rejects with the fault `stalled` after too long a silence; the time runs only while somebody waits. */
  read(): Promise<Uint8Array | undefined>;
}

export interface Watch {
  /** Passes a stream of events on untouched, to be read with `reader`; any other body is watched by itself. */
  readonly fetch: typeof fetch;
  reader(body: ReadableStream<Uint8Array>): BodyReader;
  /** Tells afterwards whether silence ended the request, since what a caller sees then depends on the fetch underneath. */
  fault(): ProviderFault | undefined;
}

/** A `fetch` that ends a silent request with the fault `stalled`. Plain timers on purpose: what is measured is the socket. */
export function watchFetch(fetchIt: typeof fetch, patience: Patience): Watch {
  const stall = new AbortController();
  let fault: ProviderFault | undefined;

  const giveUp = (afterMs: number): ProviderFault => {
    fault = stalled(afterMs);
    stall.abort(fault);
    return fault;
  };
  const reader = (body: ReadableStream<Uint8Array>) => watchBody(body, patience.idleMs, () => giveUp(patience.idleMs));
  const watched: typeof fetch = async (input, init) => {
    const signal = init?.signal ? AbortSignal.any([init.signal, stall.signal]) : stall.signal;
    const headerTimer = setTimeout(() => giveUp(patience.headerMs), patience.headerMs);
    // A key must not follow to wherever an endpoint points.
    const response = await fetchIt(input, { ...init, signal, redirect: 'manual' }).finally(() =>
      clearTimeout(headerTimer),
    );
    // A second stream behind the first would delay every piece of what is streamed.
    if (!response.body || isEventStream(response)) return response;
    const { status, statusText, headers } = response;
    return new Response(streamOf(response.body, reader), { status, statusText, headers });
  };
  return { fetch: watched, reader, fault: () => fault };
}

export function isEventStream({ ok, headers }: Response): boolean {
  return ok && (headers.get('content-type') ?? '').includes('text/event-stream');
}

function watchBody(body: ReadableStream<Uint8Array>, idleMs: number, onIdle: () => ProviderFault): BodyReader {
  const reader = body.getReader();
  return {
    async read() {
      let timer: NodeJS.Timeout | undefined;
      // Told to both ends: an editor's fetch may not pass an abort on to a body that is already being read.
      const silence = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(onIdle()), idleMs)));
      try {
        return (await Promise.race([reader.read(), silence])).value;
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

function streamOf(
  body: ReadableStream<Uint8Array>,
  readerOf: (body: ReadableStream<Uint8Array>) => BodyReader,
): ReadableStream<Uint8Array> {
  const reader = readerOf(body);
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const bytes = await reader.read();
      if (bytes) controller.enqueue(bytes);
      else controller.close();
    },
  });
}

function stalled(afterMs: number): ProviderFault {
  const seconds = Math.round(afterMs / 1000);
  return new ProviderFault('stalled', `The model sent nothing for ${seconds} seconds.`);
}
