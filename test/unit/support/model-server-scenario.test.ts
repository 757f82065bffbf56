// How the scripted model server chooses its replies, and how a scenario is read from JSON.
import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import type { MessageParam, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { clientOf, listen, request } from '../../support/model-server/listen';
import { parseScenario } from '../../support/model-server/load';
import {
  fault,
  matching,
  ping,
  redactedThinking,
  reply,
  text,
  thinking,
  toolUse,
  type Reply,
  type Scenario,
} from '../../support/model-server/scenario';
import { startModelServer, type ModelServer, type ServerOptions } from '../../support/model-server/server';

let server: ModelServer;

async function start(scenario: Scenario | Reply[], options: ServerOptions = {}): Promise<Anthropic> {
  server = await startModelServer(scenario, options);
  return clientOf(server);
}

describe('model server: scenarios', () => {
  afterEach(() => server.close());

  it('carries a whole turn: thinking, two calls, their results, an answer', async () => {
    const client = await start([
      reply(thinking('Both at once.'), toolUse('read', { path: 'a' }), toolUse('read', { path: 'b' })),
      reply(text('Read.'), { when: { lastToolResult: 'second' } }),
    ]);
    const first = await client.messages.stream({ ...request, thinking: { type: 'adaptive' } }).finalMessage();
    const history = (content: MessageParam['content']): MessageParam[] => [
      ...request.messages,
      { role: 'assistant', content },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'toolu_0001_1', content: 'first' },
          { type: 'tool_result', tool_use_id: 'toolu_0001_2', content: [{ type: 'text', text: 'second' }] },
        ],
      },
    ];
    const changed = await listen(
      client,
      history([{ ...first.content[0], thinking: 'No.' } as never, ...first.content.slice(1)]),
    );
    assert.match(changed.error?.message ?? '', /messages\.1\.content\.0: Invalid `signature` in `thinking` block/);
    assert.equal(server.repliesLeft(), 1);
    assert.equal((await listen(client, history(first.content))).error, undefined);
    assert.deepEqual(server.problems(), ['messages.1.content.0: Invalid `signature` in `thinking` block']);
  });

  it('says when it has nothing left to say', async () => {
    const client = await start([reply(text('Hi'))]);
    await listen(client);
    const { error } = await listen(client);
    assert.match(error?.message ?? '', /^400 .*scenario exhausted after 1 replies/);
    assert.deepEqual(server.problems(), ['scenario exhausted after 1 replies']);
  });

  it('says which replies are left when none matches', async () => {
    const client = await start([reply(text('Hi'), { when: { lastUserText: matching(/^Bye$/) } })]);
    await listen(client);
    assert.deepEqual(server.problems(), [
      'no reply of the scenario matches this request after 0 replies; left are replies for {"lastUserText":{"pattern":"^Bye$","flags":""}}',
    ]);
  });

  it('repeats, matches, and fills placeholders from options and from what matched', async () => {
    const said = toolUse('output', { task: '{{task}}', in: '{{workspace}}', as: '{{unknown}}' });
    const client = await start(
      {
        placeholders: { workspace: '/scenario' },
        replies: [
          reply(fault.status(529), { times: 2 }),
          reply(said, { when: { lastUserText: matching(/task (?<task>\d+)/i) } }),
          reply(toolUse('output', '{"in":"{{workspace}}'), { times: 'always' }),
        ],
      },
      { placeholders: { workspace: 'C:\\work' } },
    );
    const inputs: (string | undefined)[] = [];
    for (const content of ['a', 'b', 'c', 'Task 42', 'd']) {
      const { events } = await listen(client, [{ role: 'user', content }]);
      inputs.push(events.length === 0 ? undefined : inputOf(events));
    }
    assert.deepEqual(inputs, [
      undefined,
      undefined,
      '{"in":"C:\\\\work',
      '{"task":"42","in":"C:\\\\work","as":"{{unknown}}"}',
      '{"in":"C:\\\\work',
    ]);
  });

  it('is data: what the constructors make survives JSON', () => {
    const scenario: Scenario = {
      replies: [
        reply(text(['a', 'b']), thinking('t', 's'), redactedThinking('r'), toolUse('x', '{'), ping(), {
          times: 'always',
        }),
        reply(text('x'), fault.dropAfter(3), {
          when: { system: matching(/a/i), model: 'm' },
          usage: { input_tokens: 1 },
        }),
        fault.status(429, { retryAfter: 3 }),
        fault.silence(),
      ],
      countedTokens: 3,
    };
    assert.deepEqual(parseScenario(JSON.stringify(scenario)), scenario);
    assert.deepEqual(parseScenario(JSON.stringify(scenario.replies)), { replies: scenario.replies });
  });

  for (const [json, message] of [
    ['3', 'scenario must be an object.'],
    ['{}', 'scenario.replies is missing: it is the list of what the model says.'],
    ['[{}]', 'replies[0] says nothing: give it blocks or a fault.'],
    ['[{"block":[]}]', /^replies\[0\]\.block is unknown; known are when, times, blocks, /],
    [
      '[{"blocks":[{"type":"txt"}]}]',
      'replies[0].blocks[0].type must be one of text, thinking, redacted_thinking, tool_use, event.',
    ],
    ['[{"blocks":[{"type":"text"}]}]', 'replies[0].blocks[0].text must be a string.'],
    ['[{"fault":{"kind":"status","status":"500"}}]', 'replies[0].fault.status must be a number.'],
    ['[{"blocks":[],"when":{"system":3}}]', 'replies[0].when.system must be a string, or {"pattern": …, "flags": …}.'],
  ] as const) {
    it(`refuses the scenario ${json}`, () => {
      assert.throws(() => parseScenario(json), { message });
    });
  }
});

function inputOf(events: RawMessageStreamEvent[]): string {
  return events
    .map((event) =>
      event.type === 'content_block_delta' && event.delta.type === 'input_json_delta' ? event.delta.partial_json : '',
    )
    .join('');
}
