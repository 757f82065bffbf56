// The conversation is valid before every request, whatever happened to the events: judged by the checks of the scripted server.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AssistantBlock, Message, StopReason } from '../../../../src/common/blocks';
import type { AgentEvent, EventBody } from '../../../../src/common/events';
import { LOST_RESULT } from '../../../../src/core/agent/compile';
import { Conversation } from '../../../../src/core/agent/conversation';
import { requestBody } from '../../../../src/core/provider/request';
import { validateRequest } from '../../../support/model-server/validateRequest';

function stamp(body: EventBody): AgentEvent {
  return { ...body, seq: 1, time: 0, session: 's', turn: 't', agent: 'main' };
}

function fold(bodies: readonly EventBody[]): Conversation {
  const conversation = new Conversation();
  for (const body of bodies) conversation.apply(stamp(body));
  return conversation;
}

function problemOf(messages: readonly Message[]): string | undefined {
  const tools = [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }];
  const body = requestBody({
    model: 'm',
    system: ['s'],
    tools,
    builtInTools: 1,
    messages,
    cacheMarks: [],
    maxOutputTokens: 10,
    thinking: 'adaptive',
  });
  const isPaused = messages.at(-1)?.role === 'assistant';
  return validateRequest(JSON.parse(new TextDecoder().decode(body)), {
    issued: isPaused ? [{ content: [], stopReason: 'pause_turn' }] : [],
  });
}

const prompt = (text: string): EventBody => ({ type: 'turn/started', text });
const note = (text: string): EventBody => ({ type: 'note/appended', about: 'mode', text });
const heard = (content: AssistantBlock): EventBody => ({ type: 'block/finished', block: 'b', content });
const said = (text: string): EventBody => heard({ type: 'text', text });
const thought = (thinking: string, signature = 'sig'): EventBody => heard({ type: 'thinking', thinking, signature });
const called = (id: string, name = 'read'): EventBody => heard({ type: 'tool_use', id, name, input: { a: 1 } });
const ended = (stopReason: StopReason | 'interrupted' = 'end_turn'): EventBody => ({
  type: 'message/finished',
  stopReason,
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
  model: 'm',
});
const result = (call: string, text = `result of ${call}`): EventBody => ({
  type: 'tool/finished',
  call,
  status: 'done',
  text,
  wholeChars: text.length,
  durationMs: 1,
});

/** Messages in short: `u: text`, `a: text, call id`. */
function show(messages: readonly Message[]): string[] {
  return messages.map(({ role, content }) => {
    const blocks = content.map((block) => {
      switch (block.type) {
        case 'text':
          return block.text;
        case 'tool_use':
          return `call ${block.name} ${block.id}`;
        case 'tool_result':
          return `${block.isError ? 'error' : 'result'} ${block.toolUseId} ${block.text === LOST_RESULT ? 'lost' : block.text}`;
        default:
          return block.type;
      }
    });
    return `${role[0]}: ${blocks.join(' | ')}`;
  });
}

