// Rewinding: whatever was said, taken out and put back, the conversation is byte for byte that of a session in which only what stands was ever said.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NO_USAGE } from '../../../../src/common/blocks';
import type { AgentEvent, EventBody } from '../../../../src/common/events';
import { REVIEW_NOTE } from '../../../../src/core/agent/notes';
import { requestBody } from '../../../../src/core/provider/request';
import { SessionRecord } from '../../../../src/core/session/record';
import { currentPlatform } from '../../../../src/node/platform';
import { createQuickClock } from '../../../support/clock';
import { validateRequest } from '../../../support/model-server/validateRequest';

type Store = ConstructorParameters<typeof SessionRecord>[1]['store'];

const NO_STORE = { append: async () => {} } as unknown as Store;

function newRecord(): SessionRecord {
  let ids = 0;
  const log = { info: () => {}, warn: assert.fail, error: assert.fail };
  const host = {
    clock: createQuickClock(),
    ids: { next: (prefix: string) => `${prefix}${++ids}` },
    log,
    store: NO_STORE,
    platform: currentPlatform(),
  };
  return new SessionRecord('s', host);
}

/** One turn: a call with its result, what is dropped in it, notes, todos, and the answer. */
interface Turn {
  readonly id: number;
  readonly hasCall: boolean;
  /** How many of the oldest results leave the requests in this turn. */
  readonly dropped: number;
  readonly note: string;
  readonly todos: number;
  readonly end: 'done' | 'blocked' | 'stopped';
}

type Step = Turn | 'undo' | 'reopen' | { readonly rewindTo: number };

const turnArb = fc.record({
  id: fc.constant(0),
  hasCall: fc.boolean(),
  dropped: fc.nat(3),
  note: fc.constantFrom('', 'ask', 'plan'),
  todos: fc.nat(2),
  end: fc.constantFrom('done' as const, 'done' as const, 'blocked' as const, 'stopped' as const),
});

const stepsArb: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: turnArb },
    { weight: 3, arbitrary: fc.record({ rewindTo: fc.nat(8) }) },
    { weight: 2, arbitrary: fc.constant('undo' as const) },
    { weight: 1, arbitrary: fc.constant('reopen' as const) },
  ),
  { maxLength: 30 },
);

function* bodiesOf(turn: Turn, standing: readonly Turn[]): Generator<EventBody> {
  const { id, hasCall, dropped, note, todos, end } = turn;
  yield { type: 'turn/started', text: `prompt ${id}` };
  if (end === 'blocked') {
    yield { type: 'turn/finished', end, usage: NO_USAGE, durationMs: 1 };
    return;
  }
  if (note !== '') yield { type: 'note/appended', about: 'mode', text: note };
  const calls = standing.filter((one) => one.hasCall && one.end !== 'blocked').slice(0, dropped);
  const results = calls.map((one) => ({ call: `call${one.id}`, text: `[dropped in ${id}]` }));
  if (results.length > 0) yield { type: 'results/pruned', results };
  if (hasCall) {
    const call = `call${id}`;
    yield { type: 'block/finished', block: call, content: { type: 'tool_use', id: call, name: 'read', input: { id } } };
    yield { type: 'message/finished', stopReason: 'tool_use', usage: { ...NO_USAGE, inputTokens: id }, model: 'm' };
    const text = `whole result ${id}`;
    yield { type: 'tool/finished', call, status: 'done', text, wholeChars: text.length, durationMs: 1 };
    if (todos > 0) yield { type: 'todos/changed', todos: [{ id: `${id}`, content: 'x', status: 'pending' }] };
  }
  // A turn that was stopped here ends with the person's words, and the next prompt joins them.
  if (end === 'done') {
    yield { type: 'block/finished', block: `text${id}`, content: { type: 'text', text: `answer ${id}` } };
    yield { type: 'message/finished', stopReason: 'end_turn', usage: NO_USAGE, model: 'm' };
  }
  yield { type: 'turn/finished', end, usage: NO_USAGE, durationMs: 1 };
}

function say(record: SessionRecord, turn: Turn, standing: readonly Turn[]): void {
  record.enterTurn(`turn${turn.id}`);
  for (const body of bodiesOf(turn, standing)) record.emit(body);
}

/** What matters of a record to what comes after. */
function stateOf(record: SessionRecord) {
  const { todos, contextTokens, isTurnOpen, backgroundRuns } = record.known;
  return {
    messages: record.conversation.messages(),
    note: record.conversation.lastNote('mode'),
    due: record.conversation.duePruning(20),
    prompts: record.history.prompts().map(({ text }) => text),
    ...{ todos, contextTokens, isTurnOpen, backgroundRuns },
  };
}

function rowsOf(record: SessionRecord): string[] {
  const { rows } = record.transcript.page(10_000);
  return rows.filter(({ type }) => type !== 'notice').map(({ id }) => id);
}

