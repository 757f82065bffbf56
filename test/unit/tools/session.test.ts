// todowrite, question and output: what touches the session and the person, and what reads stored results.
import assert from 'node:assert/strict';
import type { AskAnswer } from '../../../src/common/asks';
import { checkTool, withTools } from '../../support/toolTest';

const todo = (content: string, status: string, id?: string) => ({
  content,
  status,
  ...(id === undefined ? {} : { id }),
});

checkTool('todowrite', {}, [
  {
    what: 'sets the list',
    input: { todos: [todo('a', 'completed'), todo('b', 'in_progress'), todo('c', 'pending', 'x')] },
    text: 'The list is set: 1 completed, 1 in progress, 1 pending.',
    display: {
      kind: 'todos',
      todos: [
        { id: '1', content: 'a', status: 'completed' },
        { id: '2', content: 'b', status: 'in_progress' },
        { id: 'x', content: 'c', status: 'pending' },
      ],
    },
  },
  {
    what: 'takes the list as a string of JSON',
    input: { todos: JSON.stringify([todo('a', 'pending')]) },
    text: /1 pending/,
  },
  { what: 'clears the list', input: { todos: [] }, text: /0 pending/ },
  {
    what: 'refuses two in progress',
    input: { todos: [todo('a', 'in_progress'), todo('b', 'in_progress')] },
    status: 'failed',
    text: /2 todos are in progress/,
  },
  {
    what: 'refuses an id twice',
    input: { todos: [todo('a', 'pending', 'x'), todo('b', 'pending', 'x')] },
    status: 'failed',
    text: /Two todos have the id x/,
  },
  { what: 'refuses another status', input: { todos: [todo('a', 'done')] }, status: 'failed', text: /in_progress/ },
  { what: 'works in plan mode', options: { mode: 'plan' }, input: { todos: [] }, text: /The list is set/ },
]);

describe('todowrite', () => {
  it('changes what the session holds', () =>
    withTools({}, async ({ call, todos }) => {
      await call('todowrite', { todos: [todo('a', 'pending')] });
      assert.deepEqual(todos(), [{ id: '1', content: 'a', status: 'pending' }]);
      await call('todowrite', { todos: [todo('a', 'nope')] });
      assert.deepEqual(todos(), [{ id: '1', content: 'a', status: 'pending' }]);
    }));
});

const ASKED = {
  questions: [
    { question: 'Which?', header: 'Choice', options: [{ label: 'A', description: 'first' }, { label: 'B' }] },
  ],
};
const QUESTIONS = [
  {
    question: 'Which?',
    header: 'Choice',
    options: [
      { label: 'A', description: 'first' },
      { label: 'B', description: '' },
    ],
    multiple: false,
  },
];
const answers = [{ question: 'Which?', chosen: ['B'], text: 'but soon' }];

checkTool('question', {}, [
  {
    what: 'gives the answer',
    input: ASKED,
    options: { answer: (): AskAnswer => ({ kind: 'question', answers }) },
    text: 'Which?\n→ B; but soon',
    display: { kind: 'questions', questions: QUESTIONS, answers },
  },
  {
    what: 'says that nobody is there',
    input: ASKED,
    status: 'failed',
    text: 'Nobody is here to answer: Lathe runs without a person. Decide yourself what is most sensible, and say in your answer what you assumed.',
  },
  {
    what: 'refuses the same question twice',
    input: { questions: [{ question: 'A?' }, { question: 'A?' }] },
    status: 'failed',
    text: /stands twice/,
  },
  { what: 'refuses no question', input: { questions: [] }, status: 'failed', text: /questions/ },
]);

describe('question', () => {
  it('asks the person, not for permission', () =>
    withTools(
      {},
      async ({ call, asks }) => {
        await call('question', ASKED);
        const [ask] = asks;
        assert.deepEqual({ ...ask, id: '' }, { kind: 'question', id: '', call: 'c1', questions: QUESTIONS });
        assert.equal(asks.length, 1);
      },
      { mode: 'ask', answer: () => ({ kind: 'question', answers }) },
    ));
});

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
