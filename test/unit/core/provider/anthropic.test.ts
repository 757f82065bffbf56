// The provider over the real SDK against the scripted server: what it sends, what it answers, and every way to fail.
import assert from 'node:assert/strict';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { anthropicProvider, normaliseUrl, type AnthropicOptions } from '../../../../src/core/provider/anthropic';
import { BUNDLED_MODELS } from '../../../../src/core/provider/models';
import { ProviderFault, type ModelEvent, type ModelRequest, type Provider } from '../../../../src/core/provider/types';
import {
  fault,
  ping,
  reply,
  text,
  thinking,
  toolUse,
  unknownEvent,
  type Reply,
} from '../../../support/model-server/scenario';
import { startModelServer, type ModelServer, type ServerOptions } from '../../../support/model-server/server';

const PATIENT = { headerMs: 60_000, idleMs: 60_000 };

const REQUEST: ModelRequest = {
  model: 'claude-sonnet-5-5',
  system: ['You are Lathe.', 'Environment'],
  tools: [
    { name: 'ls', description: 'Lists.', inputSchema: { type: 'object', properties: {} } },
    { name: 'mcp__a__b', description: 'Else.', inputSchema: { type: 'object', properties: {} } },
  ],
  builtInTools: 1,
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'Hi' },
        { type: 'text', text: 'there' },
      ],
    },
  ],
  cacheMarks: [{ message: 0, block: 1 }],
  maxOutputTokens: 1000,
  thinking: 'adaptive',
};

const log = { info: () => {}, warn: (line: string) => void warnings.push(line), error: () => {} };
let warnings: string[] = [];
let server: ModelServer;

function provider(options: Partial<AnthropicOptions> = {}): Provider {
  return anthropicProvider({
    host: { web: { fetch }, log },
    baseUrl: server.url,
    apiKey: 'sk-test',
    patience: PATIENT,
    ...options,
  });
}

async function start(replies: Reply[], options: ServerOptions = {}): Promise<void> {
  server = await startModelServer(replies, options);
}

async function collect(
  from: Provider,
  request = REQUEST,
  signal = new AbortController().signal,
): Promise<ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of from.stream(request, signal)) events.push(event);
  return events;
}

async function faultFrom(run: Promise<unknown>): Promise<{ kind: string; message: string }> {
  const error = await run.then(
    () => assert.fail('It went well.'),
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof ProviderFault, String(error));
  return { kind: error.kind, message: error.message.replaceAll(server.url, 'URL') };
}

