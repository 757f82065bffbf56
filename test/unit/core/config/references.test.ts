// Addresses that a text brings and that an editor fetches by itself when it opens the file (S40).
import assert from 'node:assert/strict';
import { referencesBrought } from '../../../../src/core/config/references';
import { withTools } from '../../../support/toolTest';

const EVIL = 'https://evil.test/?d=1';

interface Case {
  readonly what: string;
  readonly after: string;
  readonly before?: string;
  readonly expected?: readonly string[];
}

const CASES: readonly Case[] = [
  { what: 'a schema', after: `{"$schema": "${EVIL}"}` },
  { what: 'a reference deep inside', after: `{"a": [{"$ref": "${EVIL}"}]}` },
  { what: 'a second field of one name', after: `{"$schema": "${EVIL}", "$schema": "./own.json"}` },
  { what: 'escaped', after: '{"\\u0024schema": "https:\\/\\/evil.test\\u002f?d=1"}' },
  { what: 'below comments and a mark', after: `\ufeff// one\n/* two **/ {"$schema": "${EVIL}"}` },
  { what: 'in broken JSON', after: `{"$schema": "${EVIL}", ` },
  { what: 'without a scheme', after: '{"$schema": "//evil.test/a"}', expected: ['//evil.test/a'] },
  { what: 'of a host as a file', after: '{"$ref": "file://evil/a"}', expected: ['file://evil/a'] },
  { what: 'as a network path', after: '{"$ref": "\\\\\\\\evil\\\\a"}', expected: ['\\\\evil\\a'] },
  { what: 'of a YAML', after: `# yaml-language-server: $schema=${EVIL}\na: 1\n` },
  { what: 'of an XML', after: `<a xsi:noNamespaceSchemaLocation='${EVIL}'/>` },
  { what: 'of an XML by namespace', after: `<a xsi:schemaLocation="http://name.test/n ${EVIL}"/>` },
  { what: 'of a document type', after: `<?xml version="1.0"?>\n<!DOCTYPE a SYSTEM "${EVIL}" [\n<!ENTITY b "c">]>` },
  {
    what: 'one more than before',
    before: '{"$ref":"http://a.test/"}',
    after: `[{"$ref":"http://a.test/"},{"$ref":"${EVIL}"}]`,
  },
  { what: 'none that was there', before: `{"$schema":"${EVIL}"}`, after: `{"$schema":"${EVIL}","a":1}`, expected: [] },
  { what: 'no file beside it', after: '{"$schema":"./a.json","$ref":"#/definitions/a"}', expected: [] },
  {
    what: 'nothing of the editor or the disk',
    after: '{"$schema":"vscode://schemas/a","$ref":"file:///a"}',
    expected: [],
  },
  { what: 'no link in a text', after: `See ${EVIL} and {"$schema": "${EVIL}"}`, expected: [] },
  { what: 'no other field', after: `{"homepage": "${EVIL}"}`, expected: [] },
  { what: 'nothing where nesting has no end', after: '['.repeat(200_000), expected: [] },
];

describe('S40 references that a text brings', () => {
  for (const { what, before, after, expected = [EVIL] } of CASES) {
    it(what, () => assert.deepEqual(referencesBrought({ before, after }), expected));
  }

  it('are never accepted without being asked for, and not for the whole session', () =>
    withTools(
      { 'a.json': '{}\n' },
      async ({ call, asks, tree }) => {
        await call('read', { file_path: 'a.json' });
        const content = `{"$schema": "${EVIL}"}\n`;
        const edited = await call('edit', { file_path: 'a.json', old_string: '{}', new_string: content });
        const written = await call('write', { file_path: 'b.json', content });
        assert.deepEqual([edited.status, written.status], ['denied', 'denied']);
        const told = asks.map((ask) => ask.kind === 'permission' && [ask.reasons, ask.grants]);
        const reason = `Adds an address that is fetched by itself when the file is opened: ${EVIL}`;
        assert.deepEqual(told, [
          [[reason], undefined],
          [[reason], undefined],
        ]);
        assert.deepEqual(await tree(), { 'a.json': '{}\n' });
        assert.equal((await call('write', { file_path: 'c.json', content: '{"a": "//"}\n' })).status, 'done');
      },
      { mode: 'acceptEdits', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    ));
});
