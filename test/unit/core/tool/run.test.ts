// The run of a call: Stop, time limits, bugs, passing faults, a store that fails or is full, live displays.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventBody } from '../../../../src/common/events';
import { PassingFault } from '../../../../src/core/tool/attempt';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import type { Tool } from '../../../../src/core/tool/tool';
import { afterStart, check, clockOf, never, probe, shown, type Run } from './probe';
import { callOf, withTurn } from './turn';

describe('a run', () => {
  const CUT = 'Stopped by the person before it finished; it may have done a part of its work.';
  const slow: Run = ({ out, progress }) => {
    out.write('so far');
    progress({ kind: 'shell', command: 'make', cwd: '.', tail: 'so far', moreChars: 0 });
    return never();
  };
  const tailDisplay = { kind: 'shell', command: 'make', cwd: '.', tail: 'so far', moreChars: 0 } as const;
  const RAN_LIVE: readonly EventBody['type'][] = ['tool/queued', 'tool/started', 'tool/progress', 'tool/finished'];
  check('O22 error: Stop ends the run, and keeps what it had put out', {
    tool: probe(slow, { interrupt: 'error' }),
    meanwhile: async (test) => {
      await test.seen('tool/progress');
      test.stop.abort();
      await clockOf(test).advance(200);
    },
    expected: {
      status: 'stopped',
      text: `so far\n${CUT}`,
      problem: CUT,
      display: tailDisplay,
      wholeChars: 6,
      durationMs: 200,
    },
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
    expected: {
      status: 'stopped',
      ...shown(`half`),
      text: `half\nKilled.\n${CUT}`,
      problem: `Killed.\n${CUT}`,
      wholeChars: 4,
    },
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
  check('O22 await: Stop waits for the run, and its result counts', {
    tool: probe(
      async ({ host, signal }) => {
        await host.clock.sleep(5_000, signal);
        return { text: signal.aborted ? 'aborted' : 'saved' };
      },
      { interrupt: 'await' },
    ),
    meanwhile: async (test) => {
      await test.seen('tool/started');
      test.stop.abort();
      await clockOf(test).advance(5_000);
    },
    expected: { ...shown('saved'), wholeChars: 5, durationMs: 5_000 },
  });
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
      problem: 'Ended by the time limit of probe, 3 s, before it finished. Ask for less at once.',
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
    expected: {
      status: 'failed',
      text: `half\n${BUG}`,
      problem: BUG,
      display: { kind: 'text', text: 'half\n' },
      wholeChars: 5,
    },
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
  check('O12: a passing fault of a call that reads is tried once more, from a clean start', {
    tool: probe(faltering(1), mayRetry),
    meanwhile: (test) => afterStart(test, 0, 200),
    expected: { ...shown('run 2'), wholeChars: 5, durationMs: 200 },
    also: async ({ turn }, call) => assert.equal((await turn.outputs.read(call.id, 0)).text, 'run 2'),
  });
  check('O12: but only once', {
    tool: probe(faltering(2), mayRetry),
    meanwhile: (test) => afterStart(test, 0, 200),
    expected: {
      status: 'failed',
      text: 'run 2\nThe server is busy.',
      problem: 'The server is busy.',
      display: { kind: 'text', text: 'run 2' },
      wholeChars: 5,
      durationMs: 200,
    },
  });
  for (const [why, more] of [
    ['does not declare it', { readOnly: () => true }],
    ['changes something', { retry: true }],
  ] as const) {
    check(`O12: and never for a call that ${why}`, {
      tool: probe(faltering(1), more),
      expected: {
        status: 'failed',
        text: 'run 1\nThe server is busy.',
        problem: 'The server is busy.',
        display: { kind: 'text', text: 'run 1' },
        wholeChars: 5,
      },
    });
  }

  for (const [what, whole, ending] of [
    ['a result that passes whole', 'fine', /^fine$/],
    [
      'one that is cut',
      'x'.repeat(40_000),
      /\nThe whole output could not be stored \(.+\): what is not shown here may be lost\.$/,
    ],
  ] as const) {
    it(`a store that cannot be written does not fail the call: ${what}`, () =>
      withTurn([probe(async () => ({ text: whole }))], {}, async ({ turn, root, logged }) => {
        // A file where the store wants a folder.
        await mkdir(join(root, '../store'));
        await writeFile(join(root, '../store/outputs'), '');
        const { text, status, wholeChars } = await runToolCall(callOf('probe', {}, { id: 'c1' }), turn);
        assert.deepEqual({ status, wholeChars }, { status: 'done', wholeChars: whole.length });
        assert.match(text, ending);
        await turn.outputs.flush();
        assert.deepEqual(
          logged.map((line) => line.slice(0, 39)),
          ['The output of c1 could not be stored: L'],
        );
        assert.equal((await turn.outputs.read('c1', 0)).text, whole.slice(0, 16_384));
      }));
  }
  it('B05: what will be cut is in the store before it is cut, what passes whole a little later', () =>
    withTurn([probe(async () => ({ text: 'x'.repeat(40_000) }))], {}, async ({ turn, host }) => {
      await runToolCall(callOf('probe', {}, { id: 'c1' }), turn);
      assert.equal(await host.store.size('outputs/s1/c1'), 40_000);
      const small = probe(async () => ({ text: 'fine' }));
      await withTurn([small], {}, async (other) => {
        await runToolCall(callOf('probe', {}, { id: 'c2' }), other.turn);
        assert.equal((await other.turn.outputs.read('c2', 0)).text, 'fine');
        await other.turn.outputs.flush();
        assert.equal(await other.host.store.size('outputs/s1/c2'), 4);
      });
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
      problem:
        'Its output reached the most that is stored; what came after is lost. Let it put out less, or into a file.',
      wholeChars: 8,
      durationMs: 200,
    },
  });
  check('O23: live displays are thinned out and bounded', {
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
      display: { kind: 'text', text: 'x'.repeat(9_523), moreChars: 34_130, tail: 'x'.repeat(6_347) },
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