describe('anthropic provider', () => {
  beforeEach(() => (warnings = []));
  afterEach(() => server.close());

  it('streams a message whole, past pings and events it does not know', async () => {
    const read = toolUse('read', { file_path: 'a' }, { id: 'toolu_1' });
    await start([reply(thinking('Hm', 'sig'), ping(), text(['Hel', 'lo']), unknownEvent('weather'), read)]);
    assert.deepEqual(
      (await collect(provider())).filter(({ type }) => type === 'block' || type === 'stop'),
      [
        { type: 'block', index: 0, block: { type: 'thinking', thinking: 'Hm', signature: 'sig' } },
        { type: 'block', index: 1, block: { type: 'text', text: 'Hello' } },
        {
          type: 'block',
          index: 2,
          block: { type: 'tool_use', id: 'toolu_1', name: 'read', input: { file_path: 'a' } },
        },
        {
          type: 'stop',
          reason: 'tool_use',
          usage: { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 },
        },
      ],
    );
    assert.deepEqual(server.problems(), []);
    assert.equal(server.requests[0]?.outcome, 'answered', 'the connection is not torn down');
  });

  it('takes an answer that ends without message_stop', async () => {
    await start([{ ...reply(text(['Hi'])), ...fault.endAfter(5) }]);
    assert.deepEqual((await collect(provider())).at(-1), {
      type: 'stop',
      reason: 'end_turn',
      usage: { inputTokens: 100, outputTokens: 10, cacheReadTokens: 0, cacheWriteTokens: 0 },
    });
  });

  it('does not wait for a connection that stays open after the last event', async () => {
    await start([{ ...reply(text('Hi')), ...fault.stallAfter(6) }]);
    assert.equal((await collect(provider())).at(-1)?.type, 'stop');
    await server.until(() => server.requests[0]?.outcome === 'aborted');
  });

  it('sends all requests of a session over one connection', async () => {
    await start(Array.from({ length: 10 }, () => reply(text('a'))));
    let connections = 0;
    const count = () => void connections++;
    subscribe('undici:client:connected', count);
    const shared = provider();
    for (let at = 0; at < 10; at++) await collect(shared);
    unsubscribe('undici:client:connected', count);
    assert.equal(connections, 1);
  });

  it('marks the cache at the end of the built-in tools, of the system prompt and where it is told to', async () => {
    await start([reply(text('Hi'))]);
    await collect(provider());
    const cache_control = { type: 'ephemeral' };
    assert.deepEqual(server.messageRequests()[0]?.body, {
      model: 'claude-sonnet-5-5',
      max_tokens: 1000,
      tools: [
        { name: 'ls', description: 'Lists.', input_schema: { type: 'object', properties: {} }, cache_control },
        { name: 'mcp__a__b', description: 'Else.', input_schema: { type: 'object', properties: {} } },
      ],
      system: [
        { type: 'text', text: 'You are Lathe.' },
        { type: 'text', text: 'Environment', cache_control },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'text', text: 'there', cache_control },
          ],
        },
      ],
      thinking: { type: 'adaptive', display: 'summarized' },
      stream: true,
    });
  });

  const checkAuth = (name: string, apiKey: string | undefined, expected: object): void => {
    it(name, async () => {
      await start([reply(text('Hi'))]);
      await collect(
        anthropicProvider({ host: { web: { fetch }, log }, baseUrl: server.url, ...(apiKey ? { apiKey } : {}) }),
      );
      const { authorization, 'x-api-key': key } = server.messageRequests()[0]!.headers;
      assert.deepEqual({ authorization, key }, expected);
    });
  };
  checkAuth('sends a key in both places to a compatible endpoint', 'sk-1', {
    authorization: 'Bearer sk-1',
    key: 'sk-1',
  });
  checkAuth('sends no key when there is none', undefined, { authorization: undefined, key: undefined });

  const checkFault = (
    name: string,
    replies: Reply[],
    kind: string,
    message: RegExp,
    options: ServerOptions = {},
  ): void => {
    it(`${name}: ${kind}`, async () => {
      await start(replies, options);
      const found = await faultFrom(collect(provider()));
      assert.equal(found.kind, kind);
      assert.match(found.message, message);
      assert.doesNotMatch(found.message, /sk-test/);
    });
  };
  const hello = reply(text('Hello, this is an answer'));
  checkFault('a wrong key', [hello], 'auth', /^URL does not accept the API key \(HTTP 401: .*\)\.$/, {
    apiKey: 'other',
  });
  checkFault(
    'a key quoted in the answer',
    [fault.status(401, { message: 'bad key sk-test' })],
    'auth',
    /bad key \[API key\]/,
  );
  checkFault('no credit', [fault.status(400, { message: 'Your credit balance is too low' })], 'auth', /no credit left/);
  checkFault(
    'an unknown model',
    [fault.status(404, { message: 'model: claude-x' })],
    'not_found',
    /“claude-sonnet-5-5”.*lathe\.model/,
  );
  checkFault('a wrong path', [fault.html(404)], 'not_api', /answered with a web page.*lathe\.baseUrl/);
  checkFault(
    'a page instead of the API',
    [fault.html(200)],
    'not_api',
    /URL answered with a web page, not with the Messages API/,
  );
  checkFault('a page of a gateway in trouble', [fault.html(502)], 'server', /HTTP 502\)/);
  checkFault(
    'a redirect, which is not followed',
    [fault.status(307, { headers: { location: 'https://elsewhere.example/v1/messages' } })],
    'not_api',
    /^URL sends on to https:\/\/elsewhere\.example\. .* lathe\.baseUrl\.$/,
  );
  checkFault('rate limit', [fault.status(429)], 'busy', /limiting requests: Scripted 429\.$/);
  checkFault('overload', [fault.status(529)], 'busy', /overloaded/);
  checkFault('500', [fault.status(500)], 'server', /HTTP 500: Scripted 500/);
  checkFault(
    'a refused request',
    [fault.status(400, { message: 'max_tokens: too large' })],
    'invalid',
    /max_tokens: too large/,
  );
  checkFault(
    'a long prompt',
    [fault.status(400, { message: 'prompt is too long: 9 > 8' })],
    'prompt_too_long',
    /new session/,
  );
  checkFault('a huge request', [fault.status(413)], 'prompt_too_long', /new session/);
  checkFault('hung up', [fault.hangUp()], 'network', /The connection to URL broke/);
  checkFault('dropped mid-stream', [{ ...hello, ...fault.dropAfter(3) }], 'network', /The connection to URL/);
  checkFault(
    'ended too early',
    [{ ...hello, ...fault.endAfter(3) }],
    'network',
    /ended before the answer was complete/,
  );
  checkFault(
    'garbage in the stream',
    [{ ...hello, ...fault.garbageAfter(2) }],
    'network',
    /The connection to URL broke/,
  );
  checkFault('overloaded mid-stream', [{ ...hello, ...fault.errorAfter(3) }], 'busy', /overloaded: Overloaded/);
  checkFault(
    'an API error mid-stream',
    [{ ...hello, ...fault.errorAfter(3, 'api_error', 'Oops') }],
    'server',
    /broke off its answer: Oops/,
  );

  const checkRetryAfter = (retryAfter: string, expected: number | undefined): void => {
    it(`retry-after ${retryAfter} means ${expected}`, async () => {
      await start([fault.status(429, { retryAfter })]);
      const error: unknown = await collect(provider()).catch((thrown: unknown) => thrown);
      assert.equal((error as ProviderFault).retryAfterMs, expected);
    });
  };
  checkRetryAfter('2', 2000);
  checkRetryAfter('99999', 60_000);
  checkRetryAfter('Wed, 21 Oct 2026 07:28:00 GMT', undefined);
  checkRetryAfter('soon', undefined);

  it('names the local server that does not run', async () => {
    await start([]);
    await server.close();
    const found = await faultFrom(collect(provider()));
    assert.equal(found.kind, 'network');
    assert.match(found.message, /connection refused\)\. Is the model server running\?/);
  });

  it('says that an address is none', async () => {
    await start([]);
    const found = await faultFrom(collect(provider({ baseUrl: 'http://local host:1' })));
    assert.deepEqual(found, {
      kind: 'not_api',
      message:
        '“http://local host:1” is not an address. Correct the setting lathe.baseUrl, for example http://localhost:11434.',
    });
  });

  it('gives up when headers never come', async () => {
    await start([fault.silence()]);
    const found = await faultFrom(collect(provider({ patience: { headerMs: 30, idleMs: 60_000 } })));
    assert.equal(found.kind, 'stalled');
  });

  it('gives up when the body goes silent, and ends the request', async () => {
    await start([{ ...hello, ...fault.stallAfter(3) }]);
    const events: ModelEvent[] = [];
    const streaming = async () => {
      const stream = provider({ patience: { headerMs: 60_000, idleMs: 100 } }).stream(
        REQUEST,
        new AbortController().signal,
      );
      for await (const event of stream) events.push(event);
    };
    assert.equal((await faultFrom(streaming())).kind, 'stalled');
    assert.equal(events.length, 1);
    await server.until(() => server.messageRequests()[0]?.outcome === 'aborted');
  });

  it('waits as long as bytes come, pings too', async () => {
    await start([reply(text('a'), ping(), ping(), ping(), ping(), text('b'), { delayMsPerEvent: 60 })]);
    const events = await collect(provider({ patience: { headerMs: 60_000, idleMs: 400 } }));
    assert.equal(events.at(-1)?.type, 'stop');
  });

  const checkAbort = (name: string, replies: Reply[], isDue: (seen: number) => boolean): void => {
    it(`stops ${name}`, async () => {
      await start(replies);
      const stop = new AbortController();
      let seen = 0;
      if (isDue(0)) void server.until(() => server.requests.length > 0).then(() => stop.abort());
      const streaming = async () => {
        for await (const _ of provider().stream(REQUEST, stop.signal)) if (isDue(++seen)) stop.abort();
      };
      assert.equal((await faultFrom(streaming())).kind, 'aborted');
      await server.until(() => server.messageRequests()[0]?.outcome === 'aborted');
    });
  };
  checkAbort('before the headers', [fault.silence()], () => true);
  checkAbort('after the first event', [{ ...hello, ...fault.stallAfter(4) }], (seen) => seen === 1);
  checkAbort('while nothing comes', [{ ...hello, ...fault.stallAfter(0) }], (seen) => seen === 0);

  it('lists the models that may be used', async () => {
    await start([]);
    const from = provider();
    assert.deepEqual((await from.models())[0], {
      id: 'claude-sonnet-5-5',
      label: 'Claude Sonnet 5.5',
      contextWindow: 1_000_000,
      maxOutputTokens: 128_000,
      readsImages: true,
      thinks: true,
    });
    const ids = (await from.models()).map(({ id }) => id);
    assert.deepEqual(ids, ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5']);
    assert.equal(server.requests.length, 1, 'asked once');
  });

  it('falls back to the bundled models, and asks again the next time', async () => {
    await start([], { apiKey: 'other' });
    const from = provider();
    assert.deepEqual(await from.models(), BUNDLED_MODELS);
    assert.deepEqual(await from.models(), BUNDLED_MODELS);
    assert.equal(server.requests.length, 2);
    assert.match(warnings[0] ?? '', /could not be listed: .* does not accept the API key/);
  });
});

describe('anthropic provider: addresses', () => {
  const check = (written: string, expected: string): void => {
    it(`${written} means ${expected}`, () => assert.equal(normaliseUrl(written), expected));
  };
  check('', '');
  check(' http://localhost:11434/ ', 'http://localhost:11434');
  check('localhost:11434', 'http://localhost:11434');
  check('https://api.minimax.io/anthropic', 'https://api.minimax.io/anthropic');
  check('https://api.anthropic.com/v1', 'https://api.anthropic.com');
  check('http://localhost:1234/v1/messages', 'http://localhost:1234');
});
