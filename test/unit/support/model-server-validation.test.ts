// What the scripted model server refuses, as the Messages API would.
import assert from 'node:assert/strict';
import type { ContentBlock } from '@anthropic-ai/sdk/resources/messages';
import { validateRequest, type ValidationOptions } from '../../support/model-server/validateRequest';

const hello = { role: 'user', content: 'Hello' };
const call = (id: string): object => ({ type: 'tool_use', id, name: 'read', input: {} });
const result = (id: string, fields: object = {}): object => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'ok',
  ...fields,
});
const assistant = (...content: object[]): object => ({ role: 'assistant', content });
const user = (...content: object[]): object => ({ role: 'user', content });
const words = (content: string): object => ({ type: 'text', text: content });
const tool = (name: string, schema: object = { type: 'object' }): object => ({ name, input_schema: schema });
const marked = (block: object, ttl?: string): object => ({
  ...block,
  cache_control: { type: 'ephemeral', ...(ttl === undefined ? {} : { ttl }) },
});
const thought = { type: 'thinking', thinking: 'First read it.', signature: 'c2ln' };

/** Checks a request that is valid but for the given fields; `undefined` as expectation: it is valid. */
function check(name: string, fields: object, expected: string | undefined, options: ValidationOptions = {}): void {
  it(name, () => {
    const request = { model: 'claude-test', max_tokens: 1000, messages: [hello], ...fields };
    assert.equal(validateRequest(request, options), expected);
  });
}

/** Checks a history that begins with a user's words. */
function checkHistory(name: string, messages: object[], expected: string | undefined): void {
  check(name, { messages: [hello, ...messages] }, expected);
}

describe('validateRequest: fields', () => {
  check('takes a small request', {}, undefined);
  it('refuses what is no object', () => {
    assert.equal(validateRequest([]), 'The request body is not valid JSON: expected an object');
  });
  check('wants a model', { model: undefined }, 'model: Field required');
  check('wants max_tokens', { max_tokens: undefined }, 'max_tokens: Field required');
  check('wants a whole max_tokens', { max_tokens: 1.5 }, 'max_tokens: Input should be a valid integer');
  check('wants a positive max_tokens', { max_tokens: 0 }, 'max_tokens: must be greater than or equal to 1');
  check('refuses unknown fields', { sessionId: 's' }, 'sessionId: Extra inputs are not permitted');
  check('count_tokens takes no max_tokens', {}, 'max_tokens: Extra inputs are not permitted', {
    endpoint: 'count_tokens',
  });
  check(
    'refuses an unknown way of thinking',
    { thinking: { type: 'deep' } },
    "thinking: Input tag 'deep' found using 'type' does not match any of the expected tags",
  );
  check(
    'wants a budget for enabled thinking',
    { thinking: { type: 'enabled', budget_tokens: 100 } },
    'thinking.enabled.budget_tokens: Input should be greater than or equal to 1024',
  );
  check(
    'wants a budget below max_tokens',
    { thinking: { type: 'enabled', budget_tokens: 1024 } },
    '`max_tokens` must be greater than `thinking.budget_tokens`',
  );
  check('refuses an empty system block', { system: [words('')] }, 'system.0: text content blocks must be non-empty');
  check(
    'finds half a character anywhere',
    { messages: [user(words('a \ud83d b'))] },
    'The request body is not valid JSON: no low surrogate in string',
  );
  check('takes a whole emoji', { messages: [user(words('a 😀 b'))] }, undefined);
});

describe('validateRequest: tools', () => {
  check(
    'takes tools of both kinds',
    { tools: [tool('read'), { type: 'web_search_20260318', name: 'web_search' }] },
    undefined,
  );
  check(
    'refuses a name with a dot',
    { tools: [tool('mcp.read')] },
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  );
  check(
    'refuses a name of 129 characters',
    { tools: [tool('x'.repeat(129))] },
    "tools.0.custom.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'",
  );
  check('refuses a name twice', { tools: [tool('read'), tool('read')] }, 'tools: Tool names must be unique.');
  check(
    'wants an object schema',
    { tools: [tool('read', { type: 'string' })] },
    "tools.0.custom.input_schema.type: Input should be 'object'",
  );
  check(
    'refuses a choice at the top of a schema',
    { tools: [tool('read', { type: 'object', anyOf: [] })] },
    'tools.0.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
  );
});

describe('validateRequest: cache marks', () => {
  const four = { system: [marked(words('a')), marked(words('b'))], tools: [marked(tool('read'))] };
  check('takes four', { ...four, messages: [user(marked(words('c')))] }, undefined);
  check(
    'refuses five',
    { ...four, messages: [user(marked(words('c')), marked(words('d')))] },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  );
  check(
    'counts the mark of the request itself',
    { ...four, messages: [user(marked(words('c')))], cache_control: { type: 'ephemeral' } },
    'A maximum of 4 blocks with cache_control may be provided. Found 5.',
  );
  check(
    'wants long-lived marks first',
    { system: [marked(words('a')), marked(words('b'), '1h')] },
    "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block",
  );
  checkHistory(
    'refuses a mark on thinking',
    [assistant(marked(thought), words('a')), hello],
    'messages.1.content.0.thinking.cache_control: Extra inputs are not permitted',
  );
});

