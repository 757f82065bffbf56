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
    text: '    29-\t29\n    30-\t30\n    31:\tneedle (x\n    32-\t1\n    33-\t2\n(The pattern is no regular expression, so it was searched for as plain text.)',
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
    what: 'says so too when nothing matches as plain text',
    before: [seq],
    input: { id: 'c1', pattern: '(y' },
    text: 'No line matches (y.\n(The pattern is no regular expression, so it was searched for as plain text.)',
  },
  {
    what: 'B03 K15: shows as many lines as the setting says',
    options: { settings: { 'output.lines': 2 } },
    before: [seq],
    input: { id: 'c1' },
    text: '     1\t1\n     2\t2\n(Go on with offset 3.)',
  },
  {
    what: 'B02: a miss is no error',
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
  {
    what: 'shows the last lines',
    before: [seq],
    input: { id: 'c1', offset: -2 },
    text: '    33\t2\n    34\t3\n(End of the output.)',
  },
  {
    what: 'X06: shows only what is new',
    before: [seq, ['output', { id: 'c1', limit: 32 }]],
    input: { id: 'c1', only_new: true },
    text: '    33\t2\n    34\t3\n(End of the output.)',
  },
  {
    what: 'X06: says where nothing is new',
    before: [seq, ['output', { id: 'c1' }]],
    input: { id: 'c1', only_new: true },
    text: 'Nothing new.',
  },
  {
    what: 'X06: searches only what is new, by its own numbers',
    before: [seq, ['output', { id: 'c1', limit: 31 }]],
    input: { id: 'c1', only_new: true, pattern: '^[0-9]' },
    text: '    32:\t1\n    33:\t2\n    34:\t3',
  },
  { what: 'refuses line 0', before: [seq], input: { id: 'c1', offset: 0 }, status: 'failed', text: /no line 0/ },
  {
    what: 'refuses a search from the end',
    before: [seq],
    input: { id: 'c1', offset: -1, pattern: 'x' },
    status: 'failed',
    text: 'With a pattern, offset counts the lines found, from 1.',
  },
  {
    what: 'X06: reads what still runs, and says for how long it has',
    before: [['bash', { command: 'echo up; sleep 60', run_in_background: true }]],
    input: { id: 'c1' },
    text: /^ {5}1\tup\n\(End of the output\.\)\n\(It has been running for \d+ s and may print more\.\)$/,
  },
  {
    what: 'X06: waits until the pattern matches',
    before: [['bash', { command: 'sleep 2; echo "ready (x"; sleep 60', run_in_background: true }]],
    input: { id: 'c1', wait: 30, pattern: '(x' },
    text: /^ {5}1:\tready \(x\n/,
  },
  {
    what: 'X06: waits no longer than it is told to',
    before: [['bash', { command: 'sleep 60', run_in_background: true }]],
    input: { id: 'c1', wait: 1 },
    text: /^There is no line 1: the output has 0\.\n\(It has been running/,
  },
]);

describe('output', () => {
  it('B03: shows 200 lines by default, and the setting counts at once', () => {
    const settings: { 'output.lines'?: number } = {};
    return withTools(
      {},
      async ({ call }) => {
        await call('bash', { command: 'seq 1 300' });
        assert.match((await call('output', { id: 'c1' })).text, /\t200\n\(Go on with offset 201\.\)$/);
        settings['output.lines'] = 50;
        assert.match((await call('output', { id: 'c1' })).text, /\t50\n\(Go on with offset 51\.\)$/);
      },
      { settings },
    );
  });

  it('S89: a pattern that takes too long is ended after a second of matching, and what was found counts', () =>
    withTools({}, async ({ call }) => {
      const big = `${JSON.stringify(process.execPath)} -e 'console.log("first"); for (let i = 0; i < 500; i++) console.log("a".repeat(60000))'`;
      const { wholeChars } = await call('bash', { command: big });
      assert.equal(wholeChars, 30_000_506);
      const { status, text } = await call('output', { id: 'c1', pattern: 'first|(?:a{1,200}b?){1,40}Q' });
      assert.deepEqual(
        { status, text },
        {
          status: 'done',
          text: '     1:\tfirst\n(The search was ended: the pattern takes too long on this output. Make it simpler.)',
        },
      );
    }));

  it('is not hung by a pattern (S89)', () =>
    withTools({}, async ({ call }) => {
      await call('bash', { command: "head -c 50000 /dev/zero | tr '\\0' a; echo b" });
      const { text } = await call('output', { id: 'c1', pattern: '(a+)+$' });
      assert.match(text, /No line matches/);
    }));
});
