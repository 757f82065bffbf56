// Any mix of calls, however long they take, whatever they ask and however they fail, and whenever a stream breaks or the person stops it.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AskAnswer } from '../../../../src/common/asks';
import type { SettingValues } from '../../../../src/node/settings';
import { PassingFault } from '../../../../src/core/tool/attempt';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import { MessageCalls } from '../../../../src/core/tool/schedule';
import { defineTool, type Interrupt, type Tool } from '../../../../src/core/tool/tool';
import type { ToolResult } from '../../../../src/core/tool/turnTools';
import { createManualClock } from './manualClock';
import { clockOf } from './probe';
import { callOf, withTurn, type TestTurn } from './turn';

const STEP_MS = 10;

/** `look` may overlap, `scan` only reads but runs alone, `add` changes what they see, `send` changes something and may overlap. */
type Kind = 'look' | 'scan' | 'add' | 'send';
const anyStep = fc.record({
  kind: fc.constantFrom<Kind | 'unknown' | 'invalid'>(
    ...(['look', 'look', 'look', 'scan', 'add', 'add', 'send', 'send', 'unknown', 'invalid'] as const),
  ),
  ms: fc.nat(4).map((steps) => steps * STEP_MS),
  outcome: fc.constantFrom('done', 'done', 'done', 'failed', 'bug', 'passing'),
  asks: fc.constantFrom(false, false, false, true),
  isAllowed: fc.constantFrom(true, true, true, false),
});
type Step = typeof anyStep extends fc.Arbitrary<infer T> ? T : never;

interface Notepad {
  readonly tools: Tool[];
  /** Ids in the order in which they first began to run. */
  readonly started: string[];
}

/** What a call answers depends on what was added before it. `limit`: how many may overlap as it is now. */
function createNotepad(steps: readonly Step[], limit: () => number, interrupt: Interrupt = 'await'): Notepad {
  const started: string[] = [];
  const running = new Set<string>();
  let text = '';
  const tool = (name: Kind, { reads, shares }: { readonly reads: boolean; readonly shares: boolean }): Tool =>
    defineTool({
      name,
      kind: 'other',
      description: name,
      schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
      modes: 'all',
      retry: true,
      interrupt,
      readOnly: () => reads,
      concurrent: () => shares,
      title: ({ id }) => `${id}`,
      prepare: async ({ id }) => ({ targets: reads ? [] : [{ op: 'use', name: `${id}` }], plan: id }),
      async run(id: number, { host, ask, call, signal }) {
        const { ms = 0, outcome, asks } = steps[id] ?? {};
        const isAgain = started.includes(`${id}`);
        if (!isAgain) started.push(`${id}`);
        running.add(`${id}`);
        if (shares) assert.ok(running.size <= limit(), 'more at once than may be');
        else assert.equal(running.size, 1, 'a call that runs alone overlaps');
        try {
          const before = text;
          if (ms > 0) await host.clock.sleep(ms, signal);
          const answer = asks === true ? (await ask((ask1) => questionOf(ask1, call))).kind : '';
          if (name === 'add') text += id;
          if (outcome === 'bug') throw new Error('a bug');
          if (outcome === 'passing' && !isAgain) throw new PassingFault('busy');
          return { text: `${before}|${answer}`, failed: outcome === 'failed' };
        } finally {
          running.delete(`${id}`);
        }
      },
    });
  const tools = [
    tool('look', { reads: true, shares: true }),
    tool('scan', { reads: true, shares: false }),
    tool('add', { reads: false, shares: false }),
    tool('send', { reads: false, shares: true }),
  ];
  return { tools, started };
}

const questionOf = (id: string, call: string) => ({ kind: 'question', id, call, questions: [] }) as const;

const callsOf = (steps: readonly Step[]) =>
  steps.map(({ kind }, id) =>
    callOf(kind === 'invalid' ? 'add' : kind, kind === 'invalid' ? {} : { id: `${id}` }, { id: `c${id}` }),
  );

