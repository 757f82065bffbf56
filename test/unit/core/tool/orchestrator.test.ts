// One call on its whole path: every way it can end, what the model gets, and what the panel is told.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventBody } from '../../../../src/common/events';
import { PassingFault } from '../../../../src/core/tool/attempt';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import { defineTool, type RunContext, type Tool, type ToolCall, type ToolOutput } from '../../../../src/core/tool/tool';
import type { ToolResult } from '../../../../src/core/tool/turnTools';
import { createManualClock } from './manualClock';
import { callOf, withTurn, type TestTurn, type TurnOptions } from './turn';

type Run = (ctx: RunContext) => Promise<ToolOutput>;

/** A tool called `probe` that takes an optional number `n`. */
function probe(run: Run, more: Partial<Tool> = {}): Tool {
  return {
    ...defineTool({
      name: 'probe',
      kind: 'shell',
      description: 'Probes.',
      schema: { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false },
      modes: 'all',
      title: ({ n }) => `Probe ${n ?? 'all'}`,
      prepare: async () => ({ targets: [], plan: undefined }),
      run: (_plan, ctx) => run(ctx),
    }),
    ...more,
  };
}

const RESULT: Omit<ToolResult, 'call' | 'text'> = {
  status: 'done',
  images: [],
  context: [],
  wholeChars: 0,
  durationMs: 0,
};
const shown = (text: string): Pick<ToolResult, 'display' | 'text'> => ({ text, display: { kind: 'text', text } });

interface Case extends TurnOptions {
  readonly tool: Tool;
  readonly call?: ToolCall;
  /** What happens while it runs. */
  readonly meanwhile?: (test: TestTurn) => Promise<void> | void;
  readonly expected: Partial<ToolResult>;
  readonly events?: readonly EventBody['type'][];
  readonly also?: (test: TestTurn, call: ToolCall) => Promise<void> | void;
}

const RAN: readonly EventBody['type'][] = ['tool/queued', 'tool/started', 'tool/finished'];
const NOT_RUN: readonly EventBody['type'][] = ['tool/queued', 'tool/finished'];

function check(
  name: string,
  { tool, call = callOf('probe'), meanwhile, expected, events = RAN, also, ...options }: Case,
): void {
  it(name, () =>
    withTurn([tool], { clock: createManualClock(), ...options }, async (test) => {
      const running = runToolCall(call, test.turn);
      await meanwhile?.(test);
      const result = await running;
      assert.deepEqual(result, { ...RESULT, call: call.id, ...expected });
      assert.deepEqual(
        test.events.map(({ type }) => type),
        events,
      );
      const { context: _, images: __, ...told } = result;
      assert.deepEqual(test.events.at(-1), {
        type: 'tool/finished',
        ...told,
        ...(expected.images ? { images: expected.images } : {}),
      });
      await also?.(test, call);
    }),
  );
}

const clockOf = ({ host }: TestTurn): ReturnType<typeof createManualClock> =>
  host.clock as ReturnType<typeof createManualClock>;
const never = (): Promise<never> => new Promise(() => {});
/** Lets a run get going before time moves. */
async function afterStart(test: TestTurn, ...stepsMs: number[]): Promise<void> {
  await test.seen('tool/started');
  for (const ms of stepsMs) await clockOf(test).advance(ms);
}

