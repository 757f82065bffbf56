// Turns a reply into the Messages API's message: whole, or as the events of a stream.
import { createHash } from 'node:crypto';
import type { ContentBlock, Message, RawMessageStreamEvent, Usage } from '@anthropic-ai/sdk/resources/messages';
import type { Block, LooseEvent, Reply, ToolUseBlock } from './scenario';

const CODE_POINTS_PER_DELTA = 12;

/** What the server knows about the request that the reply answers. */
export interface ReplyContext {
  model: string;
  /** Makes the ids of the message and of its tool calls unique. */
  replyId: string;
  requestId: string;
}

/** Makes the whole message, as the API answers without `stream`; a tool input that is no JSON becomes `{}`. */
export function wholeMessage(reply: Reply, context: ReplyContext): Message {
  const blocks = (reply.blocks ?? []).filter((block) => block.type !== 'event');
  return {
    ...emptyMessage(reply, context),
    content: blocks.map((block, index) => wholeBlock(block, toolUseId(block, context, index))),
    ...stopFields(reply),
    usage: usageOf(reply),
  };
}

/** Makes the events of a streamed message, in order, from `message_start` to `message_stop`. */
export function messageEvents(reply: Reply, context: ReplyContext): (RawMessageStreamEvent | LooseEvent)[] {
  const usage = usageOf(reply);
  const events: (RawMessageStreamEvent | LooseEvent)[] = [
    {
      type: 'message_start',
      message: { ...emptyMessage(reply, context), usage: { ...usage, output_tokens: 1, output_tokens_details: null } },
    },
  ];
  let index = 0;
  for (const block of reply.blocks ?? []) {
    if (block.type === 'event') {
      events.push(block);
      continue;
    }
    events.push(...blockEvents(block, index, toolUseId(block, context, index)));
    index += 1;
  }
  events.push({ type: 'message_delta', delta: stopFields(reply), usage: deltaUsage(usage) }, { type: 'message_stop' });
  return events;
}

/** The signature that a thinking block carries when the scenario gives none. */
export function signatureOf(thought: string): string {
  return createHash('sha256').update(thought).digest('base64');
}

function emptyMessage(reply: Reply, context: ReplyContext): Message {
  return {
    id: reply.id ?? `msg_${context.replyId}`,
    type: 'message',
    role: 'assistant',
    model: reply.model ?? context.model,
    content: [],
    container: null,
    diagnostics: null,
    stop_reason: null,
    stop_sequence: null,
    stop_details: null,
    usage: usageOf(reply),
  };
}

function stopFields(reply: Reply): Pick<Message, 'stop_reason' | 'stop_sequence' | 'stop_details' | 'container'> {
  const callsTool = (reply.blocks ?? []).some((block) => block.type === 'tool_use');
  const stop_reason = reply.stopReason ?? (callsTool ? 'tool_use' : 'end_turn');
  const refusal = stop_reason === 'refusal' ? ({ type: 'refusal', category: null, explanation: null } as const) : null;
  return {
    stop_reason,
    stop_sequence: reply.stopSequence ?? null,
    stop_details: reply.stopDetails ?? refusal,
    container: null,
  };
}

function usageOf(reply: Reply): Usage {
  return {
    input_tokens: 100,
    output_tokens: 10,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: null,
    inference_geo: null,
    output_tokens_details: null,
    server_tool_use: null,
    service_tier: 'standard',
    speed: null,
    ...reply.usage,
  };
}

function deltaUsage(usage: Usage): Extract<RawMessageStreamEvent, { type: 'message_delta' }>['usage'] {
  return {
    input_tokens: usage.input_tokens,
    cache_creation_input_tokens: usage.cache_creation_input_tokens,
    cache_read_input_tokens: usage.cache_read_input_tokens,
    output_tokens: usage.output_tokens,
    output_tokens_details: usage.output_tokens_details,
    server_tool_use: usage.server_tool_use,
  };
}

type MessageBlock = Exclude<Block, LooseEvent>;

function wholeBlock(block: MessageBlock, toolId: string): ContentBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text, citations: null };
    case 'thinking':
      return { type: 'thinking', thinking: block.thinking, signature: block.signature ?? signatureOf(block.thinking) };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: block.data };
    case 'tool_use':
      return { type: 'tool_use', id: toolId, name: block.name, input: parsedInput(block), caller: { type: 'direct' } };
  }
}

function blockEvents(block: MessageBlock, index: number, toolId: string): RawMessageStreamEvent[] {
  const whole = wholeBlock(block, toolId);
  const stop: RawMessageStreamEvent = { type: 'content_block_stop', index };
  const start = (content_block: ContentBlock): RawMessageStreamEvent => {
    return { type: 'content_block_start', index, content_block };
  };
  const delta = (change: Extract<RawMessageStreamEvent, { type: 'content_block_delta' }>['delta']) => {
    return { type: 'content_block_delta', index, delta: change } as const;
  };
  switch (whole.type) {
    case 'text': {
      const parts = deltasOf(block, whole.text);
      return [start({ ...whole, text: '' }), ...parts.map((part) => delta({ type: 'text_delta', text: part })), stop];
    }
    case 'thinking': {
      const parts = deltasOf(block, whole.thinking);
      return [
        start({ type: 'thinking', thinking: '', signature: '' }),
        ...parts.map((part) => delta({ type: 'thinking_delta', thinking: part })),
        delta({ type: 'signature_delta', signature: whole.signature }),
        stop,
      ];
    }
    case 'tool_use': {
      // The API opens every tool input with an empty piece.
      const parts = ['', ...deltasOf(block, inputJson(block as ToolUseBlock))];
      return [
        start({ ...whole, input: {} }),
        ...parts.map((part) => delta({ type: 'input_json_delta', partial_json: part })),
        stop,
      ];
    }
    default:
      return [start(whole), stop];
  }
}

function deltasOf(block: MessageBlock, content: string): string[] {
  if ('deltas' in block && block.deltas) return block.deltas;
  const points = Array.from(content);
  const parts: string[] = [];
  for (let at = 0; at < points.length; at += CODE_POINTS_PER_DELTA) {
    parts.push(points.slice(at, at + CODE_POINTS_PER_DELTA).join(''));
  }
  return parts;
}

function inputJson(block: ToolUseBlock): string {
  return block.json ?? JSON.stringify(block.input ?? {});
}

function parsedInput(block: ToolUseBlock): unknown {
  try {
    return JSON.parse(inputJson(block)) as unknown;
  } catch {
    return {};
  }
}

function toolUseId(block: MessageBlock, context: ReplyContext, index: number): string {
  return (block.type === 'tool_use' && block.id) || `toolu_${context.replyId}_${String(index)}`;
}
