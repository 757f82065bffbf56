// How long the waits between tries are.
import assert from 'node:assert/strict';
import { ATTEMPTS_MAX, retryDelayMs } from '../../../../src/core/agent/retry';

describe('retry delays', () => {
  it('double up to a minute', () => {
    const delays = Array.from({ length: ATTEMPTS_MAX - 1 }, (_, at) => retryDelayMs(at + 1, undefined));
    assert.deepEqual(delays, [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000]);
  });
  it('follow what the endpoint asks for, up to a minute', () => {
    assert.deepEqual(
      [0, 2500, 9_999_999].map((asked) => retryDelayMs(1, asked)),
      [0, 2500, 60_000],
    );
  });
});
