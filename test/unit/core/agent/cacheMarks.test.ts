// Where the prompt cache is marked.
import assert from 'node:assert/strict';
import type { Message } from '../../../../src/common/blocks';
import { cacheMarks } from '../../../../src/core/agent/cacheMarks';
import type { CacheMark } from '../../../../src/core/provider/types';

/** Messages with so many blocks each. */
function messagesOf(...sizes: number[]): Message[] {
  return sizes.map((size, at) => ({
    role: at % 2 === 0 ? 'user' : 'assistant',
    content: Array.from({ length: size }, () => ({ type: 'text', text: 'x' })),
  }));
}

describe('cache marks', () => {
  const check = (name: string, sizes: number[], previousEnd: CacheMark | undefined, expected: CacheMark[]): void => {
    it(name, () => assert.deepEqual(cacheMarks(messagesOf(...sizes), previousEnd), expected));
  };
  const first = { message: 0, block: 1 };
  check('the first request', [2], undefined, [first]);
  check('the next one is found by looking back', [2, 7, 8], first, [{ message: 2, block: 7 }]);
  check('too far back', [2, 8, 8], first, [first, { message: 2, block: 7 }]);
  check('more in the same message', [3], first, [{ message: 0, block: 2 }]);
  check('much more in the same message', [18], first, [first, { message: 0, block: 17 }]);
  check('no messages', [], undefined, []);
});
