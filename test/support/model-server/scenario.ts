// What the scripted model says: replies as plain data (JSON in, JSON out), and short constructors for tests.
import type { ModelInfo } from '@anthropic-ai/sdk/resources/models';
import type { RefusalStopDetails, StopReason, Usage } from '@anthropic-ai/sdk/resources/messages';

/** A text to look for: a substring, or a regular expression whose named groups become placeholders of the reply. */
export type TextPattern = string | { pattern: string; flags?: string };

/** Every field that is given must match the request; a reply without `when` matches any request. */
export interface ReplyMatch {
  /** The texts of the tool results in the last message, joined with newlines; never matches when there are none. */
  lastToolResult?: TextPattern;
  /** The text blocks of the last user message that has any, joined with newlines. */
  lastUserText?: TextPattern;
  system?: TextPattern;
  model?: TextPattern;
}

export interface TextBlock {
  type: 'text';
  text: string;
  /** How the text is split on the wire; must join to `text`. Default: a few characters each, never inside a code point. */
  deltas?: string[];
}

export interface ThinkingBlock {
  type: 'thinking';
  thinking: string;
  /** Default: derived from the text, so that the same thought always carries the same signature. */
  signature?: string;
  deltas?: string[];
}

export interface RedactedThinkingBlock {
  type: 'redacted_thinking';
  data: string;
}

/** `input` is sent as well-formed JSON; `json` is sent as it is, so it may be malformed or cut short. */
export interface ToolUseBlock {
  type: 'tool_use';
  name: string;
  input?: Record<string, unknown>;
  json?: string;
  /** Default: unique per server, `toolu_<prefix><reply>_<block>`. */
  id?: string;
  deltas?: string[];
}

/** An event outside the message: a ping, or one that this version of the client does not know. */
export interface LooseEvent {
  type: 'event';
  name: string;
  data: unknown;
}

export type Block = TextBlock | ThinkingBlock | RedactedThinkingBlock | ToolUseBlock | LooseEvent;

/** Where a stream is cut: after so many whole events, or after so many bytes. Neither: right after the headers. */
export interface CutPoint {
  afterEvents?: number;
  afterBytes?: number;
}

export type Fault =
  /** An HTTP error in the API's JSON shape instead of the stream. */
  | { kind: 'status'; status: number; errorType?: string; message?: string; headers?: Record<string, string> }
  /** A page instead of the API: a proxy's login, a wrong address. */
  | { kind: 'html'; status: number; html: string }
  /** An `error` event inside the stream, which then ends. */
  | { kind: 'error'; afterEvents: number; errorType: string; message: string }
  /** An event whose data is not JSON, in place of the event that was due. */
  | { kind: 'garbage'; afterEvents: number; data: string }
  /** The socket dies. */
  | ({ kind: 'drop' } & CutPoint)
  /** The stream ends cleanly, but too early. */
  | ({ kind: 'end' } & CutPoint)
  /** Nothing more comes, and the socket stays open. */
  | ({ kind: 'stall' } & CutPoint)
  /** The request is read and never answered, not even with headers. */
  | { kind: 'silence' }
  /** The socket is closed before any answer. */
  | { kind: 'hangUp' };

export interface Reply {
  when?: ReplyMatch;
  /** How many requests it answers; default 1. */
  times?: number | 'always';
  blocks?: Block[];
  /** Default: `tool_use` when there is a tool_use block, else `end_turn`. */
  stopReason?: StopReason;
  stopSequence?: string;
  stopDetails?: RefusalStopDetails;
  /** Default: 100 tokens in, 10 out, nothing cached. */
  usage?: Partial<Usage>;
  /** Default: unique per server. */
  id?: string;
  /** Default: the model of the request. */
  model?: string;
  fault?: Fault;
  /** Wait before each event. */
  delayMsPerEvent?: number;
  /** Write in pieces of so many bytes, so that characters and lines are split between packets. */
  bytesPerWrite?: number;
}

export interface Scenario {
  replies: Reply[];
  /** What `{{name}}` in texts and tool inputs is replaced by; unknown names stay as they are. */
  placeholders?: Record<string, string>;
  /** Answer of `GET /v1/models`, newest first; default: a small list. */
  models?: ModelInfo[];
  /** Answer of `count_tokens`; default: a quarter of the body's bytes. */
  countedTokens?: number;
}

