// Rewinding through the real loop: what the model is sent afterwards, what it may still do, and that a restart does not change it.
import assert from 'node:assert/strict';
import type { Session } from '../../src/core/session/types';
import { defineTool } from '../../src/core/tool/tool';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { prefixOf } from '../support/requestBody';
import { withSession, type SessionTest } from '../support/sessionTest';

const READ_AND_PLAN = [
  reply(
    toolUse('read', { file_path: 'a.txt' }),
    toolUse('todowrite', { todos: [{ content: 'One', status: 'pending' }] }),
  ),
  reply(text('First answer')),
];
const SECOND = reply(text('Second answer'));
const THIRD = reply(text('Third answer'));
const FILES = { 'a.txt': 'alpha\n' };

const turnOf = (session: Session, prompt: string): string =>
  session.prompts().find((one) => one.text === prompt)?.turn ?? assert.fail(`no prompt ${prompt}`);
const bodies = ({ server }: SessionTest): string[] => server.messageRequests().map(({ bodyText }) => bodyText);
const words = (session: Session): string[] =>
  session.transcript.page(100).rows.flatMap((row) => (row.type === 'prompt' || row.type === 'text' ? row.text : []));
const promptsIn = (body: string): string[] =>
  [...body.matchAll(/"(Prompt [A-Z])"/g)].flatMap(([, prompt]) => prompt ?? []);

describe('#37 a rewound session', () => {
  it('sends what it sent when that turn began, with the new prompt in the old one’s place', async () => {
    const replies = [...READ_AND_PLAN, SECOND, THIRD];
    await withSession({ replies, tools: TOOLS, files: FILES }, async (test) => {
      const { session } = test;
      await session.prompt('Prompt A');
      await session.prompt('Prompt B');
      assert.equal(session.rewind(turnOf(session, 'Prompt B')), true);
      await session.prompt('Prompt C');
      const [, before = '', removed = '', after = ''] = bodies(test);
      assert.ok(prefixOf(after).startsWith(prefixOf(before)));
      assert.equal(after.replace('Prompt C', 'Prompt B'), removed, 'byte for byte, todos and notes included');
      assert.deepEqual(words(session), ['Prompt A', 'First answer', 'Prompt C', 'Third answer']);
    });
  });

  it('begins anew before the first prompt: todos are gone, date and mode are told again', async () => {
    await withSession({ replies: [...READ_AND_PLAN, SECOND], tools: TOOLS, files: FILES }, async (test) => {
      const { session } = test;
      await session.prompt('Prompt A');
      assert.equal(session.todos().length, 1);
      session.rewind(turnOf(session, 'Prompt A'));
      assert.deepEqual(session.todos(), []);
      await session.prompt('Prompt C');
      const [first = '', , last = ''] = bodies(test);
      assert.equal(last, first.replace('Prompt A', 'Prompt C'));
    });
  });

  it('R04: counts nothing as read', async () => {
    const edit = toolUse('edit', { file_path: 'a.txt', old_string: 'alpha', new_string: 'beta' });
    const replies = [...READ_AND_PLAN, SECOND, reply(edit), THIRD];
    await withSession({ replies, tools: TOOLS, files: FILES }, async (test) => {
      const { session, workspace } = test;
      await session.prompt('Prompt A');
      await session.prompt('Prompt B');
      session.rewind(turnOf(session, 'Prompt B'));
      await session.prompt('Prompt C');
      assert.deepEqual(await workspace.tree(), FILES);
      assert.match(test.of('tool/finished').at(-1)?.text ?? '', /read/i);
    });
  });

  it('#39: is undone until the next prompt, and a restart changes none of it', async () => {
    const replies = [...READ_AND_PLAN, SECOND, THIRD, reply(text('Fourth answer'))];
    await withSession({ replies, tools: TOOLS, files: FILES }, async (test) => {
      const { session } = test;
      await session.prompt('Prompt A');
      await session.prompt('Prompt B');
      const before = words(session);
      session.rewind(turnOf(session, 'Prompt B'));
      session.rewind(turnOf(session, 'Prompt A'));
      await session.close();

      const again = await test.reopen();
      assert.deepEqual([words(again), again.prompts(), again.canUndoRewind], [[], [], true]);
      assert.deepEqual([again.undoRewind(), words(again)], [true, ['Prompt A', 'First answer']]);
      assert.deepEqual([again.undoRewind(), words(again)], [true, before]);
      assert.equal(again.undoRewind(), false);
      await again.prompt('Prompt C');
      again.rewind(turnOf(again, 'Prompt C'));
      await again.prompt('Prompt D');
      assert.equal(again.canUndoRewind, false);
      assert.deepEqual(promptsIn(bodies(test).at(-1) ?? ''), ['Prompt A', 'Prompt B', 'Prompt D']);
      await again.close();

      const third = await test.reopen();
      assert.deepEqual(words(third), [
        'Prompt A',
        'First answer',
        'Prompt B',
        'Second answer',
        'Prompt D',
        'Fourth answer',
      ]);
      await third.close();
    });
  });

  it('is refused while a turn runs, and for what is no prompt of this session', async () => {
    await withSession({ replies: [reply(text('Done')), reply(text('Done'))], tools: TOOLS }, async ({ session }) => {
      await session.prompt('Prompt A');
      const turn = turnOf(session, 'Prompt A');
      const running = session.prompt('Prompt B');
      assert.deepEqual([session.rewind(turn), session.undoRewind()], [false, false]);
      await running;
      assert.deepEqual([session.rewind('nowhere'), session.undoRewind()], [false, false]);
      assert.equal(session.prompts().length, 2);
    });
  });

  it('does not tell of a run whose call is out, and tells again of one whose end was told there', async () => {
    let end = (): void => {};
    const watch = defineTool({
      name: 'watch',
      kind: 'shell',
      description: 'Watches.',
      schema: { type: 'object', properties: {} },
      modes: 'all',
      interrupt: 'ignore',
      title: () => 'Watch',
      prepare: async () => ({ targets: [], plan: undefined }),
      run: () => new Promise((resolve) => (end = () => resolve({ summary: 'Exit code 0.' }))),
    });
    const watchReply = reply(toolUse('watch', {}, { id: 'w1' }));
    await withSession({ replies: [watchReply, { ...SECOND, times: 'always' }], tools: [watch] }, async (test) => {
      const { session } = test;
      session.subscribe((event) => {
        if (event.type === 'tool/started') setImmediate(() => session.stop());
      });
      assert.equal(await session.prompt('Prompt A'), 'stopped');
      end();
      const told = () => test.of('note/appended').filter(({ about }) => about === 'run w1').length;
      // Its output has to be on disk first.
      while (told() === 0) await session.prompt('Prompt B');
      session.rewind(session.prompts().at(-1)?.turn ?? '');
      await session.prompt('Prompt C');
      assert.equal(told(), 2);
      session.rewind(turnOf(session, 'Prompt A'));
      await session.prompt('Prompt D');
      assert.equal(told(), 2);
      assert.doesNotMatch(bodies(test).at(-1) ?? '', /w1/);
    });
  });
});
