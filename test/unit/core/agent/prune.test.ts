// Old results leave the requests in big steps, and what has been sent once is sent the same again: any sequence of turns through the conversation.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Message, ToolResultBlock } from '../../../../src/common/blocks';
import type { AgentEvent, EventBody, PrunedResult } from '../../../../src/common/events';
import { Conversation } from '../../../../src/core/agent/conversation';
import { IMAGE_CHARS } from '../../../../src/core/agent/prune';
import { parseEntry } from '../../../../src/core/session/load';

const BUDGET_CHARS = 100_000;
const USAGE = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 };

interface Result {
  readonly chars: number;
  readonly images?: number;
  readonly failed?: boolean;
  readonly isStored?: boolean;
  /** It goes on, and may put out more. */
  readonly background?: true;
}

/** One message of the model with these results, and whether the person says something afterwards. */
interface Step {
  readonly results: readonly Result[];
  readonly prompt?: boolean;
}

interface Request {
  readonly messages: readonly Message[];
  readonly pruned: readonly PrunedResult[];
}

/** Plays the loop's part: after each step a request, and before it what is due leaves. */
class Play {
  readonly conversation = new Conversation();
  readonly events: AgentEvent[] = [];
  readonly requests: Request[] = [];
  private calls = 0;

  constructor(private readonly budgetChars: (request: number) => number = () => BUDGET_CHARS) {
    this.emit({ type: 'turn/started', text: 'Go' });
    this.request();
  }

  step({ results, prompt = false }: Step): void {
    const calls = results.map((result) => ({ ...result, call: `c${++this.calls}` }));
    for (const { call } of calls) {
      this.emit({
        type: 'block/finished',
        block: 'b',
        content: { type: 'tool_use', id: call, name: 'probe', input: {} },
      });
    }
    if (calls.length === 0) this.emit({ type: 'block/finished', block: 'b', content: { type: 'text', text: 'Well' } });
    this.emit({ type: 'message/finished', stopReason: 'tool_use', usage: USAGE, model: 'm' });
    for (const { call, chars, images = 0, failed = false, isStored = true, background } of calls) {
      this.emit({
        type: 'tool/finished',
        call,
        status: failed ? 'failed' : 'done',
        text: call.padEnd(chars, '.'),
        images: Array.from({ length: images }, () => ({ type: 'image', mediaType: 'image/png', data: 'x' })),
        wholeChars: isStored ? chars : 0,
        durationMs: 0,
        ...(background ? { background } : {}),
      });
    }
    if (prompt || calls.length === 0) this.emit({ type: 'turn/started', text: `Go on after ${this.calls}` });
    this.request();
  }

  private request(): void {
    const pruned = this.conversation.duePruning(this.budgetChars(this.requests.length));
    if (pruned.length > 0) this.emit({ type: 'results/pruned', results: pruned });
    this.requests.push({ messages: this.conversation.messages(), pruned });
  }

  private emit(body: EventBody): void {
    const event: AgentEvent = { ...body, seq: this.events.length, time: 0, session: 's', turn: 't', agent: 'main' };
    this.events.push(event);
    this.conversation.apply(event);
  }
}

function play(steps: readonly Step[], budgetChars?: (request: number) => number): Play {
  const played = new Play(budgetChars);
  for (const step of steps) played.step(step);
  return played;
}

function resultsOf(messages: readonly Message[]): ToolResultBlock[] {
  return messages.flatMap(({ content }) => content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])));
}

function charsOf({ text, images = [] }: ToolResultBlock): number {
  return text.length + images.length * IMAGE_CHARS;
}

function sum(results: readonly ToolResultBlock[]): number {
  return results.reduce((total, result) => total + charsOf(result), 0);
}

/** The blocks in order, each with its role: results and what follows them share a message that may still grow. */
function flat(messages: readonly Message[]): string[] {
  return messages.flatMap(({ role, content }) => content.map((block) => JSON.stringify([role, block])));
}

/** The request as it has to be repeated: the same, with what is newly pruned replaced. */
function repeated(messages: readonly Message[], pruned: readonly PrunedResult[]): Message[] {
  const texts = new Map(pruned.map(({ call, text }) => [call, text]));
  return messages.map((message) => {
    if (message.role === 'assistant') return message;
    const content = message.content.map((block) => {
      const text = block.type === 'tool_result' ? texts.get(block.toolUseId) : undefined;
      if (block.type !== 'tool_result' || text === undefined) return block;
      const { type, toolUseId, isError } = block;
      return { type, toolUseId, text, isError };
    });
    return { role: 'user', content };
  });
}

function lastCallsOf(messages: readonly Message[]): ReadonlySet<string> {
  const last = messages.findLast(({ role }) => role === 'assistant');
  return new Set(last?.content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])));
}

function checkRepeats(requests: readonly Request[]): void {
  for (const [at, { messages, pruned }] of requests.entries()) {
    const before = flat(repeated(requests[at - 1]?.messages ?? [], pruned));
    assert.deepEqual(flat(messages).slice(0, before.length), before, `request ${at + 1}`);
  }
}

function stepsOf(result: fc.Arbitrary<Result>, maxResults: number): fc.Arbitrary<Step[]> {
  const step = fc.record({ results: fc.array(result, { maxLength: maxResults }), prompt: fc.boolean() });
  return fc.array(step, { maxLength: 60 });
}

const anyResult: fc.Arbitrary<Result> = fc.record({
  chars: fc.oneof(fc.nat(200), fc.nat(5_000), fc.nat(60_000)),
  images: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
  failed: fc.boolean(),
  isStored: fc.boolean(),
});