type ReplyPart = Block | Omit<Reply, 'blocks'>;

/** Makes a reply from blocks, in order, and any other fields: `reply(text('Hi'), { stopReason: 'max_tokens' })`. */
export function reply(...parts: ReplyPart[]): Reply {
  const blocks = parts.filter(isBlock);
  const fields = parts.filter((part) => !isBlock(part));
  return Object.assign({ blocks }, ...fields) as Reply;
}

/** A text block; an array gives its deltas. */
export function text(content: string | string[]): TextBlock {
  if (typeof content === 'string') return { type: 'text', text: content };
  return { type: 'text', text: content.join(''), deltas: content };
}

/** A thinking block; an array gives its deltas. */
export function thinking(content: string | string[], signature?: string): ThinkingBlock {
  const signed = signature === undefined ? {} : { signature };
  if (typeof content === 'string') return { type: 'thinking', thinking: content, ...signed };
  return { type: 'thinking', thinking: content.join(''), deltas: content, ...signed };
}

export function redactedThinking(data: string): RedactedThinkingBlock {
  return { type: 'redacted_thinking', data };
}

/** A tool call; a string as input is sent raw, so it may be malformed or cut short. */
export function toolUse(
  name: string,
  input: Record<string, unknown> | string,
  options: { id?: string; deltas?: string[] } = {},
): ToolUseBlock {
  const given = typeof input === 'string' ? { json: input } : { input };
  return { type: 'tool_use', name, ...given, ...options };
}

export function ping(): LooseEvent {
  return { type: 'event', name: 'ping', data: { type: 'ping' } };
}

export function unknownEvent(name: string, fields: Record<string, unknown> = {}): LooseEvent {
  return { type: 'event', name, data: { type: name, ...fields } };
}

/** Makes a pattern that is data from a regular expression. */
export function matching(expression: RegExp): TextPattern {
  return { pattern: expression.source, flags: expression.flags };
}

interface StatusOptions {
  message?: string;
  errorType?: string;
  retryAfter?: string | number;
  headers?: Record<string, string>;
}

/** Things that go wrong. The first four are whole replies; the others are added to one: `reply(text("Hi"), fault.dropAfter(3))`. */
export const fault = {
  /** An HTTP error before the stream; `retryAfter` is sent as it is: seconds, a date, or nonsense. */
  status(status: number, options: StatusOptions = {}): Reply {
    const { retryAfter, headers, ...rest } = options;
    const retry = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    return { fault: { kind: 'status', status, ...rest, headers: { ...retry, ...headers } } };
  },
  html(status = 200, html = '<!doctype html><html><body><h1>Sign in to the network</h1></body></html>'): Reply {
    return { fault: { kind: 'html', status, html } };
  },
  /** Headers never come. */
  silence(): Reply {
    return { fault: { kind: 'silence' } };
  },
  hangUp(): Reply {
    return { fault: { kind: 'hangUp' } };
  },
  errorAfter(afterEvents: number, errorType = 'overloaded_error', message = 'Overloaded'): { fault: Fault } {
    return { fault: { kind: 'error', afterEvents, errorType, message } };
  },
  garbageAfter(afterEvents: number, data = '{"type":"content_block'): { fault: Fault } {
    return { fault: { kind: 'garbage', afterEvents, data } };
  },
  dropAfter(afterEvents: number): { fault: Fault } {
    return { fault: { kind: 'drop', afterEvents } };
  },
  dropAfterBytes(afterBytes: number): { fault: Fault } {
    return { fault: { kind: 'drop', afterBytes } };
  },
  endAfter(afterEvents: number): { fault: Fault } {
    return { fault: { kind: 'end', afterEvents } };
  },
  /** After 0 events: headers come, then nothing. */
  stallAfter(afterEvents: number): { fault: Fault } {
    return { fault: { kind: 'stall', afterEvents } };
  },
};

function isBlock(part: ReplyPart): part is Block {
  return 'type' in part;
}
