// Results that leave the requests when they take too much room: over a whole session, its restart and changed settings.
import assert from 'node:assert/strict';
import type { SettingValues } from '../../src/node/settings';
import { defineTool, type Tool } from '../../src/core/tool/tool';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse, type Reply } from '../support/model-server/scenario';
import { lastTextsOf, prefixOf, resultsOf } from '../support/requestBody';
import { withSession } from '../support/sessionTest';

const BUDGET_CHARS = 20_000;

/** Prints a text of so many characters, which says whose it is. */
const print: Tool = defineTool({
  name: 'print',
  kind: 'read',
  description: 'Prints.',
  schema: {
    type: 'object',
    properties: {
      name: { type: 'string', description: 'What it is called' },
      chars: { type: 'integer', description: 'How long it is' },
    },
    required: ['name', 'chars'],
  },
  modes: 'all',
  title: ({ name }) => `Print ${name}`,
  readOnly: () => true,
  prepare: async (input) => ({ targets: [], plan: input }),
  run: async ({ name, chars }) => ({ text: `${name} `.padEnd(chars, 'x') }),
});

function printing(name: string, chars = 4_000): Reply {
  return reply(toolUse('print', { name, chars }, { id: name }));
}

const pointer = (id: string): string =>
  `[This result of print was dropped to save room. Read or search it with the tool output, id "${id}".]`;

/** By call: its name for a whole result, else what stands in its place. */
function shown(bodyText: string): string[] {
  return Object.entries(resultsOf(bodyText)).map(([id, result]) => (result.startsWith(`${id} `) ? id : result));
}

describe('O35: history budget', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];

  it('old results leave in one step, are one call of output away, and the same bytes are sent ever after', async () => {
    const replies = [
      ...names.map((name) => printing(name)),
      reply(toolUse('output', { id: 'a' }, { id: 'back' })),
      reply(text('Done')),
    ];
    const settings: SettingValues = { 'tools.historyChars': BUDGET_CHARS };
    await withSession({ replies, tools: [...TOOLS, print], settings }, async ({ session, server, of, reopen }) => {
      assert.equal(await session.prompt('Go'), 'done');
      const bodies = server.messageRequests().map(({ bodyText }) => bodyText);
      const steps = of('results/pruned').map(({ results }) => results.map(({ call }) => call));
      assert.deepEqual(steps, [
        ['a', 'b', 'c', 'd'],
        ['e', 'f', 'g'],
        ['h', 'i', 'j'],
      ]);
      assert.deepEqual(shown(bodies[6]!), [...['a', 'b', 'c', 'd'].map(pointer), 'e', 'f']);
      assert.ok(bodies.every((body) => Object.values(resultsOf(body)).join('').length <= BUDGET_CHARS));
      // Only where something left is a request not the one before and more.
      const breaks = bodies.slice(1).filter((body, at) => !prefixOf(body).startsWith(prefixOf(bodies[at]!)));
      assert.equal(breaks.length, steps.length);
      assert.match(resultsOf(bodies.at(-1)!)['back'] ?? '', /^ +1\ta x{1000}/);

      await session.flush();
      server.push(reply(text('Back')));
      const again = await reopen();
      assert.deepEqual(again.transcript.page(1000), session.transcript.page(1000));
      assert.equal(await again.prompt('More'), 'done');
      const resumed = server.messageRequests().at(-1)!.bodyText;
      assert.ok(prefixOf(resumed).startsWith(prefixOf(bodies.at(-1)!)));
    });
  });

  it('K19: the setting counts at the next request, and what has left does not come back', async () => {
    const settings: { -readonly [N in keyof SettingValues]: SettingValues[N] } = {};
    const replies = [...names.slice(0, 4).map((name) => printing(name)), reply(text('Done'))];
    await withSession({ replies, tools: [print], settings }, async ({ session, server }) => {
      session.subscribe(({ type }) => {
        const requests = server.messageRequests().length;
        if (type === 'tool/started' && requests === 3) settings['tools.historyChars'] = 9_000;
        if (type === 'tool/started' && requests === 4) settings['tools.historyChars'] = 200_000;
      });
      await session.prompt('Go');
      const bodies = server.messageRequests().map(({ bodyText }) => shown(bodyText));
      assert.deepEqual(bodies.slice(2), [
        ['a', 'b'],
        [pointer('a'), pointer('b'), 'c'],
        [pointer('a'), pointer('b'), 'c', 'd'],
      ]);
    });
  });

  it('R03, R04: a file whose text has left, and any file after a restart, is read again instead of pointed to', async () => {
    const read = (id: string): Reply => reply(toolUse('read', { file_path: 'a.txt' }, { id }));
    const replies = [read('r1'), read('r2'), printing('a', 9_000), printing('b', 9_000), printing('c', 9_000)];
    const settings: SettingValues = { 'tools.historyChars': BUDGET_CHARS };
    const files = { 'a.txt': 'text\n'.repeat(100) };
    await withSession({ replies, tools: [...TOOLS, print], settings, files }, async ({ session, server, reopen }) => {
      server.push(read('r3'), reply(text('Done')), read('r4'), reply(text('Done')));
      await session.prompt('Go');
      await session.flush();
      await (await reopen()).prompt('Go on');
      const results = resultsOf(server.messageRequests().at(-1)!.bodyText);
      assert.match(results['r1'] ?? '', /^\[This result of read was dropped/);
      assert.match(results['r2'] ?? '', /has not changed since call r1/);
      assert.match(results['r3'] ?? '', /^ +1\ttext\n/);
      assert.match(results['r4'] ?? '', /^ +1\ttext\n/);
    });
  });

  it('O36: the todo list is told from the store, when the call that wrote it has left too', async () => {
    const todos = Array.from({ length: 8 }, (_, at) => ({
      content: `Step ${at} ${'and so on '.repeat(10)}`,
      status: at === 0 ? 'in_progress' : 'pending',
    }));
    const replies = [
      reply(toolUse('todowrite', { todos }, { id: 'todo' })),
      ...names.slice(0, 6).map((name) => printing(name, 6_000)),
      reply(text('Done')),
      reply(text('Done')),
      reply(text('Done')),
    ];
    const settings: SettingValues = { 'tools.historyChars': BUDGET_CHARS };
    await withSession({ replies, tools: [...TOOLS, print], settings }, async ({ session, server, reopen, of }) => {
      await session.prompt('Go');
      assert.ok(of('results/pruned').length > 0);
      await session.prompt('Go on');
      const told = lastTextsOf(server.messageRequests().at(-1)!.bodyText).join('\n');
      assert.match(told, /Your todo list:\n- \[in_progress\] Step 0 and so on/);
      await session.flush();
      const again = await reopen();
      assert.deepEqual(again.todos(), session.todos());
    });
  });
});
