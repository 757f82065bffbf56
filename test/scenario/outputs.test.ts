// Whole outputs over a session's life: read back after a restart, removed to make room, cut by limits that count at once.
import assert from 'node:assert/strict';
import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { withSession, type SessionTest } from '../support/sessionTest';

const LONG = { command: 'seq 1 20000; echo "failure at 777"; seq 1 20000' };

function results({ of }: SessionTest): string[] {
  return of('tool/finished').map((event) => `${event.status}: ${event.text}`);
}

describe('outputs of a session', () => {
  it('B02 O37: a session that is opened again still has its outputs', () =>
    withSession(
      {
        tools: TOOLS,
        replies: [
          reply(toolUse('bash', LONG, { id: 'toolu_big' })),
          reply(text('Ran.')),
          reply(toolUse('output', { id: 'toolu_big', pattern: 'failure' })),
          reply(text('Found.')),
        ],
      },
      async (test) => {
        assert.equal(await test.session.prompt('Run it'), 'done');
        await test.session.close();
        const again = await test.reopen();
        assert.equal(await again.prompt('Find the failure'), 'done');
        assert.match(results(test).at(-1) ?? '', /^done: [\s\S]* 20001:\tfailure at 777/);
        await again.close();
      },
    ));

  it('B02 K15: makes room on the disk after a turn, and a miss says to run the tool again', () => {
    const settings = { 'output.diskBytes': 1 };
    return withSession(
      {
        tools: TOOLS,
        settings,
        replies: [
          reply(toolUse('output', { id: 'toolu_old' })),
          reply(toolUse('bash', { command: 'echo kept' }, { id: 'toolu_new' })),
          reply(text('Done.')),
        ],
      },
      async (test) => {
        const { store } = test.workspace.host;
        const old = 'outputs/s_before/toolu_old';
        await store.append(old, 'from long ago');
        await utimes(join(test.workspace.outside, 'store', old), 0, 0);
        assert.equal(await test.session.prompt('Go'), 'done');
        assert.match(
          results(test)[0] ?? '',
          /No output is stored under toolu_old\. Check the id, or run the tool again\./,
        );
        await test.session.close();
        assert.equal(await store.size(old), undefined);
        assert.equal(await store.size(`outputs/${test.session.id}/toolu_new`), 5);
        await assert.rejects(stat(join(test.workspace.outside, 'store/outputs/s_before')), 'its folder went with it');
      },
    );
  });

  it('B04 G2: changed limits count at the next result', () => {
    const settings: Record<string, number> = {};
    const run = reply(toolUse('bash', { command: 'seq 1 2000' }));
    return withSession({ tools: TOOLS, settings, replies: [run, run, run, reply(text('Done.'))] }, async (test) => {
      const limits = [
        { 'tools.maxResultChars': 5_000, 'tools.digestChars': 1_000 },
        { 'tools.maxResultChars': 5_000, 'tools.digestChars': 3_000 },
      ];
      test.session.subscribe(({ type }) => type === 'tool/finished' && Object.assign(settings, limits.shift()));
      assert.equal(await test.session.prompt('Go'), 'done');
      const [whole, small, larger] = test.of('tool/finished').map((event) => event.text);
      assert.equal(whole, Array.from({ length: 2_000 }, (_, at) => `${at + 1}\n`).join(''));
      for (const [digest, most] of [
        [small, 1_000],
        [larger, 3_000],
      ] as const) {
        assert.match(digest ?? '', /characters left out here/);
        assert.ok(digest && digest.length <= most && digest.length > most - 100);
      }
    });
  });
});
