// What was moved is never removed while its old place is somebody else's: no restore, and none that is taken back, loses the only copy.
import assert from 'node:assert/strict';
import { withHistory, type FolderHistory } from '../../../support/history';

function check(
  what: string,
  act: (history: FolderHistory) => Promise<unknown>,
  after: Readonly<Record<string, string>>,
): void {
  it(what, () =>
    withHistory({ a: 'first' }, async (history) => {
      await act(history);
      assert.deepEqual(await history.tree(), after);
    }),
  );
}

describe('complaint 34: the only copy of a text', () => {
  check(
    'stays when a restore that moved it back is taken back, and its place has been filled since',
    async ({ changes, turn, person, move }) => {
      const first = turn();
      await person('c', 'mine');
      await move('c', 'b');
      await changes().checkpoints.restore(first, []);
      await person('b', 'newer');
      await changes().checkpoints.undo([]);
    },
    { a: 'first', b: 'newer', c: 'mine' },
  );

  check(
    'stays at the end of a chain of moves, when its first place has been filled since',
    async ({ changes, turn, person, move }) => {
      const first = turn();
      await move('a', 'b');
      await move('b', 'c');
      await person('a', 'newer');
      await changes().checkpoints.restore(first, []);
    },
    { a: 'newer', c: 'first' },
  );

  check(
    'stays where it was moved to, when the person had written it over what the agent made',
    async ({ changes, turn, agent, person, move }) => {
      const first = turn();
      await agent('c', 'made');
      await person('c', 'mine');
      await move('c', 'b');
      await changes().checkpoints.restore(first, []);
    },
    { a: 'first', b: 'mine' },
  );

  check(
    'stays when it was moved to where something else was before',
    async ({ changes, turn, agent, person, move }) => {
      const first = turn();
      await agent('c', 'made');
      await person('c', 'mine');
      await agent('a', undefined);
      await move('c', 'a');
      await changes().checkpoints.restore(first, []);
    },
    { a: 'mine' },
  );

  check(
    'stays where it would be overwritten',
    async ({ changes, turn, agent, person, move }) => {
      const first = turn();
      await person('c', 'mine');
      await agent('a', undefined);
      await move('c', 'a');
      await agent('c', 'made');
      await changes().checkpoints.restore(first, []);
      await person('a', 'newer');
      await changes().checkpoints.undo([]);
    },
    { a: 'newer', c: 'mine' },
  );

  check(
    'goes back where its place is free',
    async ({ changes, turn, move }) => {
      const first = turn();
      await move('a', 'b');
      await move('b', 'c');
      await changes().checkpoints.restore(first, []);
    },
    { a: 'first' },
  );
});