/** Moves time on and answers what is asked until the work is over; `each` may do more at every step of it. */
async function drive(
  test: TestTurn,
  steps: readonly Step[],
  work: Promise<unknown>,
  each: (round: number) => void = () => {},
): Promise<void> {
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  let seen = 0;
  for (let round = 0; !isOver; round++) {
    each(round);
    for (; seen < test.events.length; seen++) {
      const event = test.events[seen];
      if (event?.type === 'ask/opened') test.asks.answer(event.ask.id, answerTo(event.call, event.ask.kind, steps));
    }
    await clockOf(test).advance(STEP_MS);
  }
  await over;
}

function answerTo(call: string, kind: 'permission' | 'question', steps: readonly Step[]): AskAnswer {
  if (kind === 'question') return { kind, answers: [] };
  return { kind, decision: steps[Number(call.slice(1))]?.isAllowed === true ? 'once' : 'deny' };
}

const plain = (results: readonly ToolResult[]) => results.map(({ durationMs: _, ...result }) => result);
const eventCalls = ({ events }: TestTurn, type: 'tool/queued' | 'tool/started' | 'tool/finished', from = 0): string[] =>
  events.slice(from).flatMap((event) => (event.type === type ? event.call : []));

describe('O15 O16 O17 O18: any mix of calls', () => {
  it('ends as one by one, whenever the blocks come; what runs alone overlaps nothing, whatever the limit', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { maxLength: 16 }),
        fc.array(fc.integer({ min: 1, max: 10 }), { minLength: 1, maxLength: 6 }),
        fc.nat(3),
        async (steps, limits, gap) => {
          const calls = callsOf(steps);
          const expected: ToolResult[] = [];
          const alone = createNotepad(steps, () => 10);
          await withTurn(alone.tools, { mode: 'ask', clock: createManualClock() }, (test) =>
            drive(test, steps, oneByOne(test)),
          );
          async function oneByOne({ turn }: TestTurn): Promise<void> {
            for (const call of calls) expected.push(await runToolCall(call, turn));
          }

          const settings: { -readonly [N in keyof SettingValues]: SettingValues[N] } = {
            'tools.concurrency': limits[0] ?? 1,
          };
          // One that waited for a person may find a lower limit when it runs.
          const together = createNotepad(steps, () => Math.max(...limits));
          await withTurn(together.tools, { mode: 'ask', clock: createManualClock(), settings }, async (test) => {
            const message = new MessageCalls(test.turn);
            const streamed = (async () => {
              for (const call of calls) {
                message.add(call);
                for (let i = 0; i < gap; i++) await new Promise((resolve) => setImmediate(resolve));
              }
              message.complete();
              return message.results();
            })();
            await drive(
              test,
              steps,
              streamed,
              (round) => (settings['tools.concurrency'] = limits[round % limits.length] ?? 10),
            );
            assert.deepEqual(plain(await streamed), plain(expected));
            assertAnsweredOnce(
              test,
              calls.map(({ id }) => id),
            );
          });
          // One that waits for a person does not hold up those that may overlap with it.
          assert.deepEqual([...together.started].sort(), [...alone.started].sort());
        },
      ),
      { numRuns: 25 },
    ));

  it('K12 K17: of calls that may overlap ten run at once, or as many as the setting says by now; others run alone', async () => {
    const settings: { 'tools.concurrency'?: number } = {};
    const look: Step = { kind: 'look', ms: 100 * STEP_MS, outcome: 'done', asks: false, isAllowed: true };
    const steps = [...Array.from({ length: 24 }, () => look), { ...look, kind: 'add' } as const, look];
    const { tools, started } = createNotepad(steps, () => settings['tools.concurrency'] ?? 10);
    await withTurn(tools, { clock: createManualClock(), settings }, async (test) => {
      const message = new MessageCalls(test.turn);
      for (const call of callsOf(steps)) message.add(call);
      message.complete();
      const all = message.results();
      const counts: number[] = [];
      await drive(test, steps, all, () => {
        if (started.length === counts.at(-1)) return;
        counts.push(started.length);
        if (started.length === 10) settings['tools.concurrency'] = 4;
      });
      assert.ok(counts.includes(10), counts.join());
      assert.deepEqual(
        (await all).map(({ status }) => status),
        steps.map(() => 'done'),
      );
    });
  });

  it('is cut at any moment: each call is answered once, and nothing starts any more', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(anyStep, { minLength: 1, maxLength: 12 }),
        fc.constantFrom<Interrupt>('error', 'await'),
        fc.constantFrom('abandon', 'stop'),
        fc.nat(30),
        fc.nat(3),
        fc.integer({ min: 1, max: 4 }),
        async (steps, interrupt, how, moment, gap, limit) => {
          const calls = callsOf(steps);
          const settings = { 'tools.concurrency': limit };
          const { tools } = createNotepad(steps, () => limit, interrupt);
          await withTurn(tools, { mode: 'ask', clock: createManualClock(), settings }, async (test) => {
            const message = new MessageCalls(test.turn);
            let isCut = false;
            let eventsAtCut = 0;
            const cut = (): void => {
              if (isCut) return;
              isCut = true;
              eventsAtCut = test.events.length;
              if (how === 'stop') test.stop.abort();
              message.abandon('The message broke off.');
            };
            let added = 0;
            const streamed = (async () => {
              for (const call of calls) {
                if (isCut) break;
                message.add(call);
                added++;
                for (let i = 0; i < gap; i++) await new Promise((resolve) => setImmediate(resolve));
              }
              // Complete only when the cut is a Stop: a message that is abandoned never was.
              if (how === 'stop') message.complete();
              while (!isCut) await new Promise((resolve) => setImmediate(resolve));
              return message.results();
            })();
            await drive(test, steps, streamed, (round) => round >= moment && cut());
            const results = await streamed;
            assertAnsweredOnce(
              test,
              calls.slice(0, added).map(({ id }) => id),
            );
            assert.deepEqual(
              results.map(({ call }) => call),
              calls.slice(0, added).map(({ id }) => id),
            );
            assert.deepEqual(eventCalls(test, 'tool/started', eventsAtCut), []);
            assert.equal(test.asks.pending, 0);
            await clockOf(test).advance(10_000);
            assert.equal(clockOf(test).sleeping, 0, 'nobody waits for time any more');
          });
        },
      ),
      { numRuns: 60 },
    ));
});

