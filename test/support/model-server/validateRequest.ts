// Finds what the Messages API would refuse in a request, so that every scenario test proves its history valid.
import { isRecord, unknownKey } from './shapes';
import { blockListProblems, messageProblems, type IssuedReply } from './validateMessages';

const CACHE_MARKS_MAX = 4;
const THINKING_BUDGET_MIN_TOKENS = 1024;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,128}$/;
const COUNTED_FIELDS = [
  ...['model', 'messages', 'system', 'tools', 'tool_choice', 'thinking', 'cache_control', 'output_config', 'speed'],
  ...['user_profile_id', 'workspace_id'],
];
const MESSAGE_FIELDS = [
  ...COUNTED_FIELDS,
  ...[
    'max_tokens',
    'stream',
    'stop_sequences',
    'metadata',
    'service_tier',
    'container',
    'diagnostics',
    'inference_geo',
  ],
];

export interface ValidationOptions {
  /** Oldest first. Default: nothing is known, so changed thinking goes unnoticed. */
  issued?: readonly IssuedReply[];
  /** `count_tokens` takes no `max_tokens`. */
  endpoint?: 'messages' | 'count_tokens';
}

/**
 * Checks a parsed body of `POST /v1/messages` as the API does, stricter in one point: messages of one role in a row, which
 * the API joins and many compatible endpoints refuse, are refused.
 *
 * @returns the message of the 400, or undefined when the request is valid.
 */
export function validateRequest(body: unknown, options: ValidationOptions = {}): string | undefined {
  const first = requestProblems(body, options).next();
  return first.done ? undefined : first.value;
}

/** Lazy: each check may rely on the ones before it. */
function* requestProblems(body: unknown, options: ValidationOptions): Generator<string, void> {
  if (!isRecord(body)) return yield 'The request body is not valid JSON: expected an object';
  if (holdsLoneSurrogate(body)) return yield 'The request body is not valid JSON: no low surrogate in string';
  const counting = options.endpoint === 'count_tokens';
  const extra = unknownKey(body, counting ? COUNTED_FIELDS : MESSAGE_FIELDS);
  if (extra !== undefined) yield `${extra}: Extra inputs are not permitted`;
  if (typeof body.model !== 'string' || body.model === '') yield 'model: Field required';
  if (!counting) yield* maxTokensProblems(body.max_tokens);
  yield* thinkingProblems(body);
  yield* toolProblems(body.tools);
  yield* systemProblems(body.system);
  yield* messageProblems(body.messages, options.issued ?? [], thinkingIsOn(body));
  yield* cacheProblems(body);
}

function* maxTokensProblems(maxTokens: unknown): Generator<string, void> {
  if (maxTokens === undefined) yield 'max_tokens: Field required';
  if (!Number.isInteger(maxTokens)) yield 'max_tokens: Input should be a valid integer';
  if ((maxTokens as number) < 1) yield 'max_tokens: must be greater than or equal to 1';
}

function thinkingIsOn(body: Record<string, unknown>): boolean {
  return isRecord(body.thinking) && (body.thinking.type === 'enabled' || body.thinking.type === 'adaptive');
}

function* thinkingProblems(body: Record<string, unknown>): Generator<string, void> {
  if (body.thinking === undefined) return;
  const thinking = isRecord(body.thinking) ? body.thinking : {};
  if (!['adaptive', 'enabled', 'disabled', 'between_tools'].includes(String(thinking.type))) {
    yield `thinking: Input tag '${String(thinking.type)}' found using 'type' does not match any of the expected tags`;
  }
  if (thinking.type !== 'enabled') return;
  const budget = thinking.budget_tokens;
  if (typeof budget !== 'number') return yield 'thinking.enabled.budget_tokens: Field required';
  if (budget < THINKING_BUDGET_MIN_TOKENS) {
    yield `thinking.enabled.budget_tokens: Input should be greater than or equal to ${String(THINKING_BUDGET_MIN_TOKENS)}`;
  }
  if (typeof body.max_tokens === 'number' && body.max_tokens <= budget) {
    yield '`max_tokens` must be greater than `thinking.budget_tokens`';
  }
}

function* toolProblems(tools: unknown): Generator<string, void> {
  if (tools === undefined) return;
  if (!Array.isArray(tools)) return yield 'tools: Input should be a valid list';
  const names = new Set<unknown>();
  for (const [at, tool] of tools.entries()) {
    if (!isRecord(tool)) return yield `tools.${String(at)}: Input should be a valid dictionary`;
    if (names.has(tool.name)) yield 'tools: Tool names must be unique.';
    names.add(tool.name);
    // The API's own tools have a dated type, and no schema.
    if (tool.type === undefined || tool.type === 'custom')
      yield* customToolProblems(tool, `tools.${String(at)}.custom`);
  }
}

function* customToolProblems(tool: Record<string, unknown>, path: string): Generator<string, void> {
  if (typeof tool.name !== 'string') return yield `${path}.name: Field required`;
  if (!TOOL_NAME.test(tool.name)) yield `${path}.name: String should match pattern '${TOOL_NAME.source}'`;
  if (!isRecord(tool.input_schema)) return yield `${path}.input_schema: Field required`;
  if (tool.input_schema.type !== 'object') yield `${path}.input_schema.type: Input should be 'object'`;
  if (['oneOf', 'anyOf', 'allOf'].some((keyword) => Object.hasOwn(tool.input_schema as object, keyword))) {
    yield `${path}.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level`;
  }
}

function* systemProblems(system: unknown): Generator<string, void> {
  if (system === undefined || typeof system === 'string') return;
  yield* blockListProblems(system, 'system', ['text']);
}

function* cacheProblems(body: Record<string, unknown>): Generator<string, void> {
  const marks = cacheMarks(body);
  if (marks.length > CACHE_MARKS_MAX) {
    yield `A maximum of ${String(CACHE_MARKS_MAX)} blocks with cache_control may be provided. Found ${String(marks.length)}.`;
  }
  let shortSeen = false;
  for (const mark of marks) {
    if (!isRecord(mark) || mark.type !== 'ephemeral') return yield "cache_control.type: Input should be 'ephemeral'";
    const ttl = mark.ttl ?? '5m';
    if (ttl !== '5m' && ttl !== '1h') return yield "cache_control.ttl: Input should be '5m' or '1h'";
    if (ttl === '1h' && shortSeen) {
      yield "cache_control.ttl: a ttl='1h' cache_control block must not come after a ttl='5m' cache_control block";
    }
    shortSeen ||= ttl === '5m';
  }
}

/** In the order in which the API reads them: tools, system, messages; the request's own mark counts as the last. */
function cacheMarks(body: Record<string, unknown>): unknown[] {
  const messages = listOf(body.messages).flatMap((message) => listOf(message.content));
  const blocks = messages.flatMap((block) => [...listOf(block.content), block]);
  const marked = [...listOf(body.tools), ...listOf(body.system), ...blocks, body];
  return marked.map((item) => item.cache_control).filter((mark) => mark !== undefined && mark !== null);
}

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function holdsLoneSurrogate(value: unknown): boolean {
  if (typeof value === 'string') return /\p{Surrogate}/u.test(value);
  if (Array.isArray(value)) return value.some(holdsLoneSurrogate);
  if (!isRecord(value)) return false;
  return Object.entries(value).some(([key, item]) => holdsLoneSurrogate(key) || holdsLoneSurrogate(item));
}
