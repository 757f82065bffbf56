// todowrite: the session's list, replaced as a whole.
import assert from 'node:assert/strict';
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
  {
    what: 'refuses an essay as a step',
    input: { todos: [todo('x'.repeat(401), 'pending')] },
    status: 'failed',
    text: /must have 400 characters or less/,
  },
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
