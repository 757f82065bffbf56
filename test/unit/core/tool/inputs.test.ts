// Inputs as a tool gets them, and what a model is told when they do not fit.
import assert from 'node:assert/strict';
import type { Json, JsonObject } from '../../../../src/common/json';
import { Inputs } from '../../../../src/core/tool/inputs';
import type { ObjectSchema, ToolCall } from '../../../../src/core/tool/tool';

// `$defs` come with MCP schemas; the type of our own does not know them.
const SCHEMA = {
  type: 'object',
  properties: {
    file_path: { type: 'string', description: 'Path of the file' },
    limit: { type: 'integer', minimum: 1 },
    replace_all: { type: 'boolean' },
    mode: { enum: ['content', 'count'] },
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { old_string: { type: 'string' }, new_string: { type: 'string' } },
        required: ['old_string', 'new_string'],
        additionalProperties: false,
      },
    },
    names: { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
    size: { oneOf: [{ $ref: '#/$defs/small' }, { $ref: '#/$defs/none' }] },
  },
  $defs: { small: { type: 'number', maximum: 9 }, none: { type: 'null' } },
  required: ['file_path'],
  additionalProperties: false,
} as ObjectSchema;

async function parse(input: Json, more: Partial<ToolCall> = {}, schema: ObjectSchema = SCHEMA) {
  const warnings: string[] = [];
  const inputs = new Inputs({ info: () => {}, warn: (line) => warnings.push(line), error: () => {} });
  await inputs.load();
  const call: ToolCall = { id: 'c1', name: 'edit', input: input as JsonObject, ...more };
  return { parsed: inputs.parse({ name: 'edit', schema }, call), warnings };
}

function accepts(name: string, input: JsonObject, expected: JsonObject = input): void {
  it(name, async () => {
    const { parsed } = await parse(input);
    assert.deepEqual(parsed, { input: expected });
    if (expected === input) assert.equal('input' in parsed && parsed.input, input);
  });
}

/** `lines`: the message without its first line. */
function rejects(name: string, input: Json, ...lines: string[]): void {
  it(name, async () => {
    const { parsed } = await parse(input);
    const head = 'The input does not fit the schema of edit, so nothing was run:';
    assert.deepEqual(parsed, { objection: [head, ...lines].join('\n') });
  });
}

function refusesMalformed(name: string, malformed: ToolCall['malformed'], objection: string): void {
  it(name, async () => {
    assert.deepEqual((await parse({}, malformed ? { malformed } : {})).parsed, { objection });
  });
}

const accepted = (json: string): string => `This would be accepted, if it is what you mean: ${json}`;

