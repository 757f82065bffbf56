// question: the person's answer, or that nobody is there to give one.
import assert from 'node:assert/strict';
import type { AskAnswer } from '../../../src/common/asks';
import { checkTool, withTools } from '../../support/toolTest';

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
  {
    what: 'refuses more than a person would read',
    input: { questions: [{ question: 'A?', options: [{ label: 'x'.repeat(201) }] }] },
    status: 'failed',
    text: /must have 200 characters or less/,
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
