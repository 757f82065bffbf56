// What becomes of a server's list: names, descriptions, schemas, and what is left out.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { NAME_MAX_CHARS, serverKeys, toolNames } from '../../../../src/core/mcp/names';
import { inputSchemaOf } from '../../../../src/core/mcp/tool';
import { compileSchema } from '../../../../src/core/tool/schema';
import type { Json } from '../../../../src/common/json';
import { TREE_SCHEMA } from '../../../fixtures/mcp/server.mjs';
import { callTool, withServersInProcess } from './support';

const OBJECT = { type: 'object', properties: {} };

describe('the tools of an MCP server', () => {
  it('are ours, with names, texts and claims of their own', () =>
    withServersInProcess({ fix: { names: ['fail', 'echo'] } }, ({ servers }) => {
      const shown = servers.tools().map((tool) => ({
        ...{ name: tool.name, description: tool.description, modes: tool.modes, retry: tool.retry },
        ...{ title: tool.title({}), readOnly: tool.readOnly({}), concurrent: tool.concurrent({}), kind: tool.kind },
      }));
      assert.deepEqual(shown, [
        {
          ...{ name: 'mcp__fix__echo', description: 'Says it again.', modes: 'all', retry: true },
          ...{ title: 'Use echo of fix', readOnly: true, concurrent: true, kind: 'other' },
        },
        {
          ...{ name: 'mcp__fix__fail', description: 'The tool fail of the MCP server fix.' },
          ...{ modes: ['ask', 'acceptEdits', 'auto', 'bypass'], retry: false },
          ...{ title: 'Use fail of fix', readOnly: false, concurrent: false, kind: 'other' },
        },
      ]);
    }));

  it('whose schemas cannot be used are left out, the others stay', () =>
    withServersInProcess({ fix: { names: ['broken', 'listed', 'echo'] } }, ({ servers, logged }) => {
      assert.deepEqual(
        servers.tools().map(({ name }) => name),
        ['mcp__fix__echo'],
      );
      const problems = [
        "The tool broken of the MCP server fix is left out: its input schema cannot be used (can't resolve reference https://example.com/elsewhere.json from id #).",
        'The tool listed of the MCP server fix is left out: its input schema asks for "array", and inputs are objects.',
      ];
      assert.deepEqual(servers.problems(), problems);
      assert.deepEqual(logged, problems);
    }));

  it('keep their schemas whole, and are called by them', () =>
    withServersInProcess({ fix: { names: ['tree'] } }, async ({ servers }) => {
      const tools = servers.tools();
      assert.deepEqual(tools[0]?.schema, TREE_SCHEMA);
      const good = { root: { name: 'a', children: [{ name: 'b', children: [] }] }, depth: '2', pair: ['x', 1] };
      const { status, text } = await callTool(tools, 'mcp__fix__tree', good);
      assert.equal(status, 'done');
      assert.deepEqual(JSON.parse(text.slice(text.indexOf('\n'))), { ...good, depth: 2 });
      const bad = await callTool(tools, 'mcp__fix__tree', {
        root: { name: 'a', children: [{ name: 'b', children: [{}] }] },
      });
      assert.match(bad.text, /"root\.children\[0\]\.children\[0\]\.name" is missing: it must be a string/);
    }));

  it('come in pages, hundreds of them, in the order of their names', () => {
    const names = Array.from({ length: 200 }, (_, i) => `tool${String((i * 37) % 200).padStart(3, '0')}`);
    const more = names.map((name) => ({ name, inputSchema: OBJECT }));
    return withServersInProcess({ many: { names: [], more, pageSize: 30 } }, async ({ servers }) => {
      const found = servers.tools().map(({ name }) => name);
      assert.deepEqual(found, names.map((name) => `mcp__many__${name}`).sort());
      assert.match((await callTool(servers.tools(), 'mcp__many__tool199')).text, /called tool199/);
    });
  });

  it('of one name made legal are told apart and called by their own', () => {
    const more = ['get.user', 'get/user', 'get_user', 'x'.repeat(100)].map((name) => ({ name, inputSchema: OBJECT }));
    return withServersInProcess({ 'my server': { names: [], more } }, async ({ servers }) => {
      const tools = servers.tools();
      const [plain, ...others] = tools.map(({ name }) => name);
      assert.equal(plain, 'mcp__my_server__get_user');
      const answers = await Promise.all(others.map((name) => callTool(tools, name)));
      const called = answers.map(({ text }) => text.slice(text.indexOf('called'))).sort();
      assert.deepEqual(called, ['called get.user', 'called get/user', `called ${'x'.repeat(100)}`]);
    });
  });

  it('that only claim in other words to read are not believed', () => {
    const hints = [{ readOnlyHint: 'true' }, { destructiveHint: false }, { readOnlyHint: 1 }, undefined];
    const more = hints.map((annotations, i) => ({ name: `t${i}`, inputSchema: OBJECT, annotations }));
    return withServersInProcess({ fix: { names: [], more } }, ({ servers }) => {
      assert.deepEqual(
        servers.tools().map((tool) => [tool.readOnly({}), tool.retry]),
        Array(4).fill([false, false]),
      );
    });
  });
});

const names = fc.uniqueArray(fc.oneof(fc.string(), fc.stringMatching(/^[a-z_.]{1,70}$/)), { maxLength: 20 });

describe('names of MCP tools', () => {
  it('are legal, unique over all servers, and do not depend on the order', () => {
    fc.assert(
      fc.property(names, names, (servers, tools) => {
        const keys = serverKeys(servers);
        const all = [...keys.values()].flatMap((key) => [...toolNames(key, tools).values()]);
        assert.equal(new Set(all).size, servers.length * tools.length);
        for (const name of all) assert.match(name, /^mcp__[A-Za-z0-9-]+(_[A-Za-z0-9-]+)*__[A-Za-z0-9_-]+$/);
        assert.ok(all.every((name) => name.length <= NAME_MAX_CHARS));
        assert.deepEqual(serverKeys([...servers].reverse()), keys);
      }),
    );
  });
});

describe('schemas of MCP tools', () => {
  function check(title: string, schema: Json | undefined, expected: Json): void {
    it(title, () => assert.deepEqual(inputSchemaOf(schema), expected));
  }
  const REF = { $ref: '#/$defs/a', $defs: { a: { properties: { b: true } } } };
  check('are made where there are none', undefined, OBJECT);
  check('empty ones are of objects', {}, OBJECT);
  check('get what the provider wants to see', { required: ['a'] }, { ...OBJECT, required: ['a'] });
  check('stay as they are otherwise', { ...OBJECT, oneOf: [{}] }, { ...OBJECT, oneOf: [{}] });
  check('that are references too', REF, { ...REF, ...OBJECT });
  check('that allow more than objects allow objects', { type: ['object', 'null'] }, OBJECT);
  check(
    'of other things cannot be used',
    { type: 'string' },
    'its input schema asks for "string", and inputs are objects',
  );
  check('that are none cannot be used', 'object', 'its input schema is no schema');

  it('of older drafts are understood', () => {
    const broken: string[] = [];
    const check = compileSchema(TREE_SCHEMA, (reason) => broken.push(reason));
    const faults = (pair: Json) => check({ root: { name: 'a' }, pair }).map(({ path, keyword }) => [path, keyword]);
    assert.deepEqual(
      [faults(['x', 1]), faults([1, 'x'])],
      [
        [],
        [
          [['pair', '0'], 'type'],
          [['pair', '1'], 'type'],
        ],
      ],
    );
    assert.deepEqual(broken, []);
  });
});
