// The toolset: names that models use, and a list that stays the same.
import assert from 'node:assert/strict';
import { defineTool, type Tool } from '../../../../src/core/tool/tool';
import { createToolset } from '../../../../src/core/tool/toolset';
import { withTurn } from './turn';

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
const CONNECTED = [tool('mcp__b__x'), tool('mcp__a__x', { description: (host) => `on ${host.platform.os}` })];

async function withToolset(
  use: (toolset: ReturnType<typeof createToolset>, os: string, logged: readonly string[]) => Promise<void> | void,
  tools = TOOLS,
) {
  await withTurn([], {}, async ({ host, logged }) =>
    use(createToolset(tools, host, CONNECTED), host.platform.os, logged),
  );
}

function finds(written: string, expected: string | undefined): void {
  it(`${written} is ${expected ?? 'unknown'}`, () =>
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

  it('describes built-in tools by name, then connected ones, without deferred and unavailable ones', () =>
    withToolset((toolset, os) => {
      const schema = { type: 'object', properties: {} };
      assert.deepEqual(toolset.definitions(), [
        { name: 'grep', description: 'The tool grep', inputSchema: schema },
        { name: 'read', description: 'The tool read', inputSchema: schema },
        { name: 'write', description: 'The tool write', inputSchema: schema },
        { name: 'mcp__a__x', description: `on ${os}`, inputSchema: schema },
        { name: 'mcp__b__x', description: 'The tool mcp__b__x', inputSchema: schema },
      ]);
      assert.equal(toolset.builtInCount, 3);
      assert.equal(toolset.definitions(), toolset.definitions());
      assert.ok(Object.isFrozen(toolset.definitions()));
      assert.deepEqual(toolset.guides(), ['Search with grep.', 'Read first.']);
      assert.deepEqual(toolset.deferred(), [
        { name: 'webfetch', description: 'The tool webfetch', searchHint: 'http page' },
      ]);
    }));

  it('names the nearest tools, or all when none is near', () =>
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
