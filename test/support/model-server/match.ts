// Decides which reply of a scenario answers a request, and fills the reply's placeholders.
import type { Block, Reply, ReplyMatch, TextPattern } from './scenario';
import { isRecord } from './shapes';

/** A reply with the number of requests it still answers. */
export interface Slot {
  reply: Reply;
  left: number;
}

export interface Match {
  slot: Slot;
  /** Named groups of the patterns that matched. */
  captured: Record<string, string>;
}

/** Finds the first reply that is left and matches the request's body. */
export function findSlot(slots: readonly Slot[], body: unknown): Match | undefined {
  for (const slot of slots) {
    if (slot.left <= 0) continue;
    const captured = matchReply(slot.reply.when ?? {}, body);
    if (captured) return { slot, captured };
  }
  return undefined;
}

/** Replaces `{{name}}` in texts and tool inputs; in raw tool JSON the value is escaped for a JSON string. */
export function fillPlaceholders(reply: Reply, values: Readonly<Record<string, string>>): Reply {
  if (!reply.blocks) return reply;
  return { ...reply, blocks: reply.blocks.map((block) => fillBlock(block, values)) };
}

function fillBlock(block: Block, values: Readonly<Record<string, string>>): Block {
  if (block.type !== 'tool_use' || block.json === undefined) return fill(block, values) as Block;
  const escaped = Object.entries(values).map(([name, value]) => [name, JSON.stringify(value).slice(1, -1)]);
  return fill(block, Object.fromEntries(escaped) as Record<string, string>) as Block;
}

function fill(value: unknown, values: Readonly<Record<string, string>>): unknown {
  if (typeof value === 'string') {
    return value.replace(/\{\{([\w-]+)\}\}/g, (whole: string, name: string) => values[name] ?? whole);
  }
  if (Array.isArray(value)) return value.map((item) => fill(item, values));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fill(item, values)]));
}

function matchReply(when: ReplyMatch, body: unknown): Record<string, string> | undefined {
  const captured: Record<string, string> = {};
  for (const [field, pattern] of Object.entries(when) as [keyof ReplyMatch, TextPattern][]) {
    const found = matchText(pattern, READERS[field](body));
    if (!found) return undefined;
    Object.assign(captured, found);
  }
  return captured;
}

function matchText(pattern: TextPattern, text: string | undefined): Record<string, string> | undefined {
  if (text === undefined) return undefined;
  if (typeof pattern === 'string') return text.includes(pattern) ? {} : undefined;
  const found = new RegExp(pattern.pattern, pattern.flags).exec(text);
  return found ? { ...found.groups } : undefined;
}

const READERS: Readonly<Record<keyof ReplyMatch, (body: unknown) => string | undefined>> = {
  lastToolResult: (body) => {
    const results = blocksOf(messagesOf(body).at(-1)).filter((block) => block.type === 'tool_result');
    return results.length === 0 ? undefined : results.map((block) => textOf(block.content)).join('\n');
  },
  lastUserText: (body) => {
    const texts = messagesOf(body).filter((message) => message.role === 'user');
    return texts.map((message) => textOf(message.content)).findLast((content) => content !== '');
  },
  system: (body) => (isRecord(body) ? textOf(body.system) : undefined),
  model: (body) => (isRecord(body) && typeof body.model === 'string' ? body.model : undefined),
};

function messagesOf(body: unknown): Record<string, unknown>[] {
  if (!isRecord(body) || !Array.isArray(body.messages)) return [];
  return body.messages.filter(isRecord);
}

function blocksOf(message: Record<string, unknown> | undefined): Record<string, unknown>[] {
  const content = message?.content;
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts = content.filter(isRecord).map((block) => block.text);
  return texts.filter((item) => typeof item === 'string').join('\n');
}
