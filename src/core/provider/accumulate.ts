// Turns the raw events of a Messages API stream into the loop's events: blocks are put together here, so that bad tool JSON reaches the loop as data.
import type { RawContentBlockDelta, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { STOP_REASONS, type AssistantBlock, type StopReason, type ToolUseBlock, type Usage } from '../../common/blocks';
import { isJsonObject, type JsonObject } from '../../common/json';
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

/** Held state of one message that is being streamed. */
export class MessageAccumulator {
  private readonly open = new Map<number, OpenBlock>();
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
        return this.start(event.index, event.content_block);
      case 'content_block_delta':
        return this.extend(event.index, event.delta);
      case 'content_block_stop':
        return this.finish(event.index);
      case 'message_delta':
        this.reason = event.delta?.stop_reason ?? this.reason;
        this.count(event.usage);
        return [];
      case 'message_stop':
        return [{ type: 'stop', reason: this.stopReason(), usage: this.usage() }];
      default:
        return [];
    }
  }

  private start(index: number, content: object): ModelEvent[] {
    const block = openBlock(content as Fields);
    if (!block) return [];
    this.open.set(index, block);
    if (block.type === 'tool_use') {
      this.hasCalls = true;
      return [{ type: 'input', index, id: block.id, name: block.name, chars: 0 }];
    }
    if (block.type === 'text' || block.type === 'thinking') return piece(block.type, index, block.parts.join(''));
    return [];
  }

  private extend(index: number, delta: RawContentBlockDelta): ModelEvent[] {
    const block = this.open.get(index);
    if (block?.type === 'text' && delta.type === 'text_delta') {
      block.parts.push(delta.text);
      return piece('text', index, delta.text);
    }
    if (block?.type === 'thinking' && delta.type === 'thinking_delta') {
      block.parts.push(delta.thinking);
      return piece('thinking', index, delta.thinking);
    }
    if (block?.type === 'thinking' && delta.type === 'signature_delta') block.signature += delta.signature;
    if (block?.type === 'tool_use' && delta.type === 'input_json_delta') {
      block.parts.push(delta.partial_json);
      block.chars += delta.partial_json.length;
      return [{ type: 'input', index, id: block.id, name: block.name, chars: block.chars }];
    }
    return [];
  }

  private finish(index: number): ModelEvent[] {
    const block = this.open.get(index);
    if (!block) return [];
    this.open.delete(index);
    return [{ type: 'block', index, block: wholeBlock(block) }];
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
      return { type: 'tool_use', id: stringOf(content.id), name: stringOf(content.name), input, parts: [], chars: 0 };
    }
    default:
      return undefined;
  }
}

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
  if (raw.trim() === '') return { input: isJsonObject(whole) ? whole : {} };
  const parsed = parseJson(raw);
  if (isJsonObject(parsed)) return { input: parsed };
  const input: JsonObject = {};
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
