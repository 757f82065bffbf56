// Being told of an abort: once, in order, by one listener, and not at all after letting go.
import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { onAbort } from '../../../src/core/onAbort';
import { untilAborted } from '../../../src/core/untilAborted';

describe('onAbort', () => {
  it('tells all who wait, in order, and none who has let go', () => {
    const stop = new AbortController();
    const told: string[] = [];
    const tell = (name: string) => onAbort(stop.signal, () => told.push(name));
    tell('a');
    const release = tell('b');
    tell('c');
    assert.equal(getEventListeners(stop.signal, 'abort').length, 1);
    release();
    stop.abort();
    tell('late');
    assert.deepEqual(told, ['a', 'c', 'late']);
  });

  it('lets one that is told release another', () => {
    const stop = new AbortController();
    const told: string[] = [];
    onAbort(stop.signal, () => {
      told.push('first');
      release();
    });
    const release = onAbort(stop.signal, () => told.push('second'));
    stop.abort();
    assert.deepEqual(told, ['first']);
  });

  it('holds the same function apart that waits twice', () => {
    const stop = new AbortController();
    let count = 0;
    const act = (): void => void count++;
    onAbort(stop.signal, act)();
    onAbort(stop.signal, act);
    onAbort(stop.signal, act);
    stop.abort();
    assert.equal(count, 2);
  });
});

describe('untilAborted', () => {
  it('answers what comes first', async () => {
    const stop = new AbortController();
    assert.equal(await untilAborted(Promise.resolve(1), stop.signal), 1);
    await assert.rejects(untilAborted(Promise.reject(new Error('fault')), stop.signal), /fault/);
    const waiting = untilAborted(new Promise(() => {}), stop.signal);
    stop.abort();
    assert.equal(await waiting, undefined);
    assert.equal(await untilAborted(Promise.resolve(1), stop.signal), undefined);
  });
});
