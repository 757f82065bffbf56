// The questions of test/support/sourceRules, on sources written for the purpose.
import assert from 'node:assert/strict';
import ts from 'typescript';
import { bareProperties, comparisonsWith } from '../../support/sourceRules';

describe('comparisonsWith', () => {
  const check = (code: string, found: readonly string[]) =>
    it(code, () => {
      const source = ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true);
      assert.deepEqual(comparisonsWith(new Set(['bash', 'read']), source), found);
    });

  check("if (call.name === 'bash') run();", ["a.ts:1: call.name === 'bash'"]);
  check("'read' != toolName", ["a.ts:1: 'read' != toolName"]);
  check("switch (call.name) { case 'bash': break; }", ["a.ts:1: case 'bash': break;"]);
  check("['bash', 'other'].includes(tool)", ["a.ts:1: ['bash', 'other'].includes(tool)"]);
  check("new Set(['read']).has(row.name)", ["a.ts:1: new Set(['read']).has(row.name)"]);
  check("if (target.op === 'read') check(target);", []);
  check("if (error.name === 'AbortError') stop();", []);
  check("call({ name: 'bash' })", []);
});

const LIST_OF_BARE = { type: 'array', description: 'All', items: { properties: { to: { type: 'string' } } } };

describe('bareProperties', () => {
  const check = (title: string, schema: Parameters<typeof bareProperties>[1], found: readonly string[]) =>
    it(title, () => assert.deepEqual(bareProperties('tool', schema), found));

  check('none', { properties: { path: { type: 'string', description: 'Where' } } }, []);
  check('no type', { properties: { path: { description: 'Where' } } }, ['tool.path lacks a type or a description']);
  check('in the items of a list', { properties: { edits: LIST_OF_BARE } }, [
    'tool.edits[].to lacks a type or a description',
  ]);
});
