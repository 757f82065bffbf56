// The toolset: names that models use, and a list that stays the same.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { defineTool, type Tool } from '../../../../src/core/tool/tool';
import { createToolset } from '../../../../src/core/tool/toolset';
import { withTurn, type TurnOptions } from './turn';

function tool(name: string, more: Partial<Tool> = {}): Tool {
  return {
    ...defineTool({
      name,
      kind: 'other',
      description: `The tool ${name}`,
      schema: { type: 'object', properties: {} },
      title: () => name,
      prepare: async () => ({ targets: [], plan: undefined }),
      run: async () => ({ text: name }),
    }),
    ...more,
  };
}

const TOOLS = [
  tool('write', { aliases: ['write_file', 'FileWriteTool'] }),
  tool('read', { aliases: ['read_file', 'FileReadTool', 'C-a-t'], guide: 'Read first.' }),
  tool('webfetch', { deferred: true, searchHint: 'http page', aliases: ['CAT'] }),
  tool('grep', { guide: 'Search with grep.' }),
  tool('tty', { available: () => false }),
];
/** Stands for others, so that tools can be deferred. */
const RELAY = tool('relay', { dispatch: () => ({ name: 'read', input: {} }) });
const CONNECTED = [tool('mcp__b__x'), tool('mcp__a__x', { description: (host) => `on ${host.platform.os}` })];

async function withToolset(
  use: (toolset: ReturnType<typeof createToolset>, os: string, logged: readonly string[]) => Promise<void> | void,
  tools = TOOLS,
  { settings = {}, connected = () => CONNECTED }: Pick<TurnOptions, 'settings' | 'connected'> = {},
) {
  await withTurn([], { settings }, async ({ host, logged }) =>
    use(createToolset(tools, host, connected), host.platform.os, logged),
  );
}

const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);
const many = (server: string, count: number) =>
  Array.from({ length: count }, (_, at) => tool(`mcp__${server}__t${String(at).padStart(2, '0')}`, { server }));

function finds(written: string, expected: string | undefined): void {
  it(`O21: ${written} is ${expected ?? 'unknown'}`, () =>
    withToolset((toolset) => assert.equal(toolset.find(written)?.name, expected)));
}

