// The gate: first come, first served, whatever mix of calls arrives and in whatever order they end.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { Gate, type Entry } from '../../../../src/core/tool/gate';

const NEVER = new AbortController().signal;

/** `turns`: how many turns of the event loop the work takes. */
const arrivals = fc.array(
  fc.record({ entry: fc.constantFrom<Entry>('alone', 'shared'), turns: fc.nat(4), fails: fc.boolean() }),
  { maxLength: 24 },
);

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
}

describe('Gate', () => {
  it('lets in by order, never more than the limit, and one that runs alone with nobody else', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 4 }), fc.nat(3), async (calls, limit, gap) => {
        const gate = new Gate(() => limit);
        const started: number[] = [];
        const running = new Set<number>();
        const results = calls.map(async ({ entry, turns: length, fails }, index) => {
          const work = async (): Promise<number> => {
            started.push(index);
            running.add(index);
            assert.ok(running.size <= limit || entry === 'alone');
            if ([...running].some((other) => calls[other]?.entry === 'alone')) assert.equal(running.size, 1);
            await turns(length);
            running.delete(index);
            if (fails) throw new Error(`${index}`);
            return index;
          };
          await turns(gap * index);
          return gate.run(entry, work, NEVER);
        });
        const settled = await Promise.allSettled(results);
        assert.deepEqual(
          started,
          calls.map((_, index) => index),
        );
        assert.deepEqual(
          settled.map((result) => (result.status === 'fulfilled' ? result.value : Number(result.reason.message))),
          calls.map((_, index) => index),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('overlaps shared calls up to the limit as it is now', async () => {
    let limit = 1;
    const gate = new Gate(() => limit);
    const ends: (() => void)[] = [];
    const work = (): Promise<void> => new Promise((resolve) => ends.push(resolve));
    const all = [1, 2, 3, 4].map(() => gate.run('shared', work, NEVER));
    assert.equal(ends.length, 1);
    limit = 3;
    ends[0]?.();
    await turns(1);
    assert.equal(ends.length, 4);
    for (const end of ends) end();
    await Promise.all(all);
  });

  it('lets an aborted call leave without running it, and lets in whom it held up', async () => {
    const gate = new Gate(() => 10);
    const leave = new AbortController();
    let end: () => void = () => {};
    const first = gate.run('shared', () => new Promise<void>((resolve) => (end = resolve)), NEVER);
    const second = gate.run('alone', () => Promise.reject(new Error('must not run')), leave.signal);
    const third = gate.run('shared', () => Promise.resolve(3), NEVER);
    leave.abort();
    assert.deepEqual(await Promise.all([second, third]), [undefined, 3]);
    end();
    await first;
    assert.equal(await gate.run('alone', () => Promise.resolve(4), leave.signal), undefined);
  });

  it('runs none of the calls that one abort ends, whatever they wait behind', async () => {
    const gate = new Gate(() => 10);
    const stop = new AbortController();
    const mustNotRun = () => Promise.reject(new Error('must not run'));
    let end: () => void = () => {};
    const first = gate.run('shared', () => new Promise<void>((resolve) => (end = resolve)), NEVER);
    const held = (['alone', 'shared', 'shared', 'alone'] as const).map((entry) =>
      gate.run(entry, mustNotRun, stop.signal),
    );
    stop.abort();
    assert.deepEqual(await Promise.all(held), [undefined, undefined, undefined, undefined]);
    end();
    await first;
  });

  it('waits for an abort with one listener, however many calls wait', async () => {
    const stop = new AbortController();
    const gate = new Gate(() => 1);
    const all = Array.from({ length: 30 }, () => gate.run('shared', () => turns(1), stop.signal));
    assert.equal(getEventListeners(stop.signal, 'abort').length, 1);
    stop.abort();
    await Promise.all(all);
  });
});
