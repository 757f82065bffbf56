// Conversions by declared type: only two literal forms, and nothing but them, ever change.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Json, JsonObject } from '../../../../src/common/json';
import { coerce, parseStringified } from '../../../../src/core/tool/coerce';

function check(name: string, change: typeof coerce, schema: JsonObject, value: Json, expected: Json): void {
  it(name, () => {
    const before = JSON.stringify(value);
    const actual = change(schema, value);
    assert.deepEqual(actual, expected);
    assert.equal(JSON.stringify(value), before, 'the input itself was changed');
    if (JSON.stringify(expected) === before) assert.equal(actual, value, 'an equal copy instead of the same reference');
  });
}

const of = (schema: Json): JsonObject => ({ type: 'object', properties: { x: schema } });
const coerceX = (schema: Json, text: Json, expected: Json): void =>
  check(`${JSON.stringify(text)} for ${JSON.stringify(schema)}`, coerce, of(schema), { x: text }, { x: expected });

describe('O11: coerce', () => {
  const number = { type: 'number' };
  const integer = { type: 'integer' };
  const boolean = { type: 'boolean' };
  coerceX(number, '30', 30);
  coerceX(number, '-1.50', -1.5);
  coerceX(number, '007', 7);
  coerceX(integer, '30', 30);
  coerceX(integer, '-4.0', -4);
  coerceX(boolean, 'true', true);
  coerceX(boolean, 'false', false);
  for (const kept of [
    '',
    ' ',
    ' 30',
    '30\n',
    '1e3',
    '0x10',
    '12abc',
    'NaN',
    'Infinity',
    '+1',
    '.5',
    '5.',
    '--1',
    '٣',
    '9'.repeat(400),
  ]) {
    coerceX(number, kept, kept);
  }
  for (const kept of ['yes', 'True', 'TRUE', ' true', '1', '0', '']) coerceX(boolean, kept, kept);
  coerceX(integer, '3.5', '3.5');
  coerceX(integer, '12345678901234567890', '12345678901234567890');
  coerceX(number, 'true', 'true');
  coerceX({ type: 'string' }, '30', '30');
  coerceX({}, '30', '30');
  coerceX({ enum: ['30', 30] }, '30', '30');
  coerceX({ type: ['number', 'string'] }, '30', '30');
  coerceX({ type: ['number', 'null'] }, '30', 30);
  coerceX({ type: ['number', 'boolean'] }, 'true', true);
  coerceX({ anyOf: [{ type: 'string' }, { type: 'number' }] }, '30', '30');
  coerceX({ anyOf: [{ type: 'number' }, { type: 'boolean' }] }, 'true', true);
  coerceX({ oneOf: [{ type: 'integer' }, { type: 'null' }] }, '30', 30);
  coerceX({ anyOf: [{ type: 'number' }, {}] }, '30', '30');
  coerceX({ allOf: [{ type: 'number' }, { minimum: 3 }] }, '30', 30);
  coerceX({ type: 'array', items: number }, ['1', 'b', 2], [1, 'b', 2]);
  coerceX({ type: 'array', prefixItems: [boolean], items: number }, ['true', '1'], [true, 1]);
  coerceX({ type: 'array', items: of(number) }, [{ x: '1', y: '2' }], [{ x: 1, y: '2' }]);
  coerceX({ anyOf: [{ type: 'string' }, { type: 'array', items: number }] }, ['1'], [1]);
  coerceX({ anyOf: [of(number), of(boolean)] }, { x: '1' }, { x: '1' });
  coerceX({ type: 'object', additionalProperties: number }, { y: '1' }, { y: '1' });
  coerceX({ type: 'integer', enum: [1, 2] }, '2', 2);
  coerceX({ enum: [1, 2] }, '2', '2');
  coerceX({ anyOf: [{ const: 'all' }, number] }, '2', '2');
  coerceX({ anyOf: [{ type: 'string', const: 'all' }, number] }, '2', '2');
  coerceX({ type: 'number', nullable: true }, '2', 2);
  coerceX({ type: ['boolean', 'null'] }, 'null', 'null');

  check('unknown properties are left alone', coerce, of(number), { y: '1', x: '2' }, { y: '1', x: 2 });
  check(
    'references into the schema are followed',
    coerce,
    { ...of({ $ref: '#/$defs/n' }), $defs: { n: number } },
    { x: '2' },
    { x: 2 },
  );
  check(
    'a circle of references is let be',
    coerce,
    { ...of({ $ref: '#/$defs/n' }), $defs: { n: { $ref: '#/$defs/n' } } },
    { x: '2' },
    { x: '2' },
  );
  check(
    'a schema that contains itself is followed as deep as the value goes',
    coerce,
    { type: 'object', properties: { n: number, next: { $ref: '#' } } },
    { n: '1', next: { n: '2', next: { n: '3' } } },
    { n: 1, next: { n: 2, next: { n: 3 } } },
  );

  it('a property called __proto__ is data', () => {
    const schema = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"number"}}}') as JsonObject;
    const actual = coerce(schema, JSON.parse('{"__proto__":"1"}') as Json);
    assert.equal(JSON.stringify(actual), '{"__proto__":1}');
    assert.equal(({} as Record<string, unknown>).x, undefined);
  });

  const leaf = fc.constantFrom<Json>(number, integer, boolean, { type: 'string' }, {}, { type: ['number', 'string'] });
  const { schema: anySchema } = fc.letrec<{ schema: Json }>((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3 },
      leaf,
      fc.record({ type: fc.constant('array'), items: tie('schema') }) as fc.Arbitrary<Json>,
      fc.record({
        type: fc.constant('object'),
        properties: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('schema')),
      }) as fc.Arbitrary<Json>,
    ),
  }));
  const { value: anyValue } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom<Json>('1', '-2.5', 'true', 'false', '', 'x', '1e3', 3, true, null),
      fc.string(),
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value')) as fc.Arbitrary<Json>,
    ),
  }));

  it('changes nothing but the two literal forms, keeps what it does not change, and is done after one time', () => {
    fc.assert(
      fc.property(anySchema, anyValue, (schema, value) => {
        const changed = coerce(schema as JsonObject, value);
        assertOnlyLiterals(value, changed);
        assert.equal(coerce(schema as JsonObject, changed), changed);
      }),
      { numRuns: 500 },
    );
  });
});

