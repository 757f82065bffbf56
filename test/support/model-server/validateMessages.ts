// Finds what the Messages API would refuse in a history: roles, blocks, tool pairs, thinking that came back changed.
import type { ContentBlock, StopReason } from '@anthropic-ai/sdk/resources/messages';
import { isRecord, unknownKey } from './shapes';

type Json = Record<string, unknown>;
type Problems = Generator<string, void>;

const TOOL_ID = /^[a-zA-Z0-9_-]+$/;
const TOOL_NAME = /^[a-zA-Z0-9_-]{1,200}$/;
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

const BLOCK_FIELDS: Readonly<Record<string, readonly string[]>> = {
  text: ['text', 'cache_control', 'citations'],
  image: ['source', 'cache_control', 'transformations'],
  document: ['source', 'cache_control', 'citations', 'context', 'title'],
  thinking: ['thinking', 'signature'],
  redacted_thinking: ['data'],
  tool_use: ['id', 'input', 'name', 'cache_control', 'caller', 'toolset_name'],
  tool_result: ['tool_use_id', 'content', 'is_error', 'cache_control', 'toolset_name'],
};
const USER_BLOCKS = ['text', 'image', 'document', 'tool_result'];
const ASSISTANT_BLOCKS = ['text', 'thinking', 'redacted_thinking', 'tool_use'];
const RESULT_BLOCKS = ['text', 'image', 'document'];

/** A reply that the server has sent: its thinking must come back as it was. */
export interface IssuedReply {
  content: ContentBlock[];
  stopReason: StopReason | null;
}

/** @param thinkingIsOn whether the thinking of the last tool calls must be there. */
export function* messageProblems(messages: unknown, issued: readonly IssuedReply[], thinkingIsOn: boolean): Problems {
  if (!Array.isArray(messages) || messages.length === 0) return yield 'messages: at least one message is required';
  for (const [at, message] of messages.entries()) yield* oneMessageProblems(message, `messages.${String(at)}`);
  const history = messages as Json[];
  yield* roleProblems(history, issued);
  yield* pairProblems(history);
  yield* signatureProblems(history, issued);
  if (thinkingIsOn) yield* latestThinkingProblems(history, issued);
}

/** Checks a list of content blocks of which only some types are allowed at that place. */
export function* blockListProblems(blocks: unknown, path: string, allowed: readonly string[]): Problems {
  if (!Array.isArray(blocks)) return yield `${path}: Input should be a valid list`;
  for (const [at, block] of blocks.entries()) {
    const blockPath = `${path}.${String(at)}`;
    const type = isRecord(block) ? String(block.type) : typeof block;
    if (!isRecord(block) || !allowed.includes(type)) {
      return yield `${blockPath}: Input tag '${type}' found using 'type' does not match any of the expected tags: ${allowed.join(', ')}`;
    }
    const extra = unknownKey(block, ['type', ...(BLOCK_FIELDS[type] ?? [])]);
    if (extra !== undefined) yield `${blockPath}.${type}.${extra}: Extra inputs are not permitted`;
    yield* blockProblems(block, blockPath);
  }
}

function* oneMessageProblems(message: unknown, path: string): Problems {
  if (!isRecord(message)) return yield `${path}: Input should be a valid dictionary`;
  const extra = unknownKey(message, ['role', 'content']);
  if (extra !== undefined) yield `${path}.${extra}: Extra inputs are not permitted`;
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system') {
    return yield `${path}.role: Input should be 'user', 'assistant' or 'system'`;
  }
  if (content === '' || (Array.isArray(content) && content.length === 0)) {
    yield `${path}: all messages must have non-empty content except for the optional final assistant message`;
  }
  if (typeof content === 'string') {
    if (content.trim() === '') yield `${path}: text content blocks must contain non-whitespace text`;
    return;
  }
  const allowed = { user: USER_BLOCKS, assistant: ASSISTANT_BLOCKS, system: ['text'] }[role];
  yield* blockListProblems(content, `${path}.content`, allowed);
  const last = blocksOf(message).at(-1);
  if (last && isThinking(last)) yield `${path}: The final block in an assistant message cannot be \`thinking\`.`;
}

function* blockProblems(block: Json, path: string): Problems {
  switch (block.type) {
    case 'text':
      if (typeof block.text !== 'string') return yield `${path}.text.text: Field required`;
      if (block.text === '') yield `${path}: text content blocks must be non-empty`;
      if (block.text.trim() === '') yield `${path}: text content blocks must contain non-whitespace text`;
      return;
    case 'image':
      return yield* imageProblems(block.source, `${path}.image.source`);
    case 'thinking':
      if (typeof block.thinking !== 'string') yield `${path}.thinking.thinking: Field required`;
      if (typeof block.signature !== 'string') yield `${path}.thinking.signature: Field required`;
      if (block.signature === '') yield `${path}: Invalid \`signature\` in \`thinking\` block`;
      return;
    case 'redacted_thinking':
      if (typeof block.data !== 'string' || block.data === '') yield `${path}.redacted_thinking.data: Field required`;
      return;
    case 'tool_use':
      if (!isRecord(block.input)) yield `${path}.tool_use.input: Input should be a valid dictionary`;
      if (!TOOL_NAME.test(String(block.name)))
        yield `${path}.tool_use.name: String should match pattern '${TOOL_NAME.source}'`;
      if (!TOOL_ID.test(String(block.id))) yield `${path}.tool_use.id: String should match pattern '${TOOL_ID.source}'`;
      return;
    case 'tool_result':
      return yield* resultProblems(block, path);
  }
}

