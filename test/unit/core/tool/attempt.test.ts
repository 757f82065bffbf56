// Which faults pass by themselves.
import assert from 'node:assert/strict';
import { isPassing, PassingFault } from '../../../../src/core/tool/attempt';

function check(name: string, fault: unknown, expected: boolean): void {
  it(`${name}: ${expected ? 'passing' : 'for good'}`, () => assert.equal(isPassing(fault), expected));
}

const withCode = (code: string): Error => Object.assign(new Error('failed'), { code });
const withStatus = (status: number): Error => Object.assign(new Error('failed'), { status });

describe('isPassing', () => {
  check('a fault declared so', new PassingFault('busy'), true);
  for (const code of [
    'ECONNRESET',
    'ECONNREFUSED',
    'EPIPE',
    'ETIMEDOUT',
    'EAI_AGAIN',
    'UND_ERR_SOCKET',
    'UND_ERR_CONNECT_TIMEOUT',
  ])
    check(code, withCode(code), true);
  for (const code of ['ENOENT', 'EACCES', 'ENOTFOUND', 'ENOSPC', 'CERT_HAS_EXPIRED', 'UND_ERR_ABORTED'])
    check(code, withCode(code), false);
  for (const status of [429, 500, 503, 529]) check(`status ${status}`, withStatus(status), true);
  for (const status of [400, 401, 404, 413, 600]) check(`status ${status}`, withStatus(status), false);
  check('a network fault as the cause', new TypeError('fetch failed', { cause: withCode('ECONNRESET') }), true);
  check('a timeout signal', AbortSignal.timeout(0).reason ?? new DOMException('', 'TimeoutError'), true);
  check('an abort', new DOMException('', 'AbortError'), false);
  check(
    'an abort of a network call',
    Object.assign(new DOMException('', 'AbortError'), { cause: withCode('ECONNRESET') }),
    false,
  );
  check('a bug', new TypeError('x is undefined'), false);
  check('something that is no error', 'ECONNRESET', false);
  it('a circle of causes ends', () => {
    const error = new Error('round');
    error.cause = error;
    assert.equal(isPassing(error), false);
  });
});
