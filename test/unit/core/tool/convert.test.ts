// Both conversions together, for any schema and any input: what was fine as it came is never touched.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../../../src/common/json';
import { changedFields, convert } from '../../../../src/core/tool/coerce';
import { compileSchema } from '../../../../src/core/tool/schema';

const FIELDS = ['a', 'b', 'c'] as const;
const type = fc.constantFrom<Json>('number', 'integer', 'boolean', 'string', 'null', 'array', 'object');
const json = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<Json> =>
  arbitrary as fc.Arbitrary<unknown> as fc.Arbitrary<Json>;

const { schema: anySchema } = fc.letrec<{ schema: Json }>((tie) => {
  const branches = fc.array(tie('schema'), { minLength: 1, maxLength: 3 });
  return {
    schema: fc.oneof(
      { maxDepth: 4 },
      json(fc.record({ type: fc.oneof(type, fc.array(type, { minLength: 1, maxLength: 2 })) })),
      fc.constantFrom<Json>({}, { $ref: '#/$defs/number' }, { $ref: '#' }, { enum: ['1', 2] }, { const: 'true' }),
      json(fc.record({ type: fc.constant('array'), items: tie('schema') })),
      json(
        fc.record({
          type: fc.constant('object'),
          properties: fc.dictionary(fc.constantFrom(...FIELDS), tie('schema')),
          additionalProperties: fc.boolean(),
        }),
      ),
      json(fc.record({ anyOf: branches })),
      json(fc.record({ oneOf: branches })),
      json(fc.record({ allOf: branches })),
    ),
  };
});
const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>('1', '-2.5', '1e3', 'true', 'false', '', 'x', 3, 1.5, true, null),
    fc.constantFrom<Json>('[]', '["1"]', '[1', '{}', '{"a":"1"}', '{"a":{"b":"true"}}', '"1"', 'null', ' [true] '),
    fc.array(tie('value'), { maxLength: 3 }),
    json(fc.dictionary(fc.constantFrom(...FIELDS, 'd'), tie('value'))),
  ),
}));
const anyCall = fc.record({
  properties: json(fc.dictionary(fc.constantFrom(...FIELDS), anySchema)),
  input: fc.dictionary(fc.constantFrom(...FIELDS, 'd'), anyValue),
});

function schemaOf(properties: Json): JsonObject {
  return { type: 'object', properties, $defs: { number: { type: 'number' } } };
}

function valueAt(value: Json, field: string): Json | undefined {
  const names = field.split(/[.[\]]+/).filter((name) => name !== '');
  return names.reduce<Json | undefined>((at, name) => (at as Record<string, Json> | undefined)?.[name], value);
}

describe('O11: convert', () => {
  it('gives back the very input that fits the schema', () => {
    let fitting = 0;
    fc.assert(
      fc.property(anyCall, ({ properties, input }) => {
        const schema = schemaOf(properties);
        const check = compileSchema(schema, assert.fail);
        if (check(input).length > 0) return;
        fitting++;
        assert.equal(convert(schema, input), input);
      }),
      { numRuns: 500 },
    );
    assert.ok(fitting > 50, `only ${fitting} inputs fitted`);
  });

  it('is done after one time, and every change is a literal, a list or an object that stood in a string', () => {
    fc.assert(
      fc.property(anyCall, ({ properties, input }) => {
        const schema = schemaOf(properties);
        const before = JSON.stringify(input);
        const converted = convert(schema, input);
        assert.equal(JSON.stringify(input), before);
        assert.equal(convert(schema, converted), converted);
        const fields = changedFields(input, converted);
        assert.equal(converted === input, fields.length === 0);
        for (const field of fields) {
          const came = valueAt(input, field);
          const now = valueAt(converted, field);
          assert.ok(typeof came === 'string' && now !== undefined, field);
          const isNested = Array.isArray(now) || isJsonObject(now);
          assert.match(came, isNested ? /^\s*[[{]/ : /^(?:true|false|-?\d+(?:\.\d+)?)$/);
          if (!isNested) assert.deepEqual(now, JSON.parse(came));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('leaves a string alone that holds lists without end', () => {
    const schema: JsonObject = schemaOf({ a: { $ref: '#/$defs/list' } });
    const deep: JsonObject = { ...schema, $defs: { list: { type: 'array', items: { $ref: '#/$defs/list' } } } };
    const input = { a: `${'['.repeat(50_000)}${']'.repeat(50_000)}` };
    assert.equal(convert(deep, input), input);
  });
});