function* imageProblems(source: unknown, path: string): Problems {
  if (!isRecord(source)) return yield `${path}: Field required`;
  if (source.type !== 'base64') return;
  if (!IMAGE_TYPES.includes(String(source.media_type))) {
    yield `${path}.base64.media_type: Input should be ${IMAGE_TYPES.join(', ')}`;
  }
  if (typeof source.data !== 'string' || source.data === '') yield `${path}.base64: image cannot be empty`;
}

function* resultProblems(block: Json, path: string): Problems {
  if (typeof block.tool_use_id !== 'string') yield `${path}.tool_result.tool_use_id: Field required`;
  const { content } = block;
  const isEmpty = content === undefined || content === '' || (Array.isArray(content) && content.length === 0);
  if (block.is_error === true && isEmpty) yield `${path}: content cannot be empty if \`is_error\` is true`;
  if (content === undefined || typeof content === 'string') return;
  yield* blockListProblems(content, `${path}.tool_result.content`, RESULT_BLOCKS);
}

function* roleProblems(history: Json[], issued: readonly IssuedReply[]): Problems {
  if (history[0]?.role !== 'user') yield 'messages: first message must use the "user" role';
  const turns = history.filter((message) => message.role !== 'system');
  for (const [at, message] of turns.entries()) {
    if (message.role !== turns[at - 1]?.role) continue;
    yield `messages: roles must alternate between "user" and "assistant", but found multiple "${String(message.role)}" roles in a row`;
  }
  const continuesPause = issued.some((item) => item.stopReason === 'pause_turn');
  if (turns.at(-1)?.role === 'assistant' && !continuesPause) {
    yield 'This model does not support assistant message prefill. The conversation must end with a user message.';
  }
}

function* pairProblems(history: Json[]): Problems {
  const seen = new Set<string>();
  for (const [at, message] of history.entries()) {
    const calls = idsOf(message, 'tool_use', 'id');
    if (calls.some((id, position) => seen.has(id) || calls.indexOf(id) !== position)) {
      yield 'messages: `tool_use` ids must be unique';
    }
    for (const id of calls) seen.add(id);
    const next = history[at + 1];
    const answered = next ? leadingResultIds(next) : [];
    const missing = calls.filter((id) => !answered.includes(id));
    if (missing.length > 0) {
      yield `messages.${String(at)}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`;
    }
    yield* resultPairProblems(message, history[at - 1], `messages.${String(at)}`);
  }
}

function* resultPairProblems(message: Json, previous: Json | undefined, path: string): Problems {
  const calls = previous ? idsOf(previous, 'tool_use', 'id') : [];
  const results = idsOf(message, 'tool_result', 'tool_use_id');
  for (const [at, id] of results.entries()) {
    if (!calls.includes(id)) {
      yield `${path}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${id}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`;
    }
    if (results.indexOf(id) !== at) {
      yield `${path}: each tool_use must have a single result. Found multiple \`tool_result\` blocks with id: ${id}`;
    }
  }
}

function* signatureProblems(history: Json[], issued: readonly IssuedReply[]): Problems {
  const thoughts = new Map<string, string>();
  for (const block of issued.flatMap((item) => item.content)) {
    if (block.type === 'thinking') thoughts.set(block.signature, block.thinking);
  }
  for (const [at, message] of history.entries()) {
    for (const [position, block] of blocksOf(message).entries()) {
      if (block.type !== 'thinking') continue;
      const thought = thoughts.get(String(block.signature));
      if (thought === undefined || thought === block.thinking) continue;
      yield `messages.${String(at)}.content.${String(position)}: Invalid \`signature\` in \`thinking\` block`;
    }
  }
}

/** Thinking that led to the tool calls being answered now must still stand before them. */
function* latestThinkingProblems(history: Json[], issued: readonly IssuedReply[]): Problems {
  const at = history.findLastIndex((message) => message.role === 'assistant');
  const kept = blocksOf(history[at]);
  const lastCall = kept.findLast((block) => block.type === 'tool_use');
  if (!lastCall) return;
  const source = issued.findLast((item) =>
    item.content.some((block) => block.type === 'tool_use' && block.id === lastCall.id),
  );
  if (!source) return;
  const end = source.content.findIndex((block) => block.type === 'tool_use' && block.id === lastCall.id);
  const expected = source.content.slice(0, end).filter(isThinking).map(essenceOf);
  const found = kept.slice(0, kept.indexOf(lastCall)).filter(isThinking).map(essenceOf);
  let position = 0;
  for (const thought of expected) {
    position = found.indexOf(thought, position) + 1;
    if (position > 0) continue;
    yield `messages.${String(at)}.content: \`thinking\` or \`redacted_thinking\` blocks in the latest assistant message cannot be modified. These blocks must remain as they were in the original response.`;
  }
}

function isThinking(block: { type?: unknown }): boolean {
  return block.type === 'thinking' || block.type === 'redacted_thinking';
}

function essenceOf(block: object): string {
  const { thinking, signature, data } = block as Json;
  return JSON.stringify([thinking, signature, data]);
}

function blocksOf(message: Json | undefined): Json[] {
  return Array.isArray(message?.content) ? message.content.filter(isRecord) : [];
}

function idsOf(message: Json, type: string, field: string): string[] {
  return blocksOf(message)
    .filter((block) => block.type === type)
    .map((block) => String(block[field]));
}

/** Only results that stand before any other block count: the API wants them first. */
function leadingResultIds(message: Json): string[] {
  const blocks = blocksOf(message);
  const end = blocks.findIndex((block) => block.type !== 'tool_result');
  return (end === -1 ? blocks : blocks.slice(0, end)).map((block) => String(block.tool_use_id));
}
