// Raw stream events to the loop's events: what each kind of block becomes, bad tool JSON included.
import assert from 'node:assert/strict';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { MessageAccumulator } from '../../../../src/core/provider/accumulate';
import type { ModelEvent } from '../../../../src/core/provider/types';

/** Events as JSON, since endpoints send shapes that the SDK's types do not allow. */
function accumulate(events: readonly object[]): ModelEvent[] {
  const message = new MessageAccumulator();
  return events.flatMap((event) => message.add(event as RawMessageStreamEvent));
}

function start(content_block: object): object {
  return { type: 'content_block_start', index: 0, content_block };
}

function deltas(type: string, field: string, parts: readonly string[]): object[] {
  return parts.map((part) => ({ type: 'content_block_delta', index: 0, delta: { type, [field]: part } }));
}

const STOP = { type: 'content_block_stop', index: 0 };

function toolUse(...json: string[]): object[] {
  const block = { type: 'tool_use', id: 'toolu_1', name: 'read', input: {} };
  return [start(block), ...deltas('input_json_delta', 'partial_json', json), STOP];
}

describe('accumulate: blocks', () => {
  const check = (name: string, events: readonly object[], expected: readonly ModelEvent[]): void => {
    it(name, () => assert.deepEqual(accumulate(events), expected));
  };

  check(
    'text comes in pieces and then whole',
    [start({ type: 'text', text: '' }), ...deltas('text_delta', 'text', ['Hel', '', 'lo']), { type: 'ping' }, STOP],
    [
      { type: 'text', index: 0, text: 'Hel' },
      { type: 'text', index: 0, text: 'lo' },
      { type: 'block', index: 0, block: { type: 'text', text: 'Hello' } },
    ],
  );
  check(
    'thinking keeps its signature',
    [
      start({ type: 'thinking', thinking: '', signature: '' }),
      ...deltas('thinking_delta', 'thinking', ['Let ', 'me see']),
      ...deltas('signature_delta', 'signature', ['c2ln', 'bmVk']),
      STOP,
    ],
    [
      { type: 'thinking', index: 0, text: 'Let ' },
      { type: 'thinking', index: 0, text: 'me see' },
      { type: 'block', index: 0, block: { type: 'thinking', thinking: 'Let me see', signature: 'c2lnbmVk' } },
    ],
  );
  check(
    'redacted thinking is kept as it came',
    [start({ type: 'redacted_thinking', data: 'opaque' }), STOP],
    [{ type: 'block', index: 0, block: { type: 'redacted_thinking', data: 'opaque' } }],
  );
  check('a block of an unknown type is no block', [start({ type: 'hologram', data: 'x' }), STOP], []);
  check('an event of an unknown type says nothing', [{ type: 'weather', rain: true }], []);
  check('a piece without its block says nothing', [...deltas('text_delta', 'text', ['lost']), STOP], []);
  check(
    'blocks that all have the same index, or none, are told apart',
    [
      start({ type: 'text', text: 'a' }),
      STOP,
      start({ type: 'text', text: 'b' }),
      { type: 'content_block_start', content_block: { type: 'text', text: 'c' } },
      start({ type: 'text', text: 'd' }),
    ],
    [
      { type: 'text', index: 0, text: 'a' },
      { type: 'block', index: 0, block: { type: 'text', text: 'a' } },
      { type: 'text', index: 1, text: 'b' },
      { type: 'text', index: 2, text: 'c' },
      { type: 'block', index: 1, block: { type: 'text', text: 'b' } },
      { type: 'text', index: 3, text: 'd' },
    ],
  );
  check(
    'pieces without what they should hold are empty',
    [
      { type: 'content_block_start', index: 0 },
      start({ type: 'tool_use' }),
      { type: 'content_block_delta', index: 0, delta: null },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta' } },
      STOP,
    ],
    [
      { type: 'input', index: 0, id: '', name: '', chars: 0 },
      { type: 'input', index: 0, id: '', name: '', chars: 0 },
      { type: 'block', index: 0, block: { type: 'tool_use', id: '', name: '', input: {} } },
    ],
  );
  check('a block that never stops is never whole', toolUse('{"a":1}').slice(0, -1), [
    { type: 'input', index: 0, id: 'toolu_1', name: 'read', chars: 0 },
    { type: 'input', index: 0, id: 'toolu_1', name: 'read', chars: 7 },
  ]);
});