describe('Inputs', () => {
  accepts('what fits comes back as the same object', { file_path: 'a', limit: 3, names: ['b'], size: null });
  accepts(
    'numbers and booleans as text are converted first',
    { file_path: '1', limit: '3', replace_all: 'true' },
    { file_path: '1', limit: 3, replace_all: true },
  );
  accepts(
    'a list as text is read',
    { file_path: 'a', edits: '[{"old_string": "1", "new_string": ""}]' },
    { file_path: 'a', edits: [{ old_string: '1', new_string: '' }] },
  );

  rejects('a missing field', {}, '- "file_path" is missing: it must be a string (Path of the file).');
  rejects(
    'a field under another name',
    { path: 'a' },
    '- "path" is no field of it. Use "file_path".',
    accepted('{"file_path":"a"}'),
  );
  rejects(
    'a field under a short name',
    { fp: 'a' },
    '- "file_path" is missing: it must be a string (Path of the file).',
    '- "fp" is no field of it. There are: file_path, limit, replace_all, mode, edits, names, size.',
  );
  rejects(
    'a field under a shorter name',
    { fph: 'a' },
    '- "fph" is no field of it. Use "file_path".',
    accepted('{"file_path":"a"}'),
  );
  rejects(
    'a field that there is not',
    { file_path: 'a', colour: 1 },
    '- "colour" is no field of it. There are: file_path, limit, replace_all, mode, edits, names, size.',
  );
  rejects(
    'a wrong type',
    { file_path: 5 },
    '- "file_path" must be a string (Path of the file), but 5 came.',
    accepted('{"file_path":"5"}'),
  );
  rejects(
    'a number in another notation',
    { file_path: 'a', limit: '1e3' },
    '- "limit" must be an integer, but the string "1e3" came.',
    accepted('{"file_path":"a","limit":1000}'),
  );
  rejects(
    'words for a number',
    { file_path: 'a', limit: 'all' },
    '- "limit" must be an integer, but the string "all" came.',
  );
  rejects(
    'null for what may be left out',
    { file_path: 'a', limit: null },
    '- "limit" must be an integer, but null came.',
    accepted('{"file_path":"a"}'),
  );
  rejects('a number out of range', { file_path: 'a', limit: 0 }, '- "limit" must be >= 1, but 0 came.');
  rejects(
    'a value that is not one of the allowed',
    { file_path: 'a', mode: 'lines' },
    '- "mode" must be one of "content", "count", but the string "lines" came.',
  );
  rejects('a union is one fault', { file_path: 'a', names: 3 }, '- "names" must be a string or a list, but 3 came.');
  rejects(
    'a union of references is one fault',
    { file_path: 'a', size: 'x' },
    '- "size" must be a number or null, but the string "x" came.',
  );
  rejects(
    'one item instead of a list',
    { file_path: 'a', edits: { old_string: 'a', new_string: 'b' } },
    '- "edits" must be a list, but the object {"old_string":"a","new_string":"b"} came.',
    accepted('{"file_path":"a","edits":[{"old_string":"a","new_string":"b"}]}'),
  );
  rejects(
    'faults inside of a list, a renamed field counted once',
    {
      file_path: 'a',
      edits: [
        { old_string: 'a', new_string: 'b' },
        { old_string: 'a', new: 'b' },
      ],
    },
    '- "edits[1].new" is no field of it. Use "new_string".',
    accepted('{"file_path":"a","edits":[{"old_string":"a","new_string":"b"},{"old_string":"a","new_string":"b"}]}'),
  );
  rejects(
    'text that is no list',
    { file_path: 'a', edits: '[{' },
    '- "edits" must be a list, but the string "[{" came.',
  );
  rejects(
    'a value is shown cut',
    { file_path: 'a', mode: 'x'.repeat(100) },
    `- "mode" must be one of "content", "count", but the string "${'x'.repeat(59)}… came.`,
  );
  rejects(
    'many faults are counted',
    { file_path: 1, limit: 'x', replace_all: 3, mode: 3, names: 3, size: 'x', edits: 3 },
    ...[
      '- "file_path" must be a string (Path of the file), but 1 came.',
      '- "limit" must be an integer, but the string "x" came.',
      '- "replace_all" must be true or false, but 3 came.',
      '- "mode" must be one of "content", "count", but 3 came.',
      '- "edits" must be a list, but 3 came.',
      '- "names" must be a string or a list, but 3 came.',
      '- and 1 more faults',
    ],
  );

  refusesMalformed(
    'JSON with a fault names the place',
    { raw: '{"file_path": "a", limit: 3}', fault: 'syntax' },
    'The input of edit is not valid JSON: invalid symbol at position 19, here: "{\\"file_path\\": \\"a\\", ⟪here⟫limit: 3}". Nothing was run. Send the call again with valid JSON.',
  );
  refusesMalformed(
    'JSON that broke off says to split',
    { raw: '{"file_path": "a', fault: 'truncated' },
    'The input of edit broke off after 16 characters, so nothing was run. Send the call again with less in it: split long content into several smaller calls.',
  );
  refusesMalformed(
    'JSON that is no object',
    { raw: '[1]', fault: 'not-an-object' },
    'The input of edit must be a JSON object with named fields, but this came: "[1]". Nothing was run.',
  );

  refusesMalformed(
    'JSON that is nested beyond sense',
    { raw: '[[[', fault: 'too-deep' },
    'The input of edit is nested too deep to be meant, so nothing was run. Send the fields that the tool has.',
  );

  it('a schema of another draft is checked all the same', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      $id: 'x',
      type: 'object',
      properties: { a: { type: 'integer', format: 'int32' } },
    } as ObjectSchema;
    const { parsed, warnings } = await parse({ a: 'x' }, {}, schema);
    assert.ok('objection' in parsed);
    assert.deepEqual(warnings, []);
  });

  it('a schema that cannot be compiled lets calls through and is told once', async () => {
    const schema = { type: 'object', properties: { a: { $ref: 'https://example.com/a.json' } } } as ObjectSchema;
    const { parsed, warnings } = await parse({ a: 1 }, {}, schema);
    assert.deepEqual(parsed, { input: { a: 1 } });
    assert.equal(warnings.length, 1);
  });

  it('parsing before loading is a bug', () => {
    const inputs = new Inputs({ info: () => {}, warn: () => {}, error: () => {} });
    assert.throws(
      () => inputs.parse({ name: 'edit', schema: SCHEMA }, { id: 'c', name: 'edit', input: {} }),
      /before they are loaded/,
    );
  });
});
