// The scripted model server against the real SDK: what it streams, its other endpoints, what it remembers.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import Anthropic from '@anthropic-ai/sdk';
import type { Message, StopReason } from '@anthropic-ai/sdk/resources/messages';
import fc from 'fast-check';
import { clientOf, listen, rawAnswer, request, type Heard } from '../../support/model-server/listen';
import { signatureOf } from '../../support/model-server/message';
import {
  ping,
  redactedThinking,
  reply,
  text,
  thinking,
  toolUse,
  unknownEvent,
  type Block,
  type Reply,
  type Scenario,
} from '../../support/model-server/scenario';
import { startModelServer, type ModelServer, type ServerOptions } from '../../support/model-server/server';

let server: ModelServer;

async function start(scenario: Scenario | Reply[], options: ServerOptions = {}): Promise<Anthropic> {
  server = await startModelServer(scenario, options);
  return clientOf(server);
}

describe('model server: streams', () => {
  afterEach(() => server.close());

  it('writes the bytes of the API', async () => {
    await start([]);
    const said = reply(text(['Hel', 'lo']), ping(), { usage: { cache_read_input_tokens: 7 } });
    const bytes = await rawAnswer(server, said);
    assert.deepEqual(bytes.toString('utf8').split('\n\n'), [
      'event: message_start\ndata: {"type":"message_start","message":{"id":"msg_0001","type":"message","role":"assistant","model":"claude-test","content":[],"container":null,"diagnostics":null,"stop_reason":null,"stop_sequence":null,"stop_details":null,"usage":{"input_tokens":100,"output_tokens":1,"cache_creation_input_tokens":0,"cache_read_input_tokens":7,"cache_creation":null,"inference_geo":null,"output_tokens_details":null,"server_tool_use":null,"service_tier":"standard","speed":null}}}',
      'event: content_block_start\ndata: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":"","citations":null}}',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}',
      'event: content_block_delta\ndata: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo"}}',
      'event: content_block_stop\ndata: {"type":"content_block_stop","index":0}',
      'event: ping\ndata: {"type":"ping"}',
      'event: message_delta\ndata: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null,"stop_details":null,"container":null},"usage":{"input_tokens":100,"cache_creation_input_tokens":0,"cache_read_input_tokens":7,"output_tokens":10,"output_tokens_details":null,"server_tool_use":null}}',
      'event: message_stop\ndata: {"type":"message_stop"}',
      '',
    ]);
  });

  const check = (name: string, block: Block, expected: object[]): void => {
    it(name, async () => {
      const { events } = await listen(await start([reply(block)]));
      assert.deepEqual(
        events.filter((event) => event.type.startsWith('content_block')),
        [...expected, { type: 'content_block_stop', index: 0 }],
      );
    });
  };
  const begin = (content_block: object): object => ({ type: 'content_block_start', index: 0, content_block });
  const delta = (change: object): object => ({ type: 'content_block_delta', index: 0, delta: change });
  const callStart = { type: 'tool_use', id: 'toolu_0001_0', name: 'read', input: {}, caller: { type: 'direct' } };

  check('splits a text by itself, between whole characters', text('twelve chars😀 and on'), [
    begin({ type: 'text', text: '', citations: null }),
    delta({ type: 'text_delta', text: 'twelve chars' }),
    delta({ type: 'text_delta', text: '😀 and on' }),
  ]);
  check('signs a thought', thinking('Hm.'), [
    begin({ type: 'thinking', thinking: '', signature: '' }),
    delta({ type: 'thinking_delta', thinking: 'Hm.' }),
    delta({ type: 'signature_delta', signature: signatureOf('Hm.') }),
  ]);
  check('hides a thought', redactedThinking('c2VjcmV0'), [begin({ type: 'redacted_thinking', data: 'c2VjcmV0' })]);
  check('splits the JSON of a tool call', toolUse('read', { path: 'src/sum.ts' }), [
    begin(callStart),
    delta({ type: 'input_json_delta', partial_json: '' }),
    delta({ type: 'input_json_delta', partial_json: '{"path":"src' }),
    delta({ type: 'input_json_delta', partial_json: '/sum.ts"}' }),
  ]);
  check('sends broken tool JSON as it is', toolUse('read', '{"path":', { deltas: ['{"pa', 'th":'] }), [
    begin(callStart),
    delta({ type: 'input_json_delta', partial_json: '' }),
    delta({ type: 'input_json_delta', partial_json: '{"pa' }),
    delta({ type: 'input_json_delta', partial_json: 'th":' }),
  ]);

  it('streams what it answers whole, however the bytes are cut', async () => {
    const client = await start([]);
    const words = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const block = fc.oneof(
      words.map((content) => text(content)),
      words.map((content) => thinking(content)),
      words.map((content) => redactedThinking(content)),
      fc
        .dictionary(words, fc.jsonValue())
        .map((input) => toolUse('read', JSON.parse(JSON.stringify(input)) as Record<string, unknown>)),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(block, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 200 }),
        async (blocks, size) => {
          const said = reply(
            ...blocks.map((item, at) => (item.type === 'tool_use' ? { ...item, id: `call_${String(at)}` } : item)),
          );
          server.push({ ...said, id: 'msg_same', bytesPerWrite: size, times: 2 });
          const whole = await client.messages.create(request);
          const streamed = await client.messages.stream(request).finalMessage();
          assert.deepEqual(plain(streamed), plain(whole));
        },
      ),
      { numRuns: 30 },
    );
    assert.deepEqual(server.problems(), []);
  });

  it('gives figures of usage, at the start and at the end', async () => {
    const usage = {
      input_tokens: 12,
      output_tokens: 34,
      cache_read_input_tokens: 5,
      cache_creation_input_tokens: 6,
      cache_creation: { ephemeral_5m_input_tokens: 6, ephemeral_1h_input_tokens: 0 },
      output_tokens_details: { thinking_tokens: 20 },
    };
    const message = await (await start([reply(text('Hi'), { usage })])).messages.stream(request).finalMessage();
    assert.deepEqual(message.usage, {
      ...usage,
      inference_geo: null,
      server_tool_use: null,
      service_tier: 'standard',
      speed: null,
    });
  });

  const stops: [Reply, Pick<Message, 'stop_reason' | 'stop_sequence' | 'stop_details'>][] = [
    [reply(text('Done')), stop('end_turn')],
    [reply(toolUse('read', {})), stop('tool_use')],
    [reply(text('Too lo'), { stopReason: 'max_tokens' }), stop('max_tokens')],
    [
      reply(text('a'), { stopReason: 'stop_sequence', stopSequence: 'END' }),
      { ...stop('stop_sequence'), stop_sequence: 'END' },
    ],
    [reply(text('Searching'), { stopReason: 'pause_turn' }), stop('pause_turn')],
    [
      reply(text('No'), { stopReason: 'refusal' }),
      { ...stop('refusal'), stop_details: { type: 'refusal', category: null, explanation: null } },
    ],
    [reply(text('a'), { stopReason: 'model_context_window_exceeded' }), stop('model_context_window_exceeded')],
  ];
  for (const [said, expected] of stops) {
    it(`stops with ${String(expected.stop_reason)}`, async () => {
      const message = await (await start([said])).messages.stream(request).finalMessage();
      const { stop_reason, stop_sequence, stop_details } = message;
      assert.deepEqual({ stop_reason, stop_sequence, stop_details }, expected);
    });
  }

  it('lets events pass that the client does not know', async () => {
    const { events } = await listen(await start([reply(unknownEvent('weather', { rain: true }), text('Hi'))]));
    assert.deepEqual(events[1], { type: 'weather', rain: true });
  });
});

