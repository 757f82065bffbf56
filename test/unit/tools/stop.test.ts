// stop: ends runs in the background by their ids, several at once, and says what there is where an id is none.
import assert from 'node:assert/strict';
import { checkTool, withTools } from '../../support/toolTest';

const server = ['bash', { command: 'echo up; sleep 60', description: 'Serve', run_in_background: true }] as const;
const short = ['bash', { command: 'sleep 1.3', description: 'Wait', run_in_background: true }] as const;

const STOPPED =
  'The background run c1 of bash (Serve) ended with: a stop. Its output has 3 characters: read it with output, id "c1".\nYou ended it before it finished.';

checkTool('stop', {}, [
  {
    what: 'X06: ends a run with all it has started; its output stays',
    before: [server],
    input: { id: 'c1' },
    text: STOPPED,
  },
  {
    what: 'X06: tells how to send the id where it comes under another name',
    input: { shell_id: 'c1' },
    status: 'failed',
    text: /This would be accepted, if it is what you mean: \{"id":"c1"\}$/,
  },
  {
    what: 'X06: ends several, and says which were over',
    before: [server, short, ['output', { id: 'c2', wait: 10 }]],
    input: { id: 'c1 c2' },
    text: `${STOPPED}\nc2 had ended by itself.`,
  },
  {
    what: 'X06: names what runs where there is no such run',
    before: [server],
    input: { id: 'c7' },
    status: 'failed',
    text: 'There is no background run "c7" in this session. Now there are c1 (Serve).',
  },
  {
    what: 'X06: says so where nothing runs',
    input: { id: ' ,' },
    status: 'failed',
    text: 'Give the id of the run to stop.',
  },
]);

describe('stop', () => {
  it('X06: is there in every mode, and asks nobody', () =>
    withTools(
      {},
      async ({ call, asks }) => {
        const { status, text } = await call('KillShell', { id: 'c7' });
        assert.deepEqual(
          { status, text, asks },
          {
            status: 'failed',
            text: 'There is no background run "c7" in this session. Nothing goes on in the background now.',
            asks: [],
          },
        );
      },
      { mode: 'plan', answer: () => ({ kind: 'permission', decision: 'once' }) },
    ));
});
