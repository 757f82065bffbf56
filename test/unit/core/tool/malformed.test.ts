// Inputs that are no JSON object, as they really come: what is wrong, where, and how it is written right.
import assert from 'node:assert/strict';
import type { MalformedFault } from '../../../../src/common/blocks';
import { explainMalformed } from '../../../../src/core/tool/malformed';

function unread(fault: MalformedFault, raw: string, objection: string): void {
  it(`O10: ${fault} ${JSON.stringify(raw)}`, () => assert.equal(explainMalformed('bash', { raw, fault }), objection));
}

describe('calls whose input is no JSON object', () => {
  unread(
    'truncated',
    '{"file_path": "a", "content": "line one\\nline tw',
    'The input of bash broke off after 48 characters, so nothing was run. It ended with …"ath\\": \\"a\\", \\"content\\": \\"line one\\\\nline tw". Send the call again with less in it: split long content into several smaller calls.',
  );
  unread(
    'truncated',
    '{"command": "echo it"s"}',
    'The input of bash is not valid JSON: invalid symbol at position 21, here: "{\\"command\\": \\"echo it\\"⟪here⟫s\\"}". A quote inside of a string is written \\". Nothing was run. Send the call again with valid JSON.',
  );
  unread(
    'syntax',
    '{"command": "echo "hi""}',
    'The input of bash is not valid JSON: invalid symbol at position 19, here: "{\\"command\\": \\"echo \\"⟪here⟫hi\\"\\"}". A quote inside of a string is written \\". Nothing was run. Send the call again with valid JSON.',
  );
  unread(
    'syntax',
    "{'command': 'ls'}",
    "The input of bash is not valid JSON: invalid symbol at position 1, here: \"{⟪here⟫'command': 'ls'}\". Strings and names take double quotes. Nothing was run. Send the call again with valid JSON.",
  );
  unread(
    'syntax',
    '{"command": "ls\npwd"}',
    'The input of bash is not valid JSON: unexpected end of string at position 12, here: "{\\"command\\": ⟪here⟫\\"ls\\npwd\\"}". A line break inside of a string is written \\n. Nothing was run. Send the call again with valid JSON.',
  );
  unread(
    'syntax',
    '{"command": "ls"}{"command": "pwd"}',
    'The input of bash is not valid JSON: end of file expected at position 17, here: "{\\"command\\": \\"ls\\"}⟪here⟫{\\"command\\": \\"pwd\\"}". One call takes one object: what follows it goes into a call of its own. Nothing was run. Send the call again with valid JSON.',
  );
  unread(
    'syntax',
    '```json\n{"command": "ls"}\n```',
    'The input of bash is not valid JSON: invalid symbol at position 0, here: "```json\\n{\\"command\\": \\"ls\\"}\\n```". Send the JSON alone, without a code fence. Nothing was run. Send the call again with valid JSON.',
  );
  unread(
    'syntax',
    '{"a": True}',
    'The input of bash is not valid JSON: invalid symbol at position 6, here: "{\\"a\\": ⟪here⟫True}". JSON has true, false and null. Nothing was run. Send the call again with valid JSON.',
  );
  unread(
    'syntax',
    '{"pattern": "\\d+"}',
    'The input of bash is not valid JSON: invalid escape character at position 12, here: "{\\"pattern\\": ⟪here⟫\\"\\\\d+\\"}". A backslash inside of a string is written \\\\. Nothing was run. Send the call again with valid JSON.',
  );
  unread(
    'syntax',
    '{"a": 1,}',
    'The input of bash is not valid JSON: property name expected at position 8, here: "{\\"a\\": 1,⟪here⟫}". Names take double quotes, and nothing comes after the last comma. Nothing was run. Send the call again with valid JSON.',
  );
  unread(
    'syntax',
    '<parameter name="command">ls</parameter>',
    'The input of bash is not valid JSON: invalid symbol at position 0, here: "<parameter name=\\"command\\">ls</parameter>". Send a JSON object, not tags. Nothing was run. Send the call again with valid JSON.',
  );
  unread(
    'not-an-object',
    '"{\\"command\\": \\"ls\\"}"',
    'The input of bash must be a JSON object, but it came inside of a string, so nothing was run. Send this instead: {"command":"ls"}',
  );
  unread(
    'not-an-object',
    '[{"command": "ls"}]',
    'The input of bash must be a JSON object, but it came inside of a list, so nothing was run. Send this instead: {"command":"ls"}',
  );
  unread(
    'not-an-object',
    '"ls"',
    'The input of bash must be a JSON object with named fields, but this came: "\\"ls\\"". Nothing was run.',
  );
  unread(
    'not-an-object',
    'null',
    'The input of bash must be a JSON object with named fields, but this came: "null". Nothing was run.',
  );
  unread(
    'too-deep',
    '[[[',
    'The input of bash is nested too deep to be meant, so nothing was run. Send the fields that the tool has.',
  );
  unread(
    'not-an-object',
    '[1, 2]',
    'The input of bash must be a JSON object with named fields, but this came: "[1, 2]". Nothing was run.',
  );
});

describe('O10: inputs of nothing but brackets', () => {
  const deep = '['.repeat(200_000);
  const tooDeep =
    'The input of bash is nested too deep to be meant, so nothing was run. Send the fields that the tool has.';
  const cases: readonly [name: string, fault: MalformedFault, raw: string, objection: RegExp][] = [
    ['that break off', 'truncated', `{"a": ${deep}`, new RegExp(`^${tooDeep}$`)],
    ['that are not valid', 'syntax', `{"a": ${deep} x`, new RegExp(`^${tooDeep}$`)],
    [
      'in a list',
      'not-an-object',
      `[{"a": ${deep}${']'.repeat(200_001)}}]`,
      /must be a JSON object.* Nothing was run\.$/,
    ],
    ['in a string', 'syntax', `{"a": "${deep}" x}`, /is not valid JSON: .* at position/],
    ['behind a quote', 'syntax', `{"a": "\\"${deep}" x}`, /is not valid JSON: .* at position/],
  ];
  for (const [name, fault, raw, objection] of cases) {
    it(name, () => assert.match(explainMalformed('bash', { raw, fault }), objection));
  }
});
