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
    '- "fp" is no field of it. "file_path" is missing: it must be a string (Path of the file).',
    accepted('{"file_path":"a"}'),
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
  rejects('a number out of range', { file_path: 'a', limit: 0 }, '- "limit" must be 1 or more, but 0 came.');
  rejects(
    'a value that is not one of the allowed',
    { file_path: 'a', mode: 'lines' },
    '- "mode" must be one of "content", "count", but the string "lines" came.',
  );
  rejects(
    'a union is one fault',
    { file_path: 'a', names: 3 },
    '- "names" must be a string or a list of strings, but 3 came.',
  );
  rejects(
    'a union of references is one fault',
    { file_path: 'a', size: 'x' },
    '- "size" must be a number or null, but the string "x" came.',
  );
  rejects(
    'a union of which one branch is for such a value is judged by that one',
    { file_path: 'a', names: [1] },
    '- "names[0]" must be a string, but 1 came.',
    accepted('{"file_path":"a","names":["1"]}'),
  );
  rejects(
    'a branch that is a reference is judged too',
    { file_path: 'a', size: 10 },
    '- "size" must be 9 or less, but 10 came.',
  );
  rejects(
    'two names for one field: which is meant is not certain',
    { path: 'a', filepath: 'b' },
    '- "filepath" is no field of it. Use "file_path".',
    '- "path" is no field of it. There are: file_path, limit, replace_all, mode, edits, names, size.',
  );
  rejects(
    'one item instead of a list',
    { file_path: 'a', edits: { old_string: 'a', new_string: 'b' } },
    '- "edits" must be a list of objects with "old_string" and "new_string", but the object {"old_string":"a","new_string":"b"} came.',
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
    '- "edits" must be a list of objects with "old_string" and "new_string", but the string "[{" came. Send it as JSON of its own, not in a string; what the string holds is not valid either: close brace expected at position 2, here: "[{⟪here⟫".',
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
      '- "edits" must be a list of objects with "old_string" and "new_string", but 3 came.',
      '- "names" must be a string or a list of strings, but 3 came.',
      '- and 1 more fault',
    ],
  );

  it('an input that did not parse is refused before the schema', async () => {
    const { parsed } = await parse({}, { malformed: { raw: '[1]', fault: 'not-an-object' } });
    assert.ok('objection' in parsed && parsed.objection.startsWith('The input of edit must be a JSON object'));
  });

  it('O02: a union within a union refuses what fits neither', async () => {
    const list = { anyOf: [{ anyOf: [{ allOf: [{ type: 'array' }] }] }, { type: 'number' }] };
    const schema = { type: 'object', properties: { a: list } } as ObjectSchema;
    const { parsed } = await parse({ a: 'x' }, {}, schema);
    assert.deepEqual(parsed, {
      objection:
        'The input does not fit the schema of edit, so nothing was run:\n- "a" must be a list or a number, but the string "x" came.',
    });
  });

  it('O11: what was coerced is in the log, once, however often the call is looked at', async () => {
    const lines: string[] = [];
    const inputs = new Inputs({ info: (line) => lines.push(line), warn: assert.fail, error: assert.fail });
    await inputs.load();
    const call: ToolCall = {
      id: 'c1',
      name: 'edit',
      input: { file_path: 'a', limit: '3', edits: '[{"old_string":"a","new_string":"b"}]', size: null },
    };
    const first = inputs.parse({ name: 'edit', schema: SCHEMA }, call);
    assert.equal(inputs.parse({ name: 'edit', schema: SCHEMA }, call), first);
    assert.deepEqual(lines, ['Coerced in the call c1 of edit, by the declared types: limit, edits.']);
  });

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

  const circles: Readonly<Record<string, object>> = {
    'all of itself': { allOf: [{ $ref: '#' }, { $ref: '#' }, { $ref: '#' }, { $ref: '#' }] },
    'one of itself': { properties: { a: { anyOf: Array(8).fill({ $ref: '#/properties/a' }) } } },
    'a place that is no name': { properties: { a: { $ref: '#/%zz' } } },
  };
  for (const [name, more] of Object.entries(circles)) {
    it(`a schema that refers to ${name} lets calls through and is told`, async () => {
      const { parsed, warnings } = await parse({ a: '1' }, {}, { type: 'object', ...more } as ObjectSchema);
      assert.deepEqual(parsed, { input: { a: '1' } });
      assert.notEqual(warnings.length, 0);
    });
  }

  it('a schema that wants to be checked later is checked at once', async () => {
    const schema = { $async: true, type: 'object', properties: {}, required: ['a'] } as unknown as ObjectSchema;
    const { parsed, warnings } = await parse({}, {}, schema);
    assert.match('objection' in parsed ? parsed.objection : '', /"a" is missing/);
    assert.deepEqual(warnings, []);
  });

  it('a pattern that would take for ever is left to the server', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } } as ObjectSchema;
    const input = { a: `${'a'.repeat(40)}b` };
    const { parsed, warnings } = await parse(input, {}, schema);
    assert.deepEqual({ parsed, warnings }, { parsed: { input }, warnings: [] });
  });

  it('faults by the ten thousands are told in a few lines, and soon', async () => {
    const fields = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`file_path_${n}`, n]));
    const edits = Array.from({ length: 20_000 }, () => ({ old_string: 1, new_string: 2 }));
    for (const input of [fields, { file_path: 'a', edits }]) {
      const { parsed } = await parse(input);
      const text = 'objection' in parsed ? parsed.objection : '';
      assert.match(text, /^The input does not fit/);
      assert.ok(text.split('\n').length < 10 && text.length < 2_000, text);
    }
  });

  it('a list in a string that is nested too deep is told', async () => {
    const { parsed } = await parse({ file_path: 'a', edits: '['.repeat(200_000) });
    assert.match(
      'objection' in parsed ? parsed.objection : '',
      /"edits" must be a list .* nested too deep to be meant/,
    );
  });

  it('an object in a string that is nested too deep is not taken for the input', async () => {
    const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const { parsed } = await parse({ input: deep });
    assert.match('objection' in parsed ? parsed.objection : '', /"input" is no field of it/);
  });

  it('parsing before loading is a bug', () => {
    const inputs = new Inputs({ info: () => {}, warn: () => {}, error: () => {} });
    assert.throws(
      () => inputs.parse({ name: 'edit', schema: SCHEMA }, { id: 'c', name: 'edit', input: {} }),
      /before they are loaded/,
    );
  });
});
