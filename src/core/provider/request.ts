// A request in the words of the Messages API: our blocks become its blocks, and the prompt cache is marked.
import type {
  ContentBlockParam,
  ImageBlockParam,
  MessageCreateParamsStreaming,
  MessageParam,
  TextBlockParam,
  Tool,
} from '@anthropic-ai/sdk/resources/messages';
import type { AssistantBlock, ImageBlock, Message, UserBlock } from '../../common/blocks';
import type { ModelRequest } from './types';

const CACHED = { type: 'ephemeral' } as const;

/** The same request gives the same bytes, and a longer conversation starts with the bytes of the shorter one: the cache lives on that. */
export function apiRequest(request: ModelRequest): MessageCreateParamsStreaming {
  return {
    model: request.model,
    max_tokens: request.maxOutputTokens,
    ...(request.tools.length === 0 ? {} : { tools: apiTools(request) }),
    system: request.system.map((text, at) => marked({ type: 'text', text }, at === request.system.length - 1)),
    messages: apiMessages(request),
    ...(request.thinking === 'off' ? {} : { thinking: { type: request.thinking, display: 'summarized' } }),
    stream: true,
  };
}

function apiTools({ tools, builtInTools }: ModelRequest): Tool[] {
  return tools.map(({ name, description, inputSchema }, at) => {
    const tool: Tool = { name, description, input_schema: inputSchema as Tool['input_schema'] };
    return marked(tool, at === builtInTools - 1);
  });
}

function apiMessages({ messages, cacheMarks }: ModelRequest): MessageParam[] {
  const params = messages.map(apiMessage);
  for (const { message, block: at } of cacheMarks) {
    const param = params[message];
    if (!param) continue;
    const content = param.content.map((block, index) => (index === at ? withMark(block) : block));
    params[message] = { ...param, content };
  }
  return params;
}

interface WholeMessage {
  role: Message['role'];
  content: ContentBlockParam[];
}

/** Requests share their messages, so each is converted once; without marks, which move on. */
const converted = new WeakMap<Message, WholeMessage>();

function apiMessage(message: Message): WholeMessage {
  const known = converted.get(message);
  if (known) return known;
  const param = { role: message.role, content: message.content.map(apiBlock) };
  converted.set(message, param);
  return param;
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
