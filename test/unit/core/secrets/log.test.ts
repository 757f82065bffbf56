// What is logged holds no secret, whatever was handed to the log.
import assert from 'node:assert/strict';
import { createLog } from '../../../../src/node/log';

function logged(act: (log: ReturnType<typeof createLog>) => void): readonly string[] {
  const lines: string[] = [];
  act(createLog({ now: () => 0 }, (line) => lines.push(line)));
  return lines;
}

describe('the log', () => {
  it('S95: holds no key, password, header or login, in messages and in causes', () => {
    const failed = new Error('401 for {"x-api-key":"k-0123456789"}', { cause: 'x' });
    failed.stack = `${failed.message}\n    at login (token="t-0123456789")`;
    const lines = logged((log) => {
      log.info('PGPASSWORD=hunter2 psql');
      log.warn('The MCP server said: Authorization: Bearer abc123def');
      log.error('It broke', failed);
      log.error('It broke', 'https://me:word@host/x');
    });
    assert.deepEqual(lines, [
      '1970-01-01T00:00:00.000Z info PGPASSWORD=[redacted] psql',
      '1970-01-01T00:00:00.000Z warn The MCP server said: Authorization: Bearer [redacted]',
      '1970-01-01T00:00:00.000Z error It broke: 401 for {"x-api-key":"[redacted]"}\n    at login (token="[redacted]")',
      '1970-01-01T00:00:00.000Z error It broke: https://me:[redacted]@host/x',
    ]);
  });

  it('S95: holds no whole request', () => {
    const body = JSON.stringify({ messages: Array.from({ length: 5_000 }, (_, at) => `message ${at}`) });
    const [line = ''] = logged((log) => log.error('The request failed', new Error(body)));
    assert.match(
      line,
      /^1970-01-01T00:00:00.000Z error The request failed: .*message 1".*\n\[\d+ characters left out\]\n/s,
    );
    assert.equal(line.includes('message 2500'), false);
  });
});
