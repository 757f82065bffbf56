// Turns the raw events of a Messages API stream into the loop's events: blocks are put together here, so that bad tool JSON reaches the loop as data.
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { STOP_REASONS, type AssistantBlock, type StopReason, type ToolUseBlock, type Usage } from '../../common/blocks';
import { isJsonObject, isTooDeep, type JsonObject } from '../../common/json';
import type { ModelEvent } from './types';

type OpenBlock =
  | { readonly type: 'text'; readonly parts: string[] }
  | { readonly type: 'thinking'; readonly parts: string[]; signature: string }
  | { readonly type: 'redacted_thinking'; readonly data: string }
  | {
      readonly type: 'tool_use';
      readonly id: string;
      readonly name: string;
      /** Some endpoints send the whole input at once, when the block starts. */
      readonly input: unknown;
      readonly parts: string[];
      chars: number;
    };

/** Stop reasons after which what has not ended is not complete. */
const CUT_REASONS: readonly StopReason[] = ['max_tokens', 'model_context_window_exceeded'];

/** Held state of one message that is being streamed. */
export class MessageAccumulator {
  /** By the endpoint's index. `at` is our own, since some endpoints give every block the same. */
  private readonly open = new Map<number, { readonly at: number; readonly block: OpenBlock }>();
  private startedCount = 0;
  private readonly counts = new Map<keyof Usage, number>();
  private reason: string | undefined;
  private hasCalls = false;

  /** What one raw event means. Types that this version does not know mean nothing. */
  add(event: RawMessageStreamEvent): ModelEvent[] {
    switch (event.type) {
      case 'message_start':
        this.count(event.message?.usage);
        return [];
      case 'content_block_start':
        return [...this.finish(event.index), ...this.start(event.index, Object(event.content_block) as Fields)];
      case 'content_block_delta':
        return this.extend(event.index, Object(event.delta) as Fields);
      case 'content_block_stop':
        return this.finish(event.index);
      case 'message_delta':
        this.reason = event.delta?.stop_reason ?? this.reason;
        this.count(event.usage);
        return [];
      case 'message_stop':
        return this.end();
      default:
        return [];
    }
  }

  /** What the end of the stream means when no `message_stop` came: all is there once the stop reason is, else nothing. */
  endOfStream(): ModelEvent[] {
    return this.reason === undefined ? [] : this.end();
  }

  /** Compatible endpoints leave out the end of a block. */
  private end(): ModelEvent[] {
    const reason = this.stopReason();
    const rest = CUT_REASONS.includes(reason) ? [] : [...this.open.keys()].flatMap((index) => this.finish(index));
    return [...rest, { type: 'stop', reason, usage: this.usage() }];
  }

  private start(wireIndex: number, content: Fields): ModelEvent[] {
    const block = openBlock(content);
    if (!block) return [];
    const index = this.startedCount++;
    this.open.set(wireIndex, { at: index, block });
    if (block.type === 'tool_use') {
      this.hasCalls = true;
      return [{ type: 'input', index, id: block.id, name: block.name, chars: 0 }];
    }
    if (block.type === 'text' || block.type === 'thinking') return piece(block.type, index, block.parts.join(''));
    return [];
  }

  private extend(wireIndex: number, { type, text, thinking, signature, partial_json }: Fields): ModelEvent[] {
    const { at: index, block } = this.open.get(wireIndex) ?? {};
    if (index === undefined) return [];
    if (block?.type === 'text' && type === 'text_delta') {
      block.parts.push(stringOf(text));
      return piece('text', index, stringOf(text));
    }
    if (block?.type === 'thinking' && type === 'thinking_delta') {
      block.parts.push(stringOf(thinking));
      return piece('thinking', index, stringOf(thinking));
    }
    if (block?.type === 'thinking' && type === 'signature_delta') block.signature += stringOf(signature);
    if (block?.type === 'tool_use' && type === 'input_json_delta') {
      block.parts.push(stringOf(partial_json));
      block.chars += stringOf(partial_json).length;
      return [{ type: 'input', index, id: block.id, name: block.name, chars: block.chars }];
    }
    return [];
  }