describe('O35: results leave the requests when they take too much room', () => {
  it('each request is the one before, up to the first newly pruned result and but for the pruned ones after it', () => {
    fc.assert(
      fc.property(stepsOf(anyResult, 4), (steps) => checkRepeats(play(steps).requests)),
      { numRuns: 150 },
    );
  });

  it('the same after the events went through the session file', () => {
    fc.assert(
      fc.property(stepsOf(anyResult, 4), (steps) => {
        const { conversation, events } = play(steps);
        const resumed = new Conversation();
        for (const event of events) {
          const stored = parseEntry(JSON.stringify({ v: 1, id: 'e', ...event }));
          assert.ok(stored);
          resumed.apply(stored);
        }
        assert.deepEqual(flat(resumed.messages()), flat(conversation.messages()));
        assert.deepEqual(resumed.duePruning(BUDGET_CHARS / 4), conversation.duePruning(BUDGET_CHARS / 4));
      }),
      { numRuns: 50 },
    );
  });

  it('the results of the last message stay, and all others fit beside them as far as they can', () => {
    fc.assert(
      fc.property(stepsOf(anyResult, 4), (steps) => {
        for (const { messages, pruned } of play(steps).requests) {
          const lastCalls = lastCallsOf(messages);
          const kept = resultsOf(messages).filter(({ toolUseId }) => lastCalls.has(toolUseId));
          assert.ok(pruned.every(({ call }) => !lastCalls.has(call)));
          assert.ok(kept.every(({ text, toolUseId }) => text.startsWith(toolUseId)));
          const results = resultsOf(messages);
          if (sum(results) <= BUDGET_CHARS) continue;
          // Only a last message that takes half of it alone can break the bound.
          assert.ok(sum(kept) > (BUDGET_CHARS - sum(results.filter(({ text }) => text.length < 200))) / 2);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('steps are big: about half of the budget is filled again before the next, and the bound holds throughout', () => {
    const result = fc.record({ chars: fc.integer({ min: 500, max: 12_000 }) });
    fc.assert(
      fc.property(stepsOf(result, 2), (steps) => {
        let added = Infinity;
        for (const { messages, pruned } of play(steps).requests) {
          const results = resultsOf(messages);
          assert.ok(sum(results) <= BUDGET_CHARS);
          const lastCalls = lastCallsOf(messages);
          added += sum(results.filter(({ toolUseId }) => lastCalls.has(toolUseId)));
          if (pruned.length === 0) continue;
          assert.ok(added >= 0.35 * BUDGET_CHARS, `${added} characters after the step before`);
          added = 0;
        }
      }),
      { numRuns: 150 },
    );
  });

  it('a session of 2,000 messages still takes big steps', () => {
    const { requests } = play(Array.from({ length: 2_000 }, () => ({ results: [{ chars: 3_000 }] })));
    const steps = requests.filter(({ pruned }) => pruned.length > 0);
    assert.ok(steps.length > 20, 'there are steps');
    assert.ok(steps.every(({ pruned }, at) => at === 0 || pruned.length >= 4));
  });

  const check = (
    name: string,
    steps: readonly Step[],
    expected: readonly string[],
    budgetChars?: (request: number) => number,
  ): void => {
    it(name, () => {
      const results = resultsOf(play(steps, budgetChars).conversation.messages());
      assert.deepEqual(
        results.map(({ text, images = [], isError }) => {
          const shown = text.startsWith('[') ? text : `${charsOf({ text } as ToolResultBlock)}`;
          return `${isError ? 'error ' : ''}${shown}${images.length > 0 ? ` and ${images.length} images` : ''}`;
        }),
        expected,
      );
    });
  };
  const one = (chars: number, more: Partial<Result> = {}): Step => ({ results: [{ chars, ...more }] });
  const pointer = (call: string): string =>
    `[This result of probe was dropped to save room. Read or search it with the tool output, id "${call}".]`;
  const repeat =
    '[This result of probe was dropped to save room. Nothing of it is stored: call probe again if you need it.]';

  check('nothing within the budget', [one(50_000), one(50_000)], ['50000', '50000']);
  check(
    'the oldest go first, down to half',
    [one(60_000), one(25_000), one(20_000)],
    [pointer('c1'), '25000', '20000'],
  );
  check('what is not stored has to be done again', [one(90_000, { isStored: false }), one(20_000)], [repeat, '20000']);
  check(
    'what goes on in the background can be read later',
    [one(90_000, { isStored: false, background: true }), one(20_000)],
    [pointer('c1'), '20000'],
  );
  check('an error stays one', [one(90_000, { failed: true }), one(20_000)], [`error ${pointer('c1')}`, '20000']);
  check('short results stay', [one(90), one(90_000), one(20_000)], ['90', pointer('c2'), '20000']);
  check(
    'images count, and leave with their result',
    [one(10, { images: 10 }), one(10, { images: 3 }), one(20_000)],
    [pointer('c1'), '10 and 3 images', '20000'],
  );
  check('the last message stays, however long', [one(10_000), one(300_000)], [pointer('c1'), '300000']);
  check('its results can leave with the next', [one(300_000), one(10)], [pointer('c1'), '10']);
  check(
    'what was dropped does not come back with a larger budget',
    [one(50_000), one(60_000), one(10)],
    [pointer('c1'), '60000', '10'],
    (request) => (request < 3 ? BUDGET_CHARS : 10 * BUDGET_CHARS),
  );
});