function assertOnlyLiterals(before: Json, after: Json): void {
  if (before === after) return;
  if (typeof before === 'string') {
    const converted = /^-?\d+(\.\d+)?$/.test(before)
      ? Number(before)
      : new Map([
          ['true', true],
          ['false', false],
        ]).get(before);
    assert.equal(after, converted);
    return;
  }
  assert.notDeepEqual(after, before, 'an equal copy instead of the same reference');
  assert.deepEqual(Object.keys(after as object), Object.keys(before as object));
  for (const key of Object.keys(before as object)) {
    assertOnlyLiterals((before as Record<string, Json>)[key]!, (after as Record<string, Json>)[key]!);
  }
}

describe('O11: parseStringified', () => {
  const parseX = (schema: Json, text: Json, expected: Json): void =>
    check(
      `${JSON.stringify(text)} for ${JSON.stringify(schema)}`,
      parseStringified,
      of(schema),
      { x: text },
      { x: expected },
    );
  const list = { type: 'array', items: { type: 'object', properties: { y: { type: 'array' } } } };
  parseX(list, '[1, "2"]', [1, '2']);
  parseX(list, ' [{"y": "[1]"}]\n', [{ y: [1] }]);
  parseX({ type: 'object' }, '{"a": 1}', { a: 1 });
  parseX({ anyOf: [{ type: 'array' }, { type: 'null' }] }, '[]', []);
  parseX(list, '[1', '[1');
  parseX(list, '{"a": 1}', '{"a": 1}');
  parseX(list, 'null', 'null');
  parseX(list, '3', '3');
  parseX({ type: 'string' }, '[1]', '[1]');
  parseX({}, '[1]', '[1]');
  parseX({ type: ['array', 'string'] }, '[1]', '[1]');
  parseX({ anyOf: [{ type: 'array' }, { type: 'string' }] }, '[1]', '[1]');
  parseX({ type: 'number' }, '[1]', '[1]');
});
