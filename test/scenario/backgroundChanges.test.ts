// What commands in the background change: entered as theirs when they end, beside what others change meanwhile, and put back with it.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Session } from '../../src/core/session/types';
import { systemClock } from '../../src/node/clock';
import { TOOLS } from '../../src/tools/index';
import { eventually } from '../support/eventually';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { withSession, type SessionTest } from '../support/sessionTest';

const DONE = reply(text('Done'));
const FILES = { 'a.txt': 'a\n', 'b.txt': 'b\n', 'd.txt': 'd\n', 'e.txt': 'e\n' };

/** Changes files once `go` is there, outside of the workspace. */
const CHANGES = 'until test -f ../go; do sleep 0.05; done; echo run > a.txt; rm b.txt; echo new > c.txt';
const RUN = reply(toolUse('bash', { command: CHANGES, run_in_background: true }, { id: 'b1' }));
const OF_RUN = ['b1 created c.txt', 'b1 deleted b.txt', 'b1 edited a.txt'];

const go = ({ workspace }: SessionTest): void => writeFileSync(join(workspace.outside, 'go'), '');
const told = ({ of, workspace }: SessionTest): readonly string[] =>
  of('files/changed')
    .flatMap(({ call, files }) =>
      files.map((file) => `${call} ${file.change} ${file.path.slice(workspace.root.length + 1)}`),
    )
    .sort();
const firstTurn = (session: Session): string => session.checkpoints.list()[0]?.turn ?? '';

async function untilEnded(test: SessionTest): Promise<void> {
  go(test);
  await eventually('the end of the run', async () => test.of('tool/ended').length > 0);
}

describe('changes of commands in the background', function () {
  this.timeout(60_000);

  it('complaint 34: are those of the run, and nothing that other calls changed meanwhile', () => {
    const replies = [
      RUN,
      reply(toolUse('read', { file_path: 'd.txt' })),
      reply(toolUse('edit', { file_path: 'd.txt', old_string: 'd', new_string: 'D' }, { id: 'e1' })),
      reply(toolUse('bash', { command: 'echo f >> e.txt; echo f > f.txt' }, { id: 'f1' })),
      DONE,
      DONE,
    ];
    return withSession({ replies, tools: TOOLS, files: FILES, hostClock: systemClock }, async (test) => {
      const { session, workspace } = test;
      assert.equal(await session.prompt('Go'), 'done');
      assert.deepEqual(told(test), ['e1 edited d.txt', 'f1 created f.txt', 'f1 edited e.txt']);
      await untilEnded(test);
      assert.deepEqual(told(test), [...OF_RUN, 'e1 edited d.txt', 'f1 created f.txt', 'f1 edited e.txt']);
      assert.equal(await session.prompt('And?'), 'done');
      const outcome = await session.checkpoints.restore(firstTurn(session), []);
      assert.deepEqual([outcome.ok && outcome.kept, await workspace.tree()], [[], FILES]);
    });
  });

  it('R06: are told with its end, where the model has read what is different now', () => {
    const replies = [reply(toolUse('read', { file_path: 'a.txt' })), RUN, DONE, DONE];
    return withSession({ replies, tools: TOOLS, files: FILES, hostClock: systemClock }, async (test) => {
      assert.equal(await test.session.prompt('Go'), 'done');
      await untilEnded(test);
      assert.equal(await test.session.prompt('And?'), 'done');
      assert.match(
        JSON.stringify(test.server.messageRequests().at(-1)?.body),
        /run b1 of bash .*Files that you have read are different now: a\.txt\./,
      );
    });
  });

  it('complaint 34: of one that a later prompt stops are put back with the prompt that started it', () => {
    const command = 'echo run > a.txt; echo ready; sleep 600';
    const replies = [
      reply(toolUse('bash', { command, ready_pattern: 'ready' }, { id: 'b1' })),
      DONE,
      reply(toolUse('stop', { id: 'b1' })),
      DONE,
    ];
    return withSession({ replies, tools: TOOLS, files: FILES, hostClock: systemClock }, async (test) => {
      const { session, workspace } = test;
      assert.equal(await session.prompt('Go'), 'done');
      assert.equal(await session.prompt('Stop it'), 'done');
      assert.deepEqual(told(test), ['b1 edited a.txt']);
      const outcome = await session.checkpoints.restore(firstTurn(session), []);
      assert.deepEqual([outcome.ok && outcome.kept, await workspace.tree()], [[], FILES]);
    });
  });

  it('#37: of one whose prompt was rewound while it went on are put back with the prompt that came then', () => {
    const replies = [DONE, RUN, DONE, DONE, DONE];
    return withSession({ replies, tools: TOOLS, files: FILES, hostClock: systemClock }, async (test) => {
      const { session, workspace } = test;
      assert.equal(await session.prompt('First'), 'done');
      assert.equal(await session.prompt('Go'), 'done');
      const turn = session.prompts().at(-1)?.turn ?? '';
      assert.equal(session.rewind(turn), true);
      assert.deepEqual(
        session.tasks().map(({ id, state }) => [id, state]),
        [['b1', 'running']],
      );
      await untilEnded(test);
      assert.deepEqual(told(test), OF_RUN);
      assert.equal(await session.prompt('Another'), 'done');
      assert.deepEqual(
        test.of('note/appended').filter(({ about }) => about === 'run b1'),
        [],
      );
      const outcome = await session.checkpoints.restore(firstTurn(session), []);
      assert.deepEqual([outcome.ok && outcome.kept, await workspace.tree()], [[], FILES]);
    });
  });

  it('complaint 34: are entered when the window is closed', () => {
    const command = 'echo run > a.txt; echo ready; sleep 600';
    const replies = [reply(toolUse('bash', { command, ready_pattern: 'ready' }, { id: 'b1' })), DONE];
    return withSession({ replies, tools: TOOLS, files: FILES, hostClock: systemClock }, async (test) => {
      assert.equal(await test.session.prompt('Go'), 'done');
      await test.session.close();
      const again = await test.reopen();
      const outcome = await again.checkpoints.restore(firstTurn(again), []);
      assert.deepEqual([told(test).slice(0, 1), outcome.ok && outcome.kept], [['b1 edited a.txt'], []]);
      assert.deepEqual(await test.workspace.tree(), FILES);
      await again.close();
    });
  });
});
