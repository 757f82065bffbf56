// The checks of a call before it runs: what can be told without the disk is told without it, and a file is opened last of all.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/common/json';
import type { Files } from '../../../src/core/host';
import { ReadState } from '../../../src/core/files/readState';
import { Outputs } from '../../../src/core/output/outputs';
import type { ToolContext } from '../../../src/core/tool/tool';
import { Background } from '../../../src/core/tool/background';
import { createToolset } from '../../../src/core/tool/toolset';
import { TOOLS } from '../../../src/tools/index';
import { createWorkspace } from '../../support/workspace';

/** Prepares the call; answers its objection and what was asked of the file system, in order. */
async function prepare(name: string, input: JsonObject): Promise<{ objection?: string; asked: readonly string[] }> {
  const workspace = await createWorkspace({ 'a.txt': 'one\n', 'sub/b.txt': 'two\n' });
  try {
    const asked: string[] = [];
    const files = new Proxy(workspace.host.files, {
      get: (target, key: keyof Files) => {
        const method: unknown = target[key];
        if (typeof method !== 'function') return method;
        return (...args: unknown[]): unknown => {
          asked.push(key);
          return Reflect.apply(method, target, args) as unknown;
        };
      },
    });
    const host = { ...workspace.host, files };
    const tool = TOOLS.find((each) => each.name === name);
    assert.ok(tool);
    const ctx: ToolContext = {
      ...{ call: 'c1', session: 's1', agent: 'main', host, mode: 'ask', signal: new AbortController().signal },
      seesImages: true,
      reads: new ReadState(),
      outputs: new Outputs({ host: workspace.host, session: 's1' }),
      tools: createToolset(TOOLS, host),
      tasks: new Background(),
      state: { todos: () => [], setTodos: () => {} },
      cwd: () => workspace.root,
      setCwd: () => {},
    };
    const prepared = await tool.prepare(input, ctx);
    return { ...('objection' in prepared ? { objection: prepared.objection } : {}), asked };
  } finally {
    await workspace.remove();
  }
}

describe('O46: checks before a call, cheapest first', () => {
  function fromMemory(name: string, input: JsonObject, objection: RegExp): void {
    it(`${name} ${JSON.stringify(input).slice(0, 70)} is refused without the disk`, async () => {
      const { objection: told = '', asked } = await prepare(name, input);
      assert.match(told, objection);
      assert.deepEqual(asked, []);
    });
  }

  function withoutContent(name: string, input: JsonObject, objection: RegExp): void {
    it(`${name} ${JSON.stringify(input).slice(0, 70)} is refused without opening a file`, async () => {
      const { objection: told = '', asked } = await prepare(name, input);
      assert.match(told, objection);
      assert.ok(asked.length > 0);
      assert.deepEqual(
        asked.filter((each) => each === 'text' || each === 'bytes'),
        [],
      );
    });
  }

  const edit = { file_path: 'a.txt' };
  fromMemory('edit', { ...edit, old_string: 'one', new_string: 'one' }, /same|nothing/i);
  fromMemory('edit', { ...edit, old_string: 'one' }, /needs old_string and new_string/);
  fromMemory('edit', { ...edit, old_string: 'a', new_string: 'b', edits: [] }, /not both/);
  fromMemory('edit', { file_path: 'a\0b', old_string: 'a', new_string: 'b' }, /NUL/);
  fromMemory('read', { file_path: 'https://example.com/a' }, /an address, not a file path/);
  fromMemory('write', { file_path: 'x'.repeat(5_000), content: '' }, /longer than a path can be/);
  fromMemory('ls', { path: 'a\0b' }, /NUL/);
  fromMemory('glob', { pattern: '*', path: 'a\0b' }, /NUL/);
  fromMemory('grep', { pattern: 'x', path: 'a\0b' }, /NUL/);
  fromMemory('bash', { command: ' ' }, /empty/);
  fromMemory('bash', { command: 'a\0b' }, /NUL/);
  fromMemory('bash', { command: 'ls', cwd: 'a\0b' }, /NUL/);
  fromMemory('question', { questions: [{ question: 'a' }, { question: 'a' }] }, /stands twice/);
  fromMemory(
    'todowrite',
    { todos: ['a', 'b'].map((content) => ({ content, status: 'in_progress' })) },
    /only one can be/,
  );

  withoutContent('edit', { file_path: 'none.txt', old_string: 'a', new_string: 'b' }, /use write/);
  withoutContent('edit', { file_path: 'sub', old_string: 'a', new_string: 'b' }, /is a folder/);
  withoutContent('write', { file_path: 'sub', content: '' }, /is a folder/);
  withoutContent('read', { file_path: 'none.txt' }, /none\.txt/);
  withoutContent('ls', { path: 'a.txt' }, /is a file/);
  withoutContent('glob', { pattern: '*', path: 'a.txt' }, /must be a folder/);
  withoutContent('grep', { pattern: 'x', path: 'none' }, /none/);
});