describe('validateRequest: messages', () => {
  check('wants messages', { messages: [] }, 'messages: at least one message is required');
  check(
    'wants the user first',
    { messages: [assistant(words('Hi')), hello] },
    'messages: first message must use the "user" role',
  );
  checkHistory(
    'wants roles to alternate',
    [hello],
    'messages: roles must alternate between "user" and "assistant", but found multiple "user" roles in a row',
  );
  checkHistory(
    'refuses a prefill',
    [assistant(words('Hi'))],
    'This model does not support assistant message prefill. The conversation must end with a user message.',
  );
  checkHistory(
    'takes a system note in between',
    [assistant(words('Hi')), hello, { role: 'system', content: 'Note' }],
    undefined,
  );
  checkHistory(
    'refuses an empty content',
    [assistant(), hello],
    'messages.1: all messages must have non-empty content except for the optional final assistant message',
  );
  checkHistory(
    'refuses an empty text',
    [assistant(words('')), hello],
    'messages.1.content.0: text content blocks must be non-empty',
  );
  checkHistory(
    'refuses a blank text',
    [assistant(words(' \n')), hello],
    'messages.1.content.0: text content blocks must contain non-whitespace text',
  );
  checkHistory(
    'refuses fields that only we know',
    [assistant({ ...words('Hi'), shown: true }), hello],
    'messages.1.content.0.text.shown: Extra inputs are not permitted',
  );
  checkHistory(
    'refuses thinking from the user',
    [assistant(words('Hi')), user(thought)],
    "messages.2.content.0: Input tag 'thinking' found using 'type' does not match any of the expected tags: text, image, document, tool_result",
  );
  checkHistory(
    'refuses thinking at the end',
    [assistant(thought), hello],
    'messages.1: The final block in an assistant message cannot be `thinking`.',
  );
  checkHistory(
    'refuses thinking without a signature',
    [assistant({ ...thought, signature: '' }, words('a')), hello],
    'messages.1.content.0: Invalid `signature` in `thinking` block',
  );
  checkHistory(
    'refuses an empty image',
    [assistant(words('Hi')), user({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: '' } })],
    'messages.2.content.0.image.source.base64: image cannot be empty',
  );
});

describe('validateRequest: tool calls', () => {
  const unanswered = (path: string, ids: string): string =>
    `${path}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;

  checkHistory(
    'takes two calls answered in any order',
    [assistant(call('a'), call('b')), user(result('b'), result('a'))],
    undefined,
  );
  checkHistory(
    'refuses calls without results',
    [assistant(call('a'), call('b')), user(result('b'))],
    unanswered('messages.1', 'a'),
  );
  checkHistory(
    'refuses results behind a text',
    [assistant(call('a')), user(words('and'), result('a'))],
    unanswered('messages.1', 'a'),
  );
  checkHistory(
    'refuses a result without a call',
    [assistant(words('Hi')), user(result('a'))],
    'messages.2: unexpected `tool_use_id` found in `tool_result` blocks: a. Each `tool_result` block must have a corresponding `tool_use` block in the previous message.',
  );
  checkHistory(
    'refuses two results for a call',
    [assistant(call('a')), user(result('a'), result('a'))],
    'messages.2: each tool_use must have a single result. Found multiple `tool_result` blocks with id: a',
  );
  checkHistory(
    'refuses an id twice in the history',
    [assistant(call('a')), user(result('a')), assistant(call('a')), user(result('a'))],
    'messages: `tool_use` ids must be unique',
  );
  checkHistory(
    'refuses an input that is no object',
    [assistant({ ...call('a'), input: '{"path":' }), user(result('a'))],
    'messages.1.content.0.tool_use.input: Input should be a valid dictionary',
  );
  checkHistory(
    'refuses an error without words',
    [assistant(call('a')), user(result('a', { is_error: true, content: '' }))],
    'messages.2.content.0: content cannot be empty if `is_error` is true',
  );
  checkHistory(
    'refuses an empty text in a result',
    [assistant(call('a')), user(result('a', { content: [words('')] }))],
    'messages.2.content.0.tool_result.content.0: text content blocks must be non-empty',
  );
});

describe('validateRequest: thinking that was issued', () => {
  const content = [thought, { ...call('a'), caller: { type: 'direct' } }] as ContentBlock[];
  const options: ValidationOptions = { issued: [{ content, stopReason: 'tool_use' }] };
  const history = (...blocks: object[]): object => ({
    thinking: { type: 'adaptive' },
    messages: [hello, assistant(...blocks), user(result('a'))],
  });
  const changed =
    'messages.1.content: `thinking` or `redacted_thinking` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.';

  check('takes it unchanged', history(thought, call('a')), undefined, options);
  check(
    'refuses it with other words',
    history({ ...thought, thinking: 'Read it.' }, call('a')),
    'messages.1.content.0: Invalid `signature` in `thinking` block',
    options,
  );
  check(
    'refuses it with another signature',
    history({ ...thought, signature: 'b3RoZXI=' }, call('a')),
    changed,
    options,
  );
  check('misses it before a call that is being answered', history(call('a')), changed, options);
  check(
    'does not miss it when thinking is off',
    { ...history(call('a')), thinking: { type: 'disabled' } },
    undefined,
    options,
  );
  check('takes a paused message as the last', { messages: [hello, assistant(words('Searching'))] }, undefined, {
    issued: [{ content: [], stopReason: 'pause_turn' }],
  });
});