describe('runToolCall', () => {
  check('a text is stored, given and shown', {
    tool: probe(async () => ({ text: 'fine\n' })),
    call: callOf('Probe', { n: '3' }),
    expected: { ...shown('fine\n'), wholeChars: 5 },
    also: async ({ turn, events }, call) => {
      assert.deepEqual(events[0], {
        type: 'tool/queued',
        call: call.id,
        tool: 'probe',
        kind: 'shell',
        title: 'Probe 3',
      });
      assert.equal((await turn.outputs.read(call.id, 0)).text, 'fine\n');
    },
  });
  check('what is written as it comes is the result, a summary follows it', {
    tool: probe(async ({ out }) => {
      out.write('one\ntw');
      out.write(new TextEncoder().encode('o'));
      return { summary: 'Exit code: 0', display: { kind: 'todos', todos: [] }, context: ['a note'] };
    }),
    expected: {
      text: 'one\ntwo\nExit code: 0',
      display: { kind: 'todos', todos: [] },
      context: ['a note'],
      wholeChars: 7,
    },
  });
  check('nothing at all is said so', { tool: probe(async () => ({})), expected: { text: '(no output)' } });
  check('a summary alone is enough', {
    tool: probe(async () => ({ text: '', summary: 'Done.' })),
    expected: { text: 'Done.' },
  });
  check('images go along', {
    tool: probe(async () => ({ text: 'see', images: [{ type: 'image', mediaType: 'image/png', data: 'AA==' }] })),
    expected: { ...shown('see'), images: [{ type: 'image', mediaType: 'image/png', data: 'AA==' }], wholeChars: 3 },
  });
  check('half characters do not get out', {
    tool: probe(async () => ({ text: 'a\ud800b' })),
    expected: { text: 'a\ufffdb', display: { kind: 'text', text: 'a\ud800b' }, wholeChars: 3 },
  });
  check('what a tool calls a failure is one', {
    tool: probe(async () => ({ failed: true, text: 'no such file' })),
    expected: { status: 'failed', text: 'no such file', wholeChars: 12 },
  });
  check('a long result is shortened for the model and whole in the store', {
    tool: probe(async () => ({ text: 'line\n'.repeat(1000) }), { limits: { maxResultChars: 600 }, shape: 'head' }),
    settings: { 'tools.digestChars': 500 },
    call: callOf('probe', {}, { id: 'big' }),
    expected: {
      text: `${'line\n'.repeat(73)}[... 927 lines, 4635 characters left out here. The whole output is stored: read or search it with the tool output, id "big" ...]\n`,
      display: { kind: 'text', text: 'line\n'.repeat(1000) },
      wholeChars: 5000,
    },
    also: async ({ turn }) => assert.deepEqual(await turn.outputs.info('big'), { bytes: 5000, isOpen: false }),
  });

  check('an unknown tool', {
    tool: probe(never),
    call: callOf('prob'),
    expected: { status: 'failed', text: 'There is no tool called "prob". The nearest are: probe.' },
    events: NOT_RUN,
  });
  check('input that does not fit', {
    tool: probe(never),
    call: callOf('probe', { n: 'many' }),
    expected: {
      status: 'failed',
      text: 'The input does not fit the schema of probe, so nothing was run:\n- "n" must be a number, but the string "many" came.',
    },
    events: NOT_RUN,
  });
  check('input that was cut', {
    tool: probe(never),
    call: callOf('probe', {}, { malformed: { raw: '{"n', fault: 'truncated' } }),
    expected: {
      status: 'failed',
      text: 'The input of probe broke off after 3 characters, so nothing was run. Send the call again with less in it: split long content into several smaller calls.',
    },
    events: NOT_RUN,
  });
  check('a tool that could not be loaded', {
    tool: probe(never, { load: () => Promise.reject(new Error('no wasm')) }),
    expected: { status: 'failed', text: 'probe cannot be used, because a part of it could not be loaded: no wasm' },
    events: NOT_RUN,
  });
  check('an objection of the tool', {
    tool: probe(never, { prepare: async () => ({ objection: 'Read it first.' }) }),
    expected: { status: 'failed', text: 'Read it first.' },
    events: NOT_RUN,
  });
  check('a mode that forbids it', {
    tool: probe(never, { modes: ['ask'] }),
    mode: 'plan',
    expected: {
      status: 'denied',
      text: 'The session is in Plan mode (reads only: nothing is changed and no command runs), so probe cannot do this. Go on without it, or tell the person what you would do.',
    },
    events: NOT_RUN,
  });

  const asking: Partial<Tool> = {
    prepare: async (_input, { cwd }) => ({
      targets: [{ op: 'execute', command: 'make', cwd: cwd() }],
      preview: { kind: 'shell', command: 'make', cwd: '.', tail: '', moreChars: 0 },
      plan: undefined,
    }),
  };
  const ASKED: readonly EventBody['type'][] = ['tool/queued', 'ask/opened', 'ask/closed'];
  check('allowed by the person, whose time to think counts nowhere', {
    tool: probe(async () => ({ text: 'made' }), { ...asking, limits: { timeoutMs: 1_000 } }),
    mode: 'ask',
    meanwhile: async (test) => {
      const { ask } = await test.seen('ask/opened');
      assert.ok(ask.kind === 'permission');
      assert.deepEqual([ask.tool, ask.title, ask.preview?.kind], ['probe', 'Probe all', 'shell']);
      await clockOf(test).advance(60_000);
      test.asks.answer(ask.id, { kind: 'permission', decision: 'once' });
    },
    expected: { ...shown('made'), wholeChars: 4 },
    events: [...ASKED, 'tool/started', 'tool/finished'],
  });
  check('declined by the person', {
    tool: probe(never, asking),
    mode: 'ask',
    meanwhile: async (test) => {
      const { ask } = await test.seen('ask/opened');
      test.asks.answer(ask.id, { kind: 'permission', decision: 'deny', note: 'use npm' });
    },
    expected: {
      status: 'denied',
      text: 'The person declined this call. They say: use npm Do not try the same thing another way.',
    },
    events: [...ASKED, 'tool/finished'],
  });
  check('stopped while it asks', {
    tool: probe(never, asking),
    mode: 'ask',
    meanwhile: async (test) => {
      await test.seen('ask/opened');
      test.stop.abort();
    },
    expected: { status: 'stopped', text: 'Stopped before it was answered.' },
    events: [...ASKED, 'tool/finished'],
  });
  check('stopped while it prepares', {
    tool: probe(never, { prepare: never }),
    meanwhile: async (test) => {
      await test.seen('tool/queued');
      test.stop.abort();
    },
    expected: { status: 'stopped', text: 'Stopped by the person before this call ran: it changed nothing.' },
    events: NOT_RUN,
  });
  check('stopped before it came to anything', {
    tool: probe(never),
    meanwhile: (test) => test.stop.abort(),
    expected: { status: 'stopped', text: 'Stopped by the person before this call ran: it changed nothing.' },
    events: NOT_RUN,
  });

  const CUT = 'Stopped by the person before it finished; it may have done a part of its work.';
  const slow: Run = ({ out, progress }) => {
    out.write('so far');
    progress({ kind: 'shell', command: 'make', cwd: '.', tail: 'so far', moreChars: 0 });
    return never();
  };
  const tailDisplay = { kind: 'shell', command: 'make', cwd: '.', tail: 'so far', moreChars: 0 } as const;
  const RAN_LIVE: readonly EventBody['type'][] = ['tool/queued', 'tool/started', 'tool/progress', 'tool/finished'];
  check('Stop ends a run that may be ended, and keeps what it had put out', {
    tool: probe(slow, { interrupt: 'error' }),
    meanwhile: async (test) => {
      await test.seen('tool/progress');
      test.stop.abort();
      await clockOf(test).advance(200);
    },
    expected: { status: 'stopped', text: `so far\n${CUT}`, display: tailDisplay, wholeChars: 6, durationMs: 200 },
    events: RAN_LIVE,
  });
  check('a run that tells how far it came when Stop ends it', {
    tool: probe(
      ({ out, signal }) =>
        new Promise((resolve) => {
          out.write('half');
          signal.addEventListener('abort', () => resolve({ failed: true, summary: 'Killed.' }));
        }),
      { interrupt: 'error' },
    ),
    meanwhile: async (test) => {
      await test.seen('tool/started');
      test.stop.abort();
    },
    expected: { status: 'stopped', ...shown(`half`), text: `half\nKilled.\n${CUT}`, wholeChars: 4 },
  });
  check('a run that throws when Stop ends it is no bug', {
    tool: probe(
      ({ signal }) =>
        new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
      { interrupt: 'error' },
    ),
    meanwhile: async (test) => {
      await test.seen('tool/started');
      test.stop.abort();
    },
    expected: { status: 'stopped', text: CUT },
    also: ({ logged }) => assert.deepEqual(logged, []),
  });
  for (const interrupt of ['await', 'ignore'] as const) {
    check(`Stop waits for a run that says ${interrupt}`, {
      tool: probe(
        async ({ host, signal }) => {
          await host.clock.sleep(5_000, signal);
          return { text: signal.aborted ? 'aborted' : 'saved' };
        },
        { interrupt },
      ),
      meanwhile: async (test) => {
        await test.seen('tool/started');
        test.stop.abort();
        await clockOf(test).advance(5_000);
      },
      expected: { ...shown('saved'), wholeChars: 5, durationMs: 5_000 },
    });
  }
  check('Stop dismisses what a tool asks', {
    tool: probe(async ({ ask, call }) => {
      const answer = await ask((id) => ({ kind: 'question', id, call, questions: [] }));
      return { failed: true, text: answer.kind };
    }),
    meanwhile: async (test) => {
      await test.seen('ask/opened');
      test.stop.abort();
    },
    expected: { status: 'failed', text: 'dismissed', wholeChars: 9 },
    events: ['tool/queued', 'tool/started', 'ask/opened', 'ask/closed', 'tool/finished'],
  });
  check('a time limit ends any run', {
    tool: probe(slow, { limits: { timeoutMs: 3_000 } }),
    meanwhile: (test) => afterStart(test, 3_000, 200),
    expected: {
      status: 'failed',
      text: 'so far\nEnded by the time limit of probe, 3 s, before it finished. Ask for less at once.',
      display: tailDisplay,
      wholeChars: 6,
      durationMs: 3_200,
    },
    events: RAN_LIVE,
  });
  check('what finishes in time is not ended', {
    tool: probe(async () => ({ text: 'ok' }), { limits: { timeoutMs: 3_000 } }),
    expected: { ...shown('ok'), wholeChars: 2 },
    also: async (test) => {
      await clockOf(test).advance(0);
      assert.equal(clockOf(test).sleeping, 0);
    },
  });

  const BUG = 'probe failed because of a bug of its own, not because of the input: x is undefined. Try another way.';
  check('a bug in a run is an error for the model, a notice and a line in the log', {
    tool: probe(() => Promise.reject(new TypeError('x is undefined'))),
    expected: { status: 'failed', text: BUG },
    events: ['tool/queued', 'tool/started', 'notice', 'tool/finished'],
    also: ({ logged, events }, call) => {
      assert.deepEqual(logged, [`A bug in the call ${call.id} of probe: x is undefined`]);
      assert.deepEqual(events[2], {
        type: 'notice',
        level: 'error',
        text: 'The tool probe met a bug of its own: x is undefined. The log has more.',
      });
    },
  });
  check('a bug that throws at once keeps the output so far', {
    tool: probe(({ out }) => {
      out.write('half\n');
      throw new TypeError('x is undefined');
    }),
    expected: { status: 'failed', text: `half\n${BUG}`, display: { kind: 'text', text: 'half\n' }, wholeChars: 5 },
    events: ['tool/queued', 'tool/started', 'notice', 'tool/finished'],
  });
  for (const place of ['prepare', 'concurrent'] as const) {
    check(`a bug in ${place} too`, {
      tool: probe(never, {
        [place]: () => {
          throw new TypeError('x is undefined');
        },
      }),
      expected: { status: 'failed', text: BUG },
      events: ['tool/queued', 'notice', 'tool/finished'],
    });
  }
  check('a bug in a title costs the title only', {
    tool: probe(async () => ({ text: 'ok' }), {
      title: () => {
        throw new TypeError('x is undefined');
      },
    }),
    expected: { ...shown('ok'), wholeChars: 2 },
    also: ({ events }, call) =>
      assert.deepEqual(events[0], { type: 'tool/queued', call: call.id, tool: 'probe', kind: 'shell', title: 'probe' }),
  });

  const faltering = (faults: number): Run => {
    let runs = 0;
    return async ({ out }) => {
      out.write(`run ${++runs}`);
      if (runs <= faults) throw new PassingFault('The server is busy.');
      return {};
    };
  };
  const mayRetry: Partial<Tool> = { retry: true, readOnly: () => true };
  check('a passing fault of a call that reads is tried once more, from a clean start', {
    tool: probe(faltering(1), mayRetry),
    meanwhile: (test) => afterStart(test, 0, 200),
    expected: { ...shown('run 2'), wholeChars: 5, durationMs: 200 },
    also: async ({ turn }, call) => assert.equal((await turn.outputs.read(call.id, 0)).text, 'run 2'),
  });
  check('but only once', {
    tool: probe(faltering(2), mayRetry),
    meanwhile: (test) => afterStart(test, 0, 200),
    expected: {
      status: 'failed',
      text: 'run 2\nThe server is busy.',
      display: { kind: 'text', text: 'run 2' },
      wholeChars: 5,
      durationMs: 200,
    },
  });
  for (const [why, more] of [
    ['does not declare it', { readOnly: () => true }],
    ['changes something', { retry: true }],
  ] as const) {
    check(`and never for a call that ${why}`, {
      tool: probe(faltering(1), more),
      expected: {
        status: 'failed',
        text: 'run 1\nThe server is busy.',
        display: { kind: 'text', text: 'run 1' },
        wholeChars: 5,
      },
    });
  }

  it('a store that cannot be written does not fail the call', () =>
    withTurn([probe(async () => ({ text: 'fine' }))], {}, async ({ turn, root, logged }) => {
      // A file where the store wants a folder.
      await mkdir(join(root, '../store'));
      await writeFile(join(root, '../store/outputs'), '');
      const { text, ...result } = await runToolCall(callOf('probe', {}, { id: 'c1' }), turn);
      assert.deepEqual(result, {
        ...RESULT,
        call: 'c1',
        display: { kind: 'text', text: 'fine' },
        wholeChars: 4,
        durationMs: result.durationMs,
      });
      assert.match(text, /^fine\nThe whole output could not be stored \(.+\): what is not shown here may be lost\.$/);
      assert.deepEqual(
        logged.map((line) => line.slice(0, 39)),
        ['The output of c1 could not be stored: L'],
      );
      assert.equal((await turn.outputs.read('c1', 0)).text, 'fine');
    }));
  check('an output that reaches the maximum ends its run', {
    tool: probe(({ out }) => {
      out.write('0123456789');
      return never();
    }),
    maxOutputBytes: 8,
    meanwhile: (test) => afterStart(test, 200),
    expected: {
      status: 'failed',
      ...shown('01234567'),
      text: '01234567\nIts output reached the most that is stored; what came after is lost. Let it put out less, or into a file.',
      wholeChars: 8,
      durationMs: 200,
    },
  });
  check('live displays are thinned out and bounded', {
    tool: probe(async ({ progress, host }) => {
      for (let i = 0; i < 5; i++) progress({ kind: 'text', text: `${i}` });
      await host.clock.sleep(150);
      progress({ kind: 'text', text: 'x'.repeat(50_000) });
      return { text: 'ok' };
    }),
    meanwhile: (test) => afterStart(test, 100, 50),
    expected: {
      text: 'ok',
      wholeChars: 2,
      durationMs: 150,
      display: { kind: 'text', text: 'x'.repeat(15_872), moreChars: 34_128 },
    },
    events: ['tool/queued', 'tool/started', 'tool/progress', 'tool/progress', 'tool/finished'],
    also: ({ events }) => {
      const texts = events.map(
        (event) => event.type === 'tool/progress' && event.display.kind === 'text' && event.display.text,
      );
      assert.deepEqual(texts.filter(Boolean), ['0', '4']);
    },
  });
});
