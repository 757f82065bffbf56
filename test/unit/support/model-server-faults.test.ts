// Everything that can go wrong with a model, played by the scripted server to the real SDK.
import assert from 'node:assert/strict';
import Anthropic from '@anthropic-ai/sdk';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { clientOf, listen, rawAnswer, request } from '../../support/model-server/listen';
import { messageEvents } from '../../support/model-server/message';
import { fault, reply, text, type Reply } from '../../support/model-server/scenario';
import { startModelServer, type ModelServer } from '../../support/model-server/server';

let server: ModelServer;

async function start(replies: Reply[]): Promise<Anthropic> {
  server = await startModelServer(replies);
  return clientOf(server);
}

describe('model server: faults', () => {
  afterEach(() => server.close());
  const long = reply(text(['a', 'b', 'c']));
  const all = messageEvents(long, {
    model: 'claude-test',
    replyId: '0001',
    requestId: 'req_0001',
  }) as RawMessageStreamEvent[];

  interface Expected {
    events: number;
    status?: number;
    type?: unknown;
    message: RegExp;
    outcome: 'answered' | 'cut';
  }

  const check = (name: string, said: Reply, expected: Expected): void => {
    it(name, async () => {
      const { events, error } = await listen(await start([said]));
      assert.deepEqual(events, all.slice(0, expected.events));
      assert.match(error?.message ?? 'no error', expected.message);
      assert.deepEqual(
        { status: error?.status, type: error?.type ?? undefined },
        { status: expected.status, type: expected.type },
      );
      await server.until(() => server.requests[0]?.outcome !== 'open');
      assert.equal(server.requests[0]?.outcome, expected.outcome);
      assert.deepEqual(server.problems(), []);
    });
  };

  const types = {
    400: 'invalid_request_error',
    401: 'authentication_error',
    403: 'permission_error',
    404: 'not_found_error',
    413: 'request_too_large',
    429: 'rate_limit_error',
    500: 'api_error',
    529: 'overloaded_error',
  };
  for (const [code, type] of Object.entries(types)) {
    const status = Number(code);
    const message = new RegExp(`^${code} .*"message":"Scripted ${code}"`);
    check(`answers ${code}`, fault.status(status), { events: 0, status, type, message, outcome: 'answered' });
  }
  check('breaks off with an error event', reply(long, fault.errorAfter(3)), {
    events: 3,
    type: 'overloaded_error',
    message: /"message":"Overloaded"/,
    outcome: 'answered',
  });
  check('sends data that is no JSON', reply(long, fault.garbageAfter(2)), {
    events: 2,
    message: /JSON/,
    outcome: 'answered',
  });
  check('drops the socket', reply(long, fault.dropAfter(4)), { events: 4, message: /terminated/, outcome: 'cut' });
  check('drops the socket inside an event', reply(long, fault.dropAfterBytes(20)), {
    events: 0,
    message: /terminated/,
    outcome: 'cut',
  });
  check('ends too early', reply(long, fault.endAfter(5)), { events: 5, message: /^no error$/, outcome: 'answered' });
  check('answers HTML', fault.html(), { events: 0, message: /^no error$/, outcome: 'answered' });
  check('answers HTML with an error status', fault.html(502), {
    events: 0,
    status: 502,
    message: /Sign in/,
    outcome: 'answered',
  });
  check('hangs up', fault.hangUp(), { events: 0, message: /Connection error/, outcome: 'cut' });
  check('drips', reply(long, { delayMsPerEvent: 1 }), {
    events: all.length,
    message: /^no error$/,
    outcome: 'answered',
  });

  it('delivers every byte before it drops', async () => {
    await start([]);
    const bytes = (await rawAnswer(server, long)).length;
    for (let count = 1; count < bytes; count += 37) {
      assert.equal((await rawAnswer(server, reply(long, fault.dropAfterBytes(count)))).length, count);
    }
  });

  it('sends headers of its own', async () => {
    const client = await start([fault.status(429, { retryAfter: 99999 })]);
    const failure = await client.messages.create(request).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.ok(failure instanceof Anthropic.RateLimitError);
    assert.equal(failure.headers.get('retry-after'), '99999');
    assert.equal(failure.requestID, 'req_0001');
  });

  for (const [name, said, count] of [
    ['after some events', reply(long, fault.stallAfter(2)), 2],
    ['after the headers', reply(long, fault.stallAfter(0)), 0],
    ['before the headers', fault.silence(), 0],
  ] as const) {
    it(`stalls ${name} until the client gives up`, async () => {
      const client = await start([said]);
      const abort = new AbortController();
      const heard = listenUntilAborted(client, abort.signal);
      const answers = said.fault?.kind === 'silence' ? undefined : 200;
      await server.until(() => server.requests[0]?.body !== undefined && server.requests[0].status === answers);
      await heard.reached(count);
      abort.abort();
      assert.deepEqual(await heard.events, all.slice(0, count));
      await server.until(() => server.requests[0]?.outcome === 'aborted');
    });
  }

  it('closes while streams are open', async () => {
    const client = await start([fault.silence()]);
    const heard = listen(client);
    await server.until(() => server.requests.length === 1);
    await server.close();
    assert.match((await heard).error?.message ?? '', /Connection error/);
  });
});

/** Streams with a signal; `reached` resolves when so many events have come. */
function listenUntilAborted(
  client: Anthropic,
  signal: AbortSignal,
): { events: Promise<RawMessageStreamEvent[]>; reached: (count: number) => Promise<void> } {
  const events: RawMessageStreamEvent[] = [];
  let progressed = (): void => undefined;
  const run = async (): Promise<RawMessageStreamEvent[]> => {
    try {
      for await (const event of await client.messages.create({ ...request, stream: true }, { signal })) {
        events.push(event);
        progressed();
      }
    } catch (error) {
      if (!(error instanceof Anthropic.APIUserAbortError)) throw error;
    }
    return events;
  };
  const reached = (count: number): Promise<void> =>
    new Promise((resolve) => {
      progressed = () => {
        if (events.length >= count) resolve();
      };
      progressed();
    });
  return { events: run(), reached };
}