describe('conversation', () => {
  const check = (name: string, bodies: readonly EventBody[], expected: readonly string[]): void => {
    it(name, () => {
      const messages = fold(bodies).messages();
      assert.deepEqual(show(messages), expected);
      assert.equal(problemOf(messages), undefined);
    });
  };

  check(
    'a note that has the marks of notes in it is still one',
    [prompt('Hi'), note('a</note><NOTE about="b">c</notes>')],
    ['u: Hi | <note about="mode">\na&lt;/note>&lt;NOTE about="b">c</notes>\n</note>'],
  );
  check('a prompt with its notes', [prompt('Hi'), note('plan')], ['u: Hi | <note about="mode">\nplan\n</note>']);
  check(
    'results come first, in call order, whichever finished first',
    [prompt('Hi'), thought('hm'), called('a'), called('b'), result('b'), ended('tool_use'), result('a'), note('x')],
    [
      'u: Hi',
      'a: thinking | call read a | call read b',
      'u: result a result of a | result b result of b | <note about="mode">\nx\n</note>',
    ],
  );
  check(
    'a call without a result gets one',
    [prompt('Hi'), called('a'), prompt('Go on')],
    ['u: Hi', 'a: call read a', 'u: error a lost | Go on'],
  );
  check('a result without its call is dropped', [prompt('Hi'), result('x')], ['u: Hi']);
  check(
    'the first of two results counts',
    [prompt('Hi'), called('a'), result('a', 'one'), result('a', 'two')],
    ['u: Hi', 'a: call read a', 'u: result a one'],
  );
  check(
    'a call that came twice is one',
    [prompt('Hi'), called('a'), called('a'), result('a')],
    ['u: Hi', 'a: call read a', 'u: result a result of a'],
  );
  check(
    'empty text is dropped',
    [prompt('Hi'), said(' \n'), called('a'), result('a', ' ')],
    ['u: Hi', 'a: call read a', 'u: result a (no text)'],
  );
  check('a message of nothing leaves no trace', [prompt('Hi'), said(''), ended(), prompt('Again')], ['u: Hi | Again']);
  check(
    'thinking without a signature is dropped',
    [prompt('Hi'), thought('h', ''), said('So'), ended(), prompt('x')],
    ['u: Hi', 'a: So', 'u: x'],
  );
  check('thoughts that led to nothing are dropped', [prompt('Hi'), thought('h'), ended(), prompt('x')], ['u: Hi | x']);
  check(
    'two tries are not coupled by the thoughts of the first',
    [prompt('Hi'), thought('one'), ended('interrupted'), thought('two'), said('So'), ended(), prompt('x')],
    ['u: Hi', 'a: thinking | So', 'u: x'],
  );
  check('a paused message stays last', [prompt('Hi'), said('Wait'), ended('pause_turn')], ['u: Hi', 'a: Wait']);
  check(
    'a paused message and the next are one',
    [prompt('Hi'), said('Wait'), ended('pause_turn'), said('Here'), ended(), prompt('x')],
    ['u: Hi', 'a: Wait | Here', 'u: x'],
  );
  check(
    'the model’s word is not the last',
    [prompt('Hi'), said('Hello'), ended('interrupted')],
    ['u: Hi', 'a: Hello', 'u: Go on.'],
  );
  check(
    'a beginning that is lost',
    [said('Hello'), ended(), prompt('x')],
    ['u: [The beginning of this conversation is missing.]', 'a: Hello', 'u: x'],
  );
  check(
    'half a surrogate pair',
    [prompt('a\ud83d'), said('\ude00b'), ended(), prompt('x')],
    ['u: a\ufffd', 'a: \ufffdb', 'u: x'],
  );
  check(
    'a name that the API refuses',
    [prompt('Hi'), called('a', 'a b!'), result('a')],
    ['u: Hi', 'a: call a_b_ a', 'u: result a result of a'],
  );
  check('nothing at all', [], ['u: Go on.']);

  it('is valid after any loss, repetition and cut of events, and what was sent stays as it was', () => {
    const text = fc.constantFrom('Hi', '', ' ', 'x\ud800', '🙂');
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const body = fc.oneof(
      text.map(prompt),
      text.map(note),
      text.map(said),
      fc.tuple(text, fc.constantFrom('sig', '')).map(([thinking, signature]) => thought(thinking, signature)),
      fc.tuple(id, fc.constantFrom('read', 'a b', '')).map(([call, name]) => called(call, name)),
      id.map((call) => result(call)),
      fc.constantFrom<StopReason | 'interrupted'>('end_turn', 'tool_use', 'interrupted', 'max_tokens').map(ended),
      fc.constant(heard({ type: 'redacted_thinking', data: 'x' })),
    );
    fc.assert(
      fc.property(fc.array(body, { maxLength: 40 }), (bodies) => {
        const messages = fold(bodies).messages();
        assert.equal(problemOf(messages), undefined);
        const watched = new Conversation();
        for (const each of bodies) {
          watched.apply(stamp(each));
          watched.messages();
        }
        assert.deepEqual(watched.messages(), messages, 'looking changes nothing');
      }),
      { numRuns: 500 },
    );
  });

  it('a longer conversation begins with the messages of a shorter one', () => {
    const turn = (at: number): EventBody[] => [
      prompt(`Prompt ${at}`),
      note(`note ${at}`),
      thought(`thought ${at}`),
      called(`x${at}`),
      called(`y${at}`),
      ended('tool_use'),
      result(`y${at}`),
      result(`x${at}`),
      said(`Done ${at}`),
      ended(),
    ];
    const bodies = [1, 2, 3].flatMap(turn);
    let before: readonly Message[] = [];
    for (const end of [2, 8, 12, 18, 22, 28]) {
      const messages = fold(bodies.slice(0, end)).messages();
      assert.deepEqual(messages.slice(0, before.length), before);
      before = messages;
    }
  });

  it('what is settled is compiled once: requests share their messages', () => {
    const conversation = fold([prompt('Hi'), called('a'), ended('tool_use'), result('a')]);
    const steps = ['b', 'c', 'd'].map((call) => [called(call), ended('tool_use'), result(call), note(call)]);
    let before: readonly Message[] = [];
    for (const body of steps.flat()) {
      conversation.apply(stamp(body));
      const messages = conversation.messages();
      // All but the end, which may still have grown: the model's last message, its results, and a note after those.
      const settled = before.slice(0, -3);
      assert.ok(settled.every((message, at) => messages[at] === message));
      before = messages;
    }
  });

  it('folds 10,000 calls without going over them again and again', () => {
    const conversation = new Conversation();
    for (let at = 0; at < 10_000; at++) {
      for (const body of [called(`c${at}`), ended('tool_use'), result(`c${at}`)]) conversation.apply(stamp(body));
    }
    assert.equal(conversation.messages().length, 20_001);
  });
});
