// Runs that Stop lets go on: their calls are answered at once, their outputs stay readable, and how they end is told once.
import assert from 'node:assert/strict';
import { BACKGROUND_MAX } from '../../../../src/core/tool/background';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import { afterStart, check, clockOf, never, probe, type Run } from './probe';
import { callOf, withTurn, type TestTurn } from './turn';
import { createManualClock } from './manualClock';

const GOES_ON = (id: string) =>
  `Stopped waiting for it: it goes on in the background as ${id}, and you are told when it ends. Read what it has put out with output, id "${id}".`;
const ended = (id: string, how: string, chars: number, more = '') => ({
  call: id,
  text: `The background run ${id} of probe (Probe all) ended with: ${how}. Its output has ${chars} characters: read it with output, id "${id}".${more}`,
});

/** Writes a line each second until its own signal or the fifth line ends it. */
const lines: Run = async ({ out, host, signal }) => {
  for (let line = 1; line <= 5; line++) {
    out.write(`line ${line}\n`);
    await host.clock.sleep(1_000, signal);
    if (signal.aborted) return { failed: true, summary: 'Ended early.' };
  }
  return { summary: 'Exit code 0.' };
};
const stopAfterOneSecond = async (test: TestTurn): Promise<void> => {
  await afterStart(test, 1_000);
  test.stop.abort();
};
const seconds = async (test: TestTurn, count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await clockOf(test).advance(1_000);
  await settled(test);
};
const settled = async ({ turn }: TestTurn): Promise<void> => {
  await Promise.all(turn.background.list().flatMap(({ id }) => turn.background.whenEnded(id) ?? []));
};
const running = ({ turn }: TestTurn) => turn.background.list().filter(({ state }) => state === 'running');
const told = (id: string) => ({
  status: 'stopped' as const,
  text: GOES_ON(id),
  wholeChars: 14,
  durationMs: 1_000,
  background: true as const,
});

