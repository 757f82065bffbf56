// The built-in tools in whole turns: parallel reads, an edit that fails and is mended, a long output read back, a question.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import type { AgentEvent } from '../../src/common/events';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { withSession, type SessionTest } from '../support/sessionTest';

/** Results in the order in which they ended, with the workspace's path written as `<root>`. */
function results({ events, workspace }: SessionTest): string[] {
  return events.flatMap((event: AgentEvent) =>
    event.type === 'tool/finished' ? [`${event.status}: ${event.text.replaceAll(workspace.root, '<root>')}`] : [],
  );
}

describe('tools in a turn', () => {
  it('a stale edit is refused, read again and made', () =>
    withSession(
      {
        tools: TOOLS,
        files: { 'a.txt': 'one\ntwo\n' },
        replies: [
          reply(toolUse('Read', { file_path: 'a.txt' }), toolUse('read_file', { file_path: 'b.txt' })),
          reply(toolUse('edit', { file_path: 'a.txt', old_string: 'two', new_string: '2' })),
          reply(toolUse('bash', { command: 'printf "zero\\nTWO\\n" > a.txt' })),
          reply(toolUse('edit', { file_path: 'a.txt', old_string: 'two', new_string: 'II' })),
          reply(toolUse('read', { file_path: 'a.txt' })),
          reply(toolUse('edit', { file_path: 'a.txt', old_string: 'TWO', new_string: 'II' })),
          reply(text('Done.')),
        ],
      },
      async (test) => {
        assert.equal(await test.session.prompt('Go'), 'done');
        const [missing, ...others] = results(test).sort().reverse();
        assert.match(missing ?? '', /^failed: b\.txt does not exist\. Did you mean a\.txt\?$/);
        assert.match(
          others[0] ?? '',
          /^failed: a\.txt has changed since it was read\. Read it again\.[^]*Line 2: the file has `TWO`, old_string has `two`\./,
        );
        assert.deepEqual(others.slice(1), [
          'done: Files that you have read are different now: a.txt.',
          'done: Edited a.txt (+1 −1, at line 2).',
          'done: Edited a.txt (+1 −1, at line 2).',
          'done:      1\tzero\n     2\tTWO',
          'done:      1\tone\n     2\ttwo',
        ]);
        assert.deepEqual(await test.workspace.tree(), { 'a.txt': 'zero\nII\n' });
      },
    ));

  it('what was cut is read back by the id that the cut names', () =>
    withSession(
      {
        tools: TOOLS,
        replies: [
          reply(toolUse('bash', { command: 'seq 1 20000; echo "failure at 777"; seq 1 20000' }, { id: 'toolu_big' })),
          reply(toolUse('output', { id: 'toolu_big', pattern: 'failure' })),
          reply(text('Found.')),
        ],
      },
      async (test) => {
        assert.equal(await test.session.prompt('Go'), 'done');
        const [big, found] = results(test);
        assert.match(big ?? '', /output.*toolu_big|toolu_big.*output/);
        assert.match(found ?? '', /^done: [\s\S]* 20001:\tfailure at 777/);
      },
    ));

  it('two edits of one file in one message both land', () =>
    withSession(
      {
        tools: TOOLS,
        files: { 'a.txt': 'one\ntwo\nthree\n' },
        replies: [
          reply(toolUse('read', { file_path: 'a.txt' })),
          reply(
            toolUse('edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' }),
            toolUse('edit', { file_path: 'a.txt', old_string: 'three', new_string: '3' }),
          ),
          reply(text('Done.')),
        ],
      },
      async (test) => {
        assert.equal(await test.session.prompt('Go'), 'done');
        assert.deepEqual(await test.workspace.tree(), { 'a.txt': '1\ntwo\n3\n' });
      },
    ));

  it('a question is answered by the person, and plan mode allows it', () =>
    withSession(
      {
        tools: TOOLS,
        mode: 'plan',
        replies: [
          reply(
            toolUse('question', {
              questions: [{ question: 'Which way?', options: [{ label: 'Left' }, { label: 'Right' }] }],
            }),
          ),
          reply(toolUse('write', { file_path: 'x', content: '' })),
          reply(text('Left, then.')),
        ],
      },
      async (test) => {
        test.session.subscribe((event) => {
          if (event.type !== 'ask/opened' || event.ask.kind !== 'question') return;
          const answers = [{ question: 'Which way?', chosen: ['Left'] }];
          setImmediate(() => test.asks.answer(event.ask.id, { kind: 'question', answers }));
        });
        assert.equal(await test.session.prompt('Go'), 'done');
        const [answered, written] = results(test);
        assert.equal(answered, 'done: Which way?\n→ Left');
        assert.match(written ?? '', /^denied: The session is in Plan mode/);
        assert.deepEqual(await test.workspace.tree(), {});
      },
    ));

  it('R04: what a session has read counts no more after it is opened again', () =>
    withSession(
      {
        tools: TOOLS,
        files: { 'a.txt': 'one\n' },
        replies: [
          reply(toolUse('read', { file_path: 'a.txt' })),
          reply(text('Read.')),
          reply(toolUse('edit', { file_path: 'a.txt', old_string: 'one', new_string: '1' })),
          reply(toolUse('read', { file_path: 'a.txt' })),
          reply(text('Read again.')),
        ],
      },
      async (test) => {
        assert.equal(await test.session.prompt('Read'), 'done');
        await test.session.flush();
        await writeFile(test.workspace.path('a.txt'), 'one\n');
        const again = await test.reopen();
        assert.equal(await again.prompt('Edit'), 'done');
        const [refused, shown] = results(test).slice(-2);
        assert.match(refused ?? '', /^failed: Read a\.txt first/);
        assert.equal(shown, 'done:      1\tone', 'no pointer to what an earlier process has shown');
        again.dispose();
        await again.flush();
      },
    ));
});
