// The calls of one message: what starts while the model still writes, and that any mix ends as it would one by one.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import { MessageCalls } from '../../../../src/core/tool/schedule';
import { defineTool, type Tool } from '../../../../src/core/tool/tool';
import type { ToolResult } from '../../../../src/core/tool/turnTools';
import { callOf, withTurn } from './turn';

/** A notepad that calls read and write: what a call answers depends on what has run before it. */
function createNotepad(): { readonly tools: Tool[]; readonly log: string[]; readonly most: () => number } {
  const log: string[] = [];
  const running = new Set<string>();
  let text = '';
  let most = 0;
  const note = (name: 'look' | 'add', reads: boolean, concurrent: boolean): Tool =>
    defineTool({
      name,
      kind: 'other',
      description: name,
      schema: {
        type: 'object',
        properties: { id: { type: 'string' }, turns: { type: 'integer' } },
        required: ['id', 'turns'],
      },
      modes: 'all',
      readOnly: () => reads,
      concurrent: () => concurrent,
      title: ({ id }) => id,
      prepare: async (input) => ({ targets: [], plan: input }),
      async run({ id, turns }: { id: string; turns: number }) {
        log.push(id);
        running.add(id);
        most = Math.max(most, running.size);
        if (!concurrent) assert.equal(running.size, 1, 'a call that runs alone overlaps');
        const before = text;
        await eventLoopTurns(turns);
        if (!reads) text += id;
        running.delete(id);
        return { text: before === '' ? 'empty' : before };
      },
    });
  return { tools: [note('look', true, true), note('add', false, false)], log, most: () => most };
}

async function eventLoopTurns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

type Kind = 'look' | 'add' | 'unknown' | 'invalid';
const step = fc.record({
  kind: fc.constantFrom<Kind>('look', 'look', 'look', 'add', 'add', 'unknown', 'invalid'),
  turns: fc.nat(4),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const callsOf = (steps: readonly Step[]) =>
  steps.map(({ kind, turns }, i) =>
    callOf(kind === 'invalid' ? 'add' : kind, kind === 'invalid' ? {} : { id: `${i}`, turns }, { id: `c${i}` }),
  );
const plain = (results: readonly ToolResult[]) => results.map(({ durationMs: _, ...result }) => result);

describe('MessageCalls', () => {
  it('ends as one by one, whatever the mix and whenever the blocks come; each call runs once, at most N at once', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 14 }),
        fc.integer({ min: 1, max: 3 }),
        fc.nat(3),
        async (steps, limit, gap) => {
          const settings = { 'tools.concurrency': limit };
          const calls = callsOf(steps);
          const alone = createNotepad();
          const expected: ToolResult[] = [];
          await withTurn(alone.tools, { settings }, async ({ turn }) => {
            for (const call of calls) expected.push(await runToolCall(call, turn));
          });
          const together = createNotepad();
          await withTurn(together.tools, { settings }, async ({ turn }) => {
            const message = new MessageCalls(turn);
            for (const call of calls) {
              message.add(call);
              await eventLoopTurns(gap);
            }
            message.complete();
            assert.deepEqual(plain(await message.results()), plain(expected));
          });
          assert.deepEqual(together.log, alone.log);
          assert.ok(together.most() <= limit);
        },
      ),
      { numRuns: 25 },
    );
  });

  /** `early`: what has run before the end of the stream is known; `after`: what has run in the end. */
  function check(
    name: string,
    kinds: readonly Kind[],
    early: string,
    end: 'complete' | 'abandon' | 'stop',
    after: string,
    statuses: string,
  ): void {
    it(name, async () => {
      const { tools, log } = createNotepad();
      await withTurn(tools, {}, async ({ turn, stop, events }) => {
        const message = new MessageCalls(turn);
        for (const call of callsOf(kinds.map((kind) => ({ kind, turns: 0 })))) message.add(call);
        await eventLoopTurns(60);
        assert.equal(log.join(' '), early);
        if (end === 'stop') stop.abort();
        if (end === 'complete') message.complete();
        else message.abandon('The message broke off.');
        message.abandon('Told too late.');
        message.complete();
        const results = await message.results();
        assert.equal(log.join(' '), after);
        assert.equal(results.map(({ status }) => status).join(' '), statuses);
        assert.ok(results.every(({ text }) => text !== 'Told too late.'));
        const finished = events.flatMap((event) => (event.type === 'tool/finished' ? event.call : []));
        const queued = events.flatMap((event) => (event.type === 'tool/queued' ? event.call : []));
        assert.deepEqual(
          queued,
          results.map(({ call }) => call),
        );
        assert.deepEqual([...finished].sort(), [...queued].sort());
      });
    });
  }

  check('reads start while the model writes', ['look', 'look'], '0 1', 'complete', '0 1', 'done done');
  check(
    'a change waits for the end of the message',
    ['look', 'add', 'look'],
    '0',
    'complete',
    '0 1 2',
    'done done done',
  );
  check(
    'what will be refused holds nobody up',
    ['unknown', 'invalid', 'look', 'add'],
    '2',
    'complete',
    '2 3',
    'failed failed done done',
  );
  check(
    'of a message that broke off only what had started counts',
    ['look', 'add', 'look'],
    '0',
    'abandon',
    '0',
    'done failed failed',
  );
  check('after Stop nothing more starts', ['look', 'add', 'look'], '0', 'stop', '0', 'done stopped stopped');
  check('a message without calls', [], '', 'complete', '', '');

  it('gives the reason to what has not started, and to what is added later', () =>
    withTurn(createNotepad().tools, {}, async ({ turn }) => {
      const message = new MessageCalls(turn);
      message.add(callOf('add', { id: 'a', turns: 0 }));
      message.abandon('The message broke off.');
      message.add(callOf('look', { id: 'b', turns: 0 }));
      assert.equal(message.size, 2);
      assert.deepEqual(
        (await message.results()).map(({ status, text }) => [status, text]),
        [
          ['failed', 'The message broke off.'],
          ['failed', 'The message broke off.'],
        ],
      );
    }));
});