describe('O22 ignore: a run that Stop lets go on', () => {
  check('is answered at once; its output is read live and stays; its end is told once', {
    tool: probe(lines, { interrupt: 'ignore' }),
    call: callOf('probe', {}, { id: 'bg1' }),
    meanwhile: stopAfterOneSecond,
    expected: told('bg1'),
    also: async (test) => {
      const { outputs, background } = test.turn;
      assert.deepEqual(
        background.list().map(({ id, title, state }) => ({ id, title, state })),
        [{ id: 'bg1', title: 'Probe all', state: 'running' }],
      );
      assert.deepEqual(await outputs.info('bg1'), { bytes: 14, isOpen: true });
      assert.equal((await outputs.read('bg1', 0)).text, 'line 1\nline 2\n');
      assert.deepEqual(background.takeEnded(), []);
      await seconds(test, 4);
      assert.deepEqual(
        background.list().map(({ id, state, status }) => ({ id, state, status })),
        [{ id: 'bg1', state: 'ended', status: 'done' }],
      );
      assert.deepEqual(background.takeEnded(), [ended('bg1', 'done', 35, '\nExit code 0.')]);
      assert.deepEqual(background.takeEnded(), []);
      assert.deepEqual(await outputs.info('bg1'), { bytes: 35, isOpen: false });
      assert.equal(test.events.filter(({ type }) => type === 'tool/finished').length, 1);
    },
  });
  check('is ended by its id', {
    tool: probe(lines, { interrupt: 'ignore' }),
    call: callOf('probe', {}, { id: 'bg2' }),
    meanwhile: stopAfterOneSecond,
    expected: told('bg2'),
    also: async (test) => {
      const { background } = test.turn;
      assert.equal(background.stop('other'), false);
      assert.equal(background.stop('bg2'), true);
      await settled(test);
      const [end] = background.takeEnded();
      assert.match(end?.text ?? '', /ended with: a stop\..*\nEnded early\.\nYou ended it/);
      assert.equal(background.stop('bg2'), false);
    },
  });
  check('is ended when the session closes, also when it does not listen', {
    tool: probe(never, { interrupt: 'ignore' }),
    call: callOf('probe', {}, { id: 'bg3' }),
    meanwhile: stopAfterOneSecond,
    expected: { ...told('bg3'), wholeChars: 0 },
    also: async (test) => {
      const closed = test.turn.background.close();
      await clockOf(test).advance(200);
      await closed;
      assert.deepEqual(running(test), []);
      assert.equal(test.turn.background.takeEnded().length, 1);
    },
  });
  check('keeps its own time limit', {
    tool: probe(lines, { interrupt: 'ignore', limits: { timeoutMs: 3_000 } }),
    call: callOf('probe', {}, { id: 'bg4' }),
    meanwhile: stopAfterOneSecond,
    expected: told('bg4'),
    also: async (test) => {
      await seconds(test, 2);
      assert.match(
        test.turn.background.takeEnded()[0]?.text ?? '',
        /an error\..*Ended by the time limit of probe, 3 s/s,
      );
    },
  });
  check('tells of a bug as any run does', {
    tool: probe(
      async ({ host }) => {
        await host.clock.sleep(2_000);
        throw new TypeError('x is undefined');
      },
      { interrupt: 'ignore' },
    ),
    call: callOf('probe', {}, { id: 'bg5' }),
    meanwhile: stopAfterOneSecond,
    expected: { ...told('bg5'), wholeChars: 0 },
    also: async (test) => {
      await seconds(test, 1);
      assert.match(test.turn.background.takeEnded()[0]?.text ?? '', /an error\..*a bug of its own.*x is undefined/s);
      assert.deepEqual(
        test.events.slice(-2).map(({ type }) => type),
        ['notice', 'tool/ended'],
      );
    },
  });
  check('shows nothing and asks nobody once its call is answered', {
    tool: probe(
      async ({ host, progress, ask, call }) => {
        await host.clock.sleep(2_000);
        progress({ kind: 'text', text: 'late' });
        const { kind } = await ask((id) => ({ kind: 'question', id, call, questions: [] }));
        return { text: kind };
      },
      { interrupt: 'ignore' },
    ),
    call: callOf('probe', {}, { id: 'bg6' }),
    meanwhile: stopAfterOneSecond,
    expected: { ...told('bg6'), wholeChars: 0 },
    also: async (test) => {
      await seconds(test, 2);
      assert.equal((await test.turn.outputs.read('bg6', 0)).text, 'dismissed');
      assert.deepEqual(
        test.events.slice(-2).map(({ type }) => type),
        ['tool/finished', 'tool/ended'],
      );
    },
  });
  check('ends with Stop where its call has not begun to run', {
    tool: probe(lines, { interrupt: 'ignore', prepare: never }),
    meanwhile: async (test) => {
      await test.seen('tool/queued');
      await clockOf(test).advance(0);
      test.stop.abort();
    },
    expected: {
      status: 'stopped',
      text: 'Stopped by the person before this call ran: it changed nothing.',
    },
    events: ['tool/queued', 'tool/finished'],
  });

  check('X06: may go on from the start, with what it has put out by when it says so', {
    tool: probe(
      async (ctx) => {
        ctx.out.write('listening\n');
        assert.equal(ctx.released.aborted, true);
        ctx.answer('It has started.');
        await ctx.host.clock.sleep(1_000, ctx.signal);
        ctx.progress({ kind: 'text', text: 'listening\n', moreChars: 7, tail: 'late' });
        await ctx.host.clock.sleep(1_000, ctx.signal);
        return { summary: 'Exit code 0.' };
      },
      { background: () => true },
    ),
    call: callOf('probe', {}, { id: 'bg7' }),
    expected: {
      status: 'done',
      display: { kind: 'text', text: 'listening\n' },
      text: 'listening\nIt has started. It goes on in the background as bg7, and you are told when it ends. Read what it puts out with output, id "bg7"; end it with stop.',
      wholeChars: 10,
      durationMs: 0,
      background: true,
    },
    also: async (test) => {
      test.stop.abort();
      await clockOf(test).advance(1_000);
      assert.deepEqual(
        running(test).map(({ id, tail, moreChars }) => ({ id, tail, moreChars })),
        [{ id: 'bg7', tail: 'late', moreChars: 17 }],
      );
      await seconds(test, 1);
      assert.deepEqual(test.turn.background.takeEnded(), [ended('bg7', 'done', 10, '\nExit code 0.')]);
    },
  });
  check('X06: that ends before it says so is a call like any other', {
    tool: probe(async () => ({ text: 'no such file', failed: true }), { background: () => true }),
    expected: { status: 'failed', text: 'no such file', wholeChars: 12 },
    also: async ({ turn }) => assert.deepEqual(turn.background.list(), []),
  });

  it('51: is sent to the background by the person, or ended, while its call waits', () =>
    withTurn([probe(lines, { background: () => false })], { clock: createManualClock() }, async (test) => {
      const { background } = test.turn;
      assert.deepEqual([background.release('s1'), background.stopWaited()], ['none', false]);
      const sent = runToolCall(callOf('probe', {}, { id: 's1' }), test.turn);
      await afterStart(test, 1_000);
      assert.deepEqual([background.release('other'), background.release('s1')], ['none', 'released']);
      assert.match(
        (await sent).text,
        /^line 1\nline 2\nThe person let it go on in the background.* as s1: it has not ended/s,
      );
      assert.equal((await sent).status, 'done');
      const ending = runToolCall(callOf('probe', {}, { id: 's2' }), test.turn);
      await clockOf(test).advance(0);
      while (!background.stopWaited('s2')) await clockOf(test).advance(0);
      assert.match((await ending).text, /^line 1\nEnded early\.\nStopped by the person/);
      assert.deepEqual(
        running(test).map(({ id }) => id),
        ['s1'],
      );
      await background.close();
    }));

  it('X06: goes on only where there is room, which is kept for it', () =>
    withTurn(
      [probe(never, { background: () => true, interrupt: 'error', concurrent: () => true })],
      { clock: createManualClock(), settings: { 'tools.concurrency': 20 } },
      async (test) => {
        const calls = Array.from({ length: BACKGROUND_MAX + 1 }, (_, i) =>
          runToolCall(callOf('probe', {}, { id: `r${i}` }), test.turn),
        );
        const refused = await Promise.race(calls);
        assert.equal(refused.status, 'failed');
        assert.match(refused.text, /^At most 8 runs go on in the background\. Now there are r0 \(Probe all\), r1 /);
        test.stop.abort();
        await clockOf(test).advance(200);
        await Promise.all(calls);
      },
    ));

  it('frees its place in the order of calls', () =>
    withTurn([probe(never, { interrupt: 'ignore' })], { clock: createManualClock() }, async (test) => {
      const first = runToolCall(callOf('probe'), test.turn);
      await stopAfterOneSecond(test);
      await first;
      const next = new AbortController();
      assert.equal(await test.turn.gate.run('alone', async () => 'in', next.signal), 'in');
    }));

  it('has room for so many; one more ends with Stop', () =>
    withTurn(
      [probe(lines, { interrupt: 'ignore', concurrent: () => true })],
      { clock: createManualClock() },
      async (test) => {
        const calls = Array.from({ length: BACKGROUND_MAX + 1 }, () => runToolCall(callOf('probe'), test.turn));
        await stopAfterOneSecond(test);
        const results = await Promise.all(calls);
        assert.deepEqual(
          results.map(({ background }) => background ?? false),
          [...Array<boolean>(BACKGROUND_MAX).fill(true), false],
        );
        assert.match(results.at(-1)?.text ?? '', /Ended early\.\nStopped by the person before it finished/);
        assert.equal(running(test).length, BACKGROUND_MAX);
        await test.turn.background.close();
        assert.equal(test.turn.background.takeEnded().length, BACKGROUND_MAX);
        assert.equal(test.turn.background.hasRoom, false);
      },
    ));
});