describe('createToolset', () => {
  finds('read', 'read');
  finds('Read', 'read');
  finds('READ', 'read');
  finds('read_file', 'read');
  finds('readFile', 'read');
  finds('FileReadTool', 'read');
  finds('file-read-tool', 'read');
  finds('web_fetch', 'webfetch');
  finds('MCP__A__X', 'mcp__a__x');
  finds('CAT', 'webfetch');
  finds('cat', undefined);
  finds('tty', undefined);
  finds('toString', undefined);
  finds('__proto__', undefined);
  finds('', undefined);

  it('O03 K13: describes built-in tools by name, then connected ones, without deferred and unavailable ones', () =>
    withToolset(
      (toolset, os) => {
        const schema = { type: 'object', properties: {} };
        assert.deepEqual(toolset.definitions(), [
          { name: 'grep', description: 'The tool grep', inputSchema: schema },
          { name: 'read', description: 'The tool read', inputSchema: schema },
          { name: 'relay', description: 'The tool relay', inputSchema: schema },
          { name: 'write', description: 'The tool write', inputSchema: schema },
          { name: 'mcp__a__x', description: `on ${os}`, inputSchema: schema },
          { name: 'mcp__b__x', description: 'The tool mcp__b__x', inputSchema: schema },
        ]);
        assert.equal(toolset.builtInCount, 4);
        assert.equal(toolset.definitions(), toolset.definitions());
        assert.ok(Object.isFrozen(toolset.definitions()));
        assert.deepEqual(toolset.guides(), ['Search with grep.', 'Read first.']);
        assert.deepEqual(toolset.deferred(), [
          { name: 'webfetch', description: 'The tool webfetch', searchHint: 'http page', inputSchema: schema },
        ]);
      },
      [...TOOLS, RELAY],
    ));

  it('O21: a name leads to one tool or to none, however it is written', () =>
    withToolset((toolset) => {
      const tools = [...TOOLS, ...CONNECTED].filter(({ name }) => name !== 'tty');
      const written = fc.constantFrom(
        ...tools.flatMap((known) => [known.name, ...known.aliases].map((name) => ({ known, name }))),
      );
      const disguise = fc.array(
        fc.record({ upper: fc.boolean(), separator: fc.constantFrom('', '_', '-', '.', ' ') }),
        {
          minLength: 40,
          maxLength: 40,
        },
      );
      fc.assert(
        fc.property(written, disguise, ({ known, name }, steps) => {
          assert.equal(toolset.find(name), known);
          const letters = [...name.replace(/[_-]/g, '')].map((letter, at) => {
            const { upper = false, separator = '' } = steps[at] ?? {};
            return (upper ? letter.toUpperCase() : letter.toLowerCase()) + separator;
          });
          const found = toolset.find(letters.join(''));
          // `C-a-t` of one tool and `CAT` of another are the same letters.
          const isShared = name.replaceAll('-', '').toLowerCase() === 'cat';
          assert.ok(found === known || (isShared && (found === undefined || found.name === 'webfetch')), found?.name);
        }),
      );
    }));

  it('O04: a tool that the host cannot run is not there, a tool that is turned off is there to say so', () =>
    withToolset(
      (toolset) => {
        assert.equal(toolset.find('tty'), undefined);
        assert.deepEqual(namesOf(toolset.definitions()), ['read', 'write', 'mcp__a__x', 'mcp__b__x']);
        const grep = toolset.find('grep');
        assert.equal(
          grep && toolset.fault(grep),
          'grep is turned off in the settings (lathe.tools.disabled). Go on without it.',
        );
      },
      TOOLS,
      { settings: { 'tools.disabled': ['grep', 'web*'] } },
    ));

  it('X01 K08: connected tools are deferred together when there are more than the setting says', async () => {
    const tools = [...TOOLS, RELAY];
    const own = ['grep', 'read', 'relay', 'write'];
    const check = (count: number, deferAbove: number, isDeferred: boolean) =>
      withToolset(
        (toolset) => {
          const names = namesOf(many('big', count));
          assert.deepEqual(namesOf(toolset.definitions()), isDeferred ? own : [...own, ...names]);
          assert.deepEqual(namesOf(toolset.deferred()), isDeferred ? ['webfetch', ...names] : ['webfetch']);
          assert.equal(toolset.builtInCount, own.length);
          assert.equal(toolset.find('MCP__Big__T00')?.name, 'mcp__big__t00');
        },
        tools,
        { settings: { 'tools.deferAbove': deferAbove }, connected: () => many('big', count) },
      );
    await check(20, 20, false);
    await check(21, 20, true);
    await check(1, 0, true);
  });

  it('X01: nothing is deferred where nothing can reach it', () =>
    withToolset(
      (toolset) => {
        assert.equal(toolset.definitions().length, 3 + 1 + 30);
        assert.deepEqual([toolset.deferred(), toolset.late()], [[], []]);
      },
      [...TOOLS, RELAY],
      { settings: { 'tools.disabled': ['relay'] }, connected: () => many('big', 30) },
    ));

  it('O03: what connects later is found, and changes no definition; what goes away says so', () => {
    let connected = many('a', 2);
    return withToolset(
      (toolset) => {
        const before = JSON.stringify([toolset.definitions(), toolset.deferred()]);
        const [, gone] = connected;
        connected = [...many('a', 1), ...many('b', 2)];
        assert.equal(JSON.stringify([toolset.definitions(), toolset.deferred()]), before);
        assert.deepEqual(namesOf(toolset.late()), ['mcp__b__t00', 'mcp__b__t01']);
        assert.deepEqual(namesOf(toolset.searchable()), ['webfetch', 'mcp__b__t00', 'mcp__b__t01']);
        assert.equal(toolset.find('mcp__b__t01'), connected[2]);
        assert.equal(toolset.find('mcp__a__t00'), connected[0]);
        assert.equal(toolset.find('mcp__a__t01'), gone);
        assert.deepEqual(toolset.describe('mcp__a__t01'), {
          objection: 'The MCP server a no longer offers mcp__a__t01. Go on without it; toolsearch shows what there is.',
        });
      },
      [...TOOLS, RELAY],
      { connected: () => connected },
    );
  });

  it('O09: the answer to an unknown name is short, however many tools there are', () =>
    withToolset(
      (toolset) =>
        assert.equal(
          toolset.unknown('xyzzyx'),
          'There is no tool called "xyzzyx". There are: grep, read, relay, write; toolsearch finds 501 more.',
        ),
      [...TOOLS, RELAY],
      { connected: () => many('big', 500) },
    ));

  it('O09: names the nearest tools, or all when none is near', () =>
    withToolset((toolset) => {
      assert.equal(toolset.unknown('raed'), 'There is no tool called "raed". The nearest are: read.');
      assert.equal(toolset.unknown('fetch'), 'There is no tool called "fetch". The nearest are: webfetch.');
      assert.equal(
        toolset.unknown('xyzzyx'),
        'There is no tool called "xyzzyx". There are: grep, read, webfetch, write, mcp__a__x, mcp__b__x.',
      );
    }));

  it('loads every tool once, and tells for which one that failed', async () => {
    const loaded: string[] = [];
    const good = tool('good', { load: async () => void loaded.push('good') });
    const bad = tool('bad', { load: () => Promise.reject(new Error('no wasm')) });
    await withToolset(
      async (toolset, _, logged) => {
        await Promise.all([toolset.load(), toolset.load()]);
        assert.deepEqual(loaded, ['good']);
        assert.equal(toolset.fault(good), undefined);
        assert.equal(toolset.fault(bad), 'bad cannot be used, because a part of it could not be loaded: no wasm');
        assert.deepEqual(logged, ['The tool bad could not be loaded.']);
      },
      [good, bad],
    );
  });

  it('two tools of one name are a bug', () =>
    withTurn([], {}, async ({ host }) => {
      assert.throws(() => createToolset([tool('a'), tool('a')], host), /Two tools are called a/);
      assert.throws(() => createToolset([tool('a', { aliases: ['b'] }), tool('b')], host), /Two tools are called b/);
    }));
});
