// output: pages and searches what was stored of earlier calls.
import assert from 'node:assert/strict';
import { checkTool, withTools } from '../../support/toolTest';

const seq = ['bash', { command: 'seq 1 30; echo "needle (x"; seq 1 3' }] as const;

checkTool('output', {}, [
  {
    what: 'shows a window',
    before: [seq],
    input: { id: 'c1', offset: 29, limit: 2 },
    text: '    29\t29\n    30\t30\n(Go on with offset 31.)',
  },
  {
    what: 'shows the end',
    before: [seq],
    input: { id: 'c1', offset: 33 },
    text: '    33\t2\n    34\t3\n(End of the output.)',
  },
  {
    what: 'says when a window lies behind the end',
    before: [seq],
    input: { id: 'c1', offset: 99 },
    text: 'There is no line 99: the output has 34.',
  },
  {
    what: 'searches',
    before: [seq],
    input: { id: 'c1', pattern: 'need' },
    text: '    29-\t29\n    30-\t30\n    31:\tneedle (x\n    32-\t1\n    33-\t2',
  },
  {
    what: 'searches plain text where it is no regex',
    before: [seq],
    input: { id: 'c1', pattern: '(x' },
    text: /^ {4}29-\t29\n[\s\S]*31:\tneedle \(x/,
  },
  {
    what: 'goes on with a search',
    before: [seq],
    input: { id: 'c1', pattern: '^1', limit: 3 },
    text: /\(There are more: go on with offset 4, or narrow the pattern\.\)$/,
  },
  {
    what: 'says when nothing matches',
    before: [seq],
    input: { id: 'c1', pattern: 'absent' },
    text: 'No line matches absent.',
  },
  {
    what: 'a miss is no error',
    input: { id: 'c9' },
    text: 'No output is stored under c9. Check the id, or run the tool again.',
  },
  {
    what: 'reads what other tools returned, failed runs included',
    before: [['bash', { command: 'echo sad; exit 1' }]],
    input: { id: 'c1' },
    text: '     1\tsad\n(End of the output.)',
  },
  {
    what: 'cuts long lines',
    before: [['bash', { command: "head -c 5000 /dev/zero | tr '\\0' x" }]],
    input: { id: 'c1' },
    text: `     1\t${'x'.repeat(2000)}… (3000 more characters)\n(End of the output.)`,
  },
]);

describe('output', () => {
  it('is not hung by a pattern (S89)', () =>
    withTools({}, async ({ call }) => {
      await call('bash', { command: "head -c 50000 /dev/zero | tr '\\0' a; echo b" });
      const { text } = await call('output', { id: 'c1', pattern: '(a+)+$' });
      assert.match(text, /No line matches/);
    }));
});