function problemOf(record: SessionRecord): string | undefined {
  const tools = [{ name: 'read', description: 'Reads.', inputSchema: { type: 'object', properties: {} } }];
  const rest = { builtInTools: 1, cacheMarks: [], maxOutputTokens: 10, thinking: 'adaptive' } as const;
  const body = requestBody({ model: 'm', system: ['s'], tools, messages: record.conversation.messages(), ...rest });
  return validateRequest(JSON.parse(new TextDecoder().decode(body)), { issued: [] });
}

describe('#37 rewinding the conversation', () => {
  it('leaves what a session without those turns would hold, after any rewindings, undos and restarts', () => {
    fc.assert(
      fc.property(stepsArb, (steps) => {
        let events: AgentEvent[] = [];
        const listen = (record: SessionRecord) => void record.subscribe((event) => events.push(event));
        let record = newRecord();
        listen(record);
        let standing: Turn[] = [];
        let undone: Turn[][] = [];
        for (const [at, step] of steps.entries()) {
          if (step === 'reopen') {
            record = newRecord();
            assert.equal(record.replay(events), 0);
            listen(record);
          } else if (step === 'undo') {
            const before = undone.pop();
            assert.equal(record.history.canRestore, before !== undefined);
            record.emit({ type: 'conversation/restored' });
            standing = before ?? standing;
          } else if ('rewindTo' in step) {
            const turn = standing[step.rewindTo];
            record.emit({ type: 'conversation/rewound', to: turn ? `turn${turn.id}` : 'nowhere' });
            if (turn) {
              undone.push(standing);
              standing = standing.slice(0, step.rewindTo);
            }
          } else {
            const turn = { ...step, id: at + 1 };
            say(record, turn, standing);
            standing = [...standing, turn];
            undone = [];
          }
          const plain = newRecord();
          for (const [index, turn] of standing.entries()) say(plain, turn, standing.slice(0, index));
          assert.deepEqual(stateOf(record), stateOf(plain));
          assert.deepEqual(rowsOf(record), rowsOf(plain));
          if (standing.length > 0) assert.equal(problemOf(record), undefined);
        }
        events = [];
      }),
    );
  });

  const TURN: Turn = { id: 1, hasCall: true, dropped: 0, note: '', todos: 1, end: 'done' };

  it('keeps the mode and the frozen head of now', () => {
    const record = newRecord();
    say(record, TURN, []);
    record.emit({ type: 'mode/changed', mode: 'plan' });
    record.emit({ type: 'prompt/frozen', system: ['new'], tools: [] });
    record.emit({ type: 'conversation/rewound', to: 'turn1' });
    const { mode, head, todos } = record.known;
    assert.deepEqual({ mode, head, todos }, { mode: 'plan', head: { system: ['new'], tools: [] }, todos: [] });
  });

  it('what came after a rewinding comes after the turns again', () => {
    const record = newRecord();
    say(record, TURN, []);
    say(record, { ...TURN, id: 2, hasCall: false }, [TURN]);
    record.emit({ type: 'conversation/rewound', to: 'turn2' });
    record.emit({ type: 'note/appended', about: 'mode', text: 'late' });
    record.emit({ type: 'notice', level: 'info', text: 'Saved again.' });
    record.emit({ type: 'conversation/restored' });
    const texts = record.conversation
      .messages()
      .flatMap(({ content }) => content.map((block) => ('text' in block ? block.text : block.type)));
    assert.deepEqual(texts, [
      'prompt 1',
      'tool_use',
      'whole result 1',
      'answer 1',
      'prompt 2',
      'answer 2',
      '<note about="mode">\nlate\n</note>',
    ]);
    assert.deepEqual(
      record.transcript.page(100).rows.map((row) => (row.type === 'notice' ? row.text : row.id)),
      ['turn1/prompt', 'text1', 'turn1/end', 'turn2/prompt', 'text2', 'turn2/end', 'Saved again.'].toSpliced(
        1,
        0,
        'call1',
      ),
    );
  });

  it('tells of rejected changes again where that was rewound away, once a prompt has made it final', () => {
    const record = newRecord();
    say(record, TURN, []);
    record.enterTurn('turn2');
    record.emit({ type: 'turn/started', text: 'prompt 2' });
    record.emit({ type: 'note/appended', about: REVIEW_NOTE, text: 'rejected' });
    record.emit({ type: 'turn/finished', end: 'done', usage: NO_USAGE, durationMs: 1 });
    const untold = () => record.history.untold().map(({ text }) => text);
    record.emit({ type: 'conversation/rewound', to: 'turn2' });
    assert.deepEqual(untold(), []);
    record.enterTurn('turn3');
    record.emit({ type: 'turn/started', text: 'prompt 3' });
    assert.deepEqual(untold(), ['rejected']);
    record.emit({ type: 'note/appended', about: REVIEW_NOTE, text: 'rejected' });
    assert.deepEqual(untold(), []);
  });
});
