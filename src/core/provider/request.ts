// A request in the words of the Messages API: our blocks become its blocks, and the prompt cache is marked.
import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import type { AssistantBlock, ImageBlock, Message, UserBlock } from '../../common/blocks';
import { concat } from '../output/text';
import type { ModelRequest } from './types';

const CACHED = { type: 'ephemeral' } as const;

const encoder = new TextEncoder();
const COMMA = encoder.encode(',');

/**
 * The body of `POST /v1/messages`, as JSON. The same request gives the same bytes, and a longer conversation starts with the bytes of
 * the shorter one: the cache lives on that.
 */
export function requestBody(request: ModelRequest): Uint8Array {
  const before: Omit<MessageCreateParamsStreaming, 'messages' | 'stream'> = {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    ...(request.tools.length === 0 ? {} : { tools: apiTools(request) }),
    system: request.system.map((text, at) => marked({ type: 'text', text }, at === request.system.length - 1)),
  };
  const after: Pick<MessageCreateParamsStreaming, 'thinking' | 'stream'> = {
    ...(request.thinking === 'off' ? {} : { thinking: { type: request.thinking, display: 'summarized' } }),
    stream: true,
  };
  return concat([
    encoder.encode(`${JSON.stringify(before).slice(0, -1)},"messages":[`),
    ...writtenMessages(request).flatMap((message, at) => (at === 0 ? [message] : [COMMA, message])),
    encoder.encode(`],${JSON.stringify(after).slice(1)}`),
  ]);
}

function apiTools({ tools, builtInTools }: ModelRequest): Tool[] {
  return tools.map(({ name, description, inputSchema }, at) => {
    const tool: Tool = { name, description, input_schema: inputSchema as Tool['input_schema'] };
    return marked(tool, at === builtInTools - 1);
  });
}

function writtenMessages({ messages, cacheMarks }: ModelRequest): Uint8Array[] {
  const written = messages.map(writeMessage);
  for (const at of new Set(cacheMarks.map(({ message }) => message))) {
    const message = messages[at];
    if (!message) continue;
    const marks = new Set(cacheMarks.flatMap((mark) => (mark.message === at ? mark.block : [])));
    const { role, content } = apiMessage(message);
    written[at] = encode({
      role,
      content: content.map((block, index) => (marks.has(index) ? withMark(block) : block)),
    });
  }
  return written;
}

/** Requests share their messages, so each is written once; without marks, which move on. */
const known = new WeakMap<Message, Uint8Array>();

function writeMessage(message: Message): Uint8Array {
  const bytes = known.get(message) ?? encode(apiMessage(message));
  known.set(message, bytes);
  return bytes;
}

function encode(message: ApiMessage): Uint8Array {
  return encoder.encode(JSON.stringify(message));
}

interface ApiMessage {
  role: Message['role'];
  content: ContentBlockParam[];
}

function apiMessage({ role, content }: Message): ApiMessage {
  return { role, content: content.map(apiBlock) };
}

function apiBlock(block: UserBlock | AssistantBlock): ContentBlockParam {
  switch (block.type) {
    case 'text':
    case 'thinking':
    case 'redacted_thinking':
      return block;
    case 'tool_use':
      return { type: 'tool_use', id: block.id, name: block.name, input: block.input };
    case 'image':
      return apiImage(block);
    case 'tool_result': {
      const text: TextBlockParam = { type: 'text', text: block.text };
      const content = [text, ...(block.images ?? []).map(apiImage)];
      return { type: 'tool_result', tool_use_id: block.toolUseId, content, is_error: block.isError };
    }
  }
}

function apiImage({ mediaType, data }: ImageBlock): ImageBlockParam {
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}

function marked<T extends object>(block: T, isMarked: boolean): T {
  return isMarked ? { ...block, cache_control: CACHED } : block;
}

/** Thinking cannot carry a mark. */
function withMark(block: ContentBlockParam): ContentBlockParam {
  if (block.type === 'thinking' || block.type === 'redacted_thinking') return block;
  return { ...block, cache_control: CACHED };
}