describe('model server: other endpoints, keys, records', () => {
  afterEach(() => server.close());

  it('counts tokens', async () => {
    const client = await start({ replies: [], countedTokens: 321 });
    const { model, messages } = request;
    assert.deepEqual(plain(await client.messages.countTokens({ model, messages })), { input_tokens: 321 });
  });

  it('lists models in pages, both ways, and finds one', async () => {
    const client = await start([]);
    const forward: string[] = [];
    for await (const { id } of client.models.list({ limit: 3 })) forward.push(id);
    const backward: string[] = [];
    for await (const { id } of client.models.list({ limit: 1, before_id: 'claude-opus-5' })) backward.push(id);
    const deprecated = (await client.models.list({ lifecycle: ['deprecated'] })).data.map(({ id }) => id);
    const { max_input_tokens, max_tokens, capabilities } = await client.models.retrieve('claude-sonnet-5-5');
    assert.deepEqual(
      { forward, backward, deprecated, max_input_tokens, max_tokens, thinks: capabilities?.thinking.supported },
      {
        forward: ['claude-sonnet-5-5', 'claude-haiku-5-5', 'claude-opus-5', 'claude-opus-4-1'],
        backward: ['claude-haiku-5-5', 'claude-sonnet-5-5'],
        deprecated: ['claude-opus-4-1'],
        max_input_tokens: 1_000_000,
        max_tokens: 128_000,
        thinks: true,
      },
    );
    await assert.rejects(client.models.retrieve('claude-0').asResponse(), Anthropic.NotFoundError);
  });

  it('lets in only who has the key', async () => {
    await start([reply(text('Hi'), { times: 'always' })], { apiKey: 'right' });
    const plainHeader = { apiKey: null, authToken: null, defaultHeaders: { 'x-api-key': 'right' } };
    const clients = {
      right: clientOf(server, 'right'),
      header: new Anthropic({ ...plainHeader, baseURL: server.url, maxRetries: 0 }),
      wrong: clientOf(server, 'wrong'),
    };
    const errors: Heard['error'][] = [];
    for (const client of Object.values(clients)) errors.push((await listen(client)).error);
    assert.deepEqual(errors, [
      undefined,
      undefined,
      {
        status: 401,
        type: 'authentication_error',
        message:
          '401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"},"request_id":"req_0003"}',
      },
    ]);
  });

  it('remembers each request whole', async () => {
    await listen(await start([reply(text('Hi'))]));
    await server.until(() => server.requests[0]?.outcome === 'answered');
    const [asked] = server.messageRequests() as [ModelServer['requests'][number]];
    const { headers, arrivedMs, answeredMs, ...record } = asked;
    const body = { ...request, stream: true };
    assert.deepEqual(record, {
      method: 'POST',
      path: '/v1/messages',
      bodyText: JSON.stringify(body),
      body,
      status: 200,
      outcome: 'answered',
    });
    assert.equal(headers.authorization, 'Bearer key');
    assert.ok(answeredMs !== undefined && answeredMs >= arrivedMs);
  });

  it('survives a client that leaves in the middle of its request', async () => {
    const client = await start([reply(text('Hi'))]);
    const socket = connect(server.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"model"');
    await server.until(() => server.requests.length === 1);
    socket.destroy();
    await server.until(() => server.requests[0]?.outcome === 'aborted');
    assert.equal((await listen(client)).error, undefined);
  });
});

function stop(stop_reason: StopReason): Pick<Message, 'stop_reason' | 'stop_sequence' | 'stop_details'> {
  return { stop_reason, stop_sequence: null, stop_details: null };
}

/** Without what the SDK adds to an answer. */
function plain(value: unknown): unknown {
  const { parsed_output: _, ...rest } = JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest, (key, item: unknown) => (key === 'parsed_output' ? undefined : item)));
}