  private finish(wireIndex: number): ModelEvent[] {
    const found = this.open.get(wireIndex);
    if (!found) return [];
    this.open.delete(wireIndex);
    return [{ type: 'block', index: found.at, block: wholeBlock(found.block) }];
  }

  /** The figures are totals so far, so the later one counts; an event may leave some out. */
  private count(usage: object | null | undefined): void {
    for (const [ours, theirs] of USAGE_FIELDS) {
      const value = (usage as Fields | null | undefined)?.[theirs];
      if (typeof value === 'number') this.counts.set(ours, value);
    }
  }

  private usage(): Usage {
    return {
      inputTokens: this.counts.get('inputTokens') ?? 0,
      outputTokens: this.counts.get('outputTokens') ?? 0,
      cacheReadTokens: this.counts.get('cacheReadTokens') ?? 0,
      cacheWriteTokens: this.counts.get('cacheWriteTokens') ?? 0,
    };
  }

  /** Compatible endpoints leave it out, or name reasons of their own. */
  private stopReason(): StopReason {
    const known = STOP_REASONS.find((reason) => reason === this.reason);
    return known ?? (this.hasCalls ? 'tool_use' : 'end_turn');
  }
}

/** What came over the wire, believed only as far as it is looked at. */
type Fields = Readonly<Partial<Record<string, unknown>>>;
const USAGE_FIELDS = [
  ['inputTokens', 'input_tokens'],
  ['outputTokens', 'output_tokens'],
  ['cacheReadTokens', 'cache_read_input_tokens'],
  ['cacheWriteTokens', 'cache_creation_input_tokens'],
] as const;

function piece(type: 'text' | 'thinking', index: number, text: string): ModelEvent[] {
  return text === '' ? [] : [{ type, index, text }];
}

/** Read field by field: compatible endpoints leave out what they do not know. */
function openBlock(content: Fields): OpenBlock | undefined {
  switch (content.type) {
    case 'text':
      return { type: 'text', parts: [stringOf(content.text)] };
    case 'thinking':
      return { type: 'thinking', parts: [stringOf(content.thinking)], signature: stringOf(content.signature) };
    case 'redacted_thinking':
      return { type: 'redacted_thinking', data: stringOf(content.data) };
    case 'tool_use': {
      const { input } = content;
      const name = stringOf(content.name).slice(0, NAME_MAX_CHARS);
      return { type: 'tool_use', id: stringOf(content.id), name, input, parts: [], chars: 0 };
    }
    default:
      return undefined;
  }
}

/** No tool has a longer one, and it is repeated wherever the call is named. */
const NAME_MAX_CHARS = 128;

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function wholeBlock(block: OpenBlock): AssistantBlock {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.parts.join('') };
    case 'thinking':
      return { type: 'thinking', thinking: block.parts.join(''), signature: block.signature };
    case 'redacted_thinking':
      return block;
    case 'tool_use': {
      const { id, name } = block;
      return { type: 'tool_use', id, name, ...parseInput(block.parts.join(''), block.input) };
    }
  }
}

/** Parses what was streamed; without any, `whole` counts, and a call without arguments is `{}`. */
function parseInput(raw: string, whole: unknown): Pick<ToolUseBlock, 'input' | 'malformed'> {
  const input: JsonObject = {};
  const parsed = raw.trim() === '' ? (isJsonObject(whole) ? whole : {}) : parseJson(raw);
  if (isTooDeep(parsed)) return { input, malformed: { raw, fault: 'too-deep' } };
  if (isJsonObject(parsed)) return { input: parsed };
  if (parsed !== undefined) return { input, malformed: { raw, fault: 'not-an-object' } };
  return { input, malformed: { raw, fault: isCutShort(raw) ? 'truncated' : 'syntax' } };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** True when the text ends inside a string or an open bracket: more was to come. */
function isCutShort(json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
      continue;
    }
    if (char === '"') inString = true;
    else if (char === '{' || char === '[') depth++;
    else if (char === '}' || char === ']') depth--;
  }
  return inString || depth > 0;
}