/** Deep enough to end the stack of whatever walks through it. */
const DEEP = `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;

describe('accumulate: tool inputs', () => {
  const check = (name: string, events: readonly object[], expected: object): void => {
    it(name, () => {
      const block = { type: 'tool_use', id: 'toolu_1', name: 'read', ...expected };
      assert.deepEqual(accumulate(events).at(-1), { type: 'block', index: 0, block });
    });
  };
  const malformed = (raw: string, fault: string) => ({ input: {}, malformed: { raw, fault } });

  check('split anywhere', toolUse('', '{"pa', 'th":"a\\', '"b"}'), { input: { path: 'a"b' } });
  check('no arguments', toolUse('', ''), { input: {} });
  check(
    'an input that came at once, with the start',
    [start({ type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a' } }), STOP],
    { input: { path: 'a' } },
  );
  check('a syntax error', toolUse('{"path":"a",}'), malformed('{"path":"a",}', 'syntax'));
  check('cut inside a string', toolUse('{"path":"a'), malformed('{"path":"a', 'truncated'));
  check('cut after an escape', toolUse('{"path":"a\\'), malformed('{"path":"a\\', 'truncated'));
  check('cut between members', toolUse('{"edits":[{"a":"}"}'), malformed('{"edits":[{"a":"}"}', 'truncated'));
  check('no object', toolUse('["a"]'), malformed('["a"]', 'not-an-object'));
  check('nested beyond sense', toolUse(DEEP), malformed(DEEP, 'too-deep'));
  check(
    'nested beyond sense, with the start',
    [start({ type: 'tool_use', id: 'toolu_1', name: 'read', input: JSON.parse(DEEP) as object }), STOP],
    malformed('', 'too-deep'),
  );
  check('a name longer than any', [start({ type: 'tool_use', id: 'toolu_1', name: 'x'.repeat(9999) }), STOP], {
    name: 'x'.repeat(128),
    input: {},
  });
  check('null', toolUse('null'), malformed('null', 'not-an-object'));
});

describe('accumulate: the end', () => {
  const check = (name: string, events: readonly object[], expected: object): void => {
    it(name, () =>
      assert.deepEqual(accumulate([...events, { type: 'message_stop' }]).at(-1), { type: 'stop', ...expected }),
    );
  };
  const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

  check(
    'figures are totals: the later one counts, what is left out stays',
    [
      {
        type: 'message_start',
        message: {
          usage: { input_tokens: 7, cache_read_input_tokens: 5, cache_creation_input_tokens: 3, output_tokens: 1 },
        },
      },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' }, usage: { input_tokens: null, output_tokens: 42 } },
    ],
    { reason: 'max_tokens', usage: { inputTokens: 7, outputTokens: 42, cacheReadTokens: 5, cacheWriteTokens: 3 } },
  );
  check('no reason, no calls', [{ type: 'message_start', message: {} }], { reason: 'end_turn', usage: none });
  check('no reason, but a call', toolUse('{}'), { reason: 'tool_use', usage: none });
  check('a reason that nobody knows', [{ type: 'message_delta', delta: { stop_reason: 'bored' } }], {
    reason: 'end_turn',
    usage: none,
  });

  it('what has not ended by then is whole, unless the message was cut', () => {
    const call = toolUse('{"a":1}').slice(0, -1);
    const kinds = (reason: string) =>
      accumulate([...call, { type: 'message_delta', delta: { stop_reason: reason } }, { type: 'message_stop' }])
        .filter(({ type }) => type !== 'input')
        .map(({ type }) => type);
    assert.deepEqual(kinds('tool_use'), ['block', 'stop']);
    assert.deepEqual(kinds('max_tokens'), ['stop']);
  });

  it('a stream that ends without saying so is complete once its reason is known', () => {
    const message = new MessageAccumulator();
    assert.deepEqual(message.endOfStream(), []);
    message.add({ type: 'message_delta', delta: { stop_reason: 'end_turn' } } as RawMessageStreamEvent);
    assert.deepEqual(message.endOfStream(), [{ type: 'stop', reason: 'end_turn', usage: none }]);
  });
});