function assertAnsweredOnce(test: TestTurn, calls: readonly string[]): void {
  assert.deepEqual(eventCalls(test, 'tool/finished').sort(), [...calls].sort());
  assert.deepEqual(eventCalls(test, 'tool/queued'), calls);
}

describe('O12: any run that fails', () => {
  const faults = {
    passing: () => new PassingFault('busy'),
    bug: () => new Error('a bug'),
    abort: () => new DOMException('', 'AbortError'),
  };
  it('is tried again exactly when it reads, says so, met a passing fault and nobody stopped it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.boolean(),
        fc.array(fc.constantFrom(...(Object.keys(faults) as (keyof typeof faults)[])), { maxLength: 4 }),
        fc.option(fc.constantFrom(0, 100, 200, 300), { nil: undefined }),
        async (reads, retry, script, stopAtMs) => {
          let runs = 0;
          const tool: Tool = defineTool({
            name: 'try',
            kind: 'other',
            description: 'Tries.',
            schema: { type: 'object', properties: {} },
            modes: 'all',
            retry,
            interrupt: 'error',
            readOnly: () => reads,
            title: () => 'Try',
            prepare: async () => ({ targets: [], plan: undefined }),
            run: async () => {
              const fault = script[runs++];
              if (fault !== undefined) throw faults[fault]();
              return { text: 'fine' };
            },
          });
          await withTurn([tool], { clock: createManualClock() }, async (test) => {
            const running = runToolCall(callOf('try'), test.turn);
            let passedMs = 0;
            await test.seen('tool/started');
            await clockOf(test).advance(0);
            let isOver = false;
            const over = running.finally(() => (isOver = true));
            while (!isOver) {
              if (passedMs === stopAtMs) test.stop.abort();
              await clockOf(test).advance(100);
              passedMs += 100;
            }
            const { status } = await over;
            const mayRetry = reads && retry && script[0] === 'passing';
            const isStoppedBefore = stopAtMs !== undefined && stopAtMs < 200;
            assert.equal(runs, mayRetry && !isStoppedBefore ? 2 : 1);
            assert.equal(status === 'done', script[runs - 1] === undefined);
          });
        },
      ),
      { numRuns: 60 },
    ));
});
