// Patterns of schemas that could hold up everything: which are taken out, and that nothing else is.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/common/json';
import { isSlow, withoutSlowPatterns } from '../../../../src/core/tool/slowPattern';

describe('isSlow', () => {
  const slow = [
    '^(a+)+$',
    '(a|ab)*',
    '(?:\\w+\\s?)*',
    '((a|b)c)+',
    '(a?a)*',
    '(a*){2,}',
    '(a+){50}',
    '^(([a-z])+.)+[A-Z]$',
  ];
  const quick = [
    ...['^[a-z]+$', '^\\d{4}-\\d{2}$', '^(\\d{1,3}\\.){3}\\d{1,3}$', '^(a|b)$', '^(abc)+$', '(a+)b+', '(a+)?', ''],
    ...['\\(a+\\)+', '[(a+)]+', '[^)(*+]+', '[\\]()+]+', ')+', '((', '^(open|closed)?$'],
  ];
  for (const pattern of slow) it(`${pattern} is`, () => assert.equal(isSlow(pattern), true));
  for (const pattern of quick) it(`${pattern} is not`, () => assert.equal(isSlow(pattern), false));
});

describe('withoutSlowPatterns', () => {
  const check = (name: string, schema: JsonObject, expected: JsonObject): void => {
    it(name, () => assert.deepEqual(withoutSlowPatterns(schema), expected));
  };

  check(
    'takes out what is slow, wherever it stands',
    {
      properties: { a: { type: 'string', pattern: '(a+)+' }, b: { anyOf: [{ pattern: '(a+)+', minLength: 1 }] } },
      patternProperties: { '(a+)+': { type: 'string' }, '^x': { pattern: '^y' } },
    },
    {
      properties: { a: { type: 'string' }, b: { anyOf: [{ minLength: 1 }] } },
      patternProperties: { '^x': { pattern: '^y' } },
    },
  );
  const other = {
    properties: { pattern: { type: 'string' }, a: { const: { pattern: '(a+)+' } } },
    default: { pattern: '(a+)+' },
  };
  check('leaves a field of that name and data alone', other, other);
});
