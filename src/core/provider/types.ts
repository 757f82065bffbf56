// What the loop asks of a model, and what a model answers, whoever serves it.
import type { AssistantBlock, Message, StopReason, Usage } from '../../common/blocks';
import type { ToolDefinition } from '../../common/events';

/** A place in `messages` after which the prompt cache is marked. */
export interface CacheMark {
  readonly message: number;
  readonly block: number;
}

export interface ModelRequest {
  readonly model: string;
  readonly system: readonly string[];
  readonly tools: readonly ToolDefinition[];
  /** Tools before this index are built in; the cache is marked at their end. */
  readonly builtInTools: number;
  readonly messages: readonly Message[];
  /** At most two; with the tools' and the system prompt's own that makes the four the API allows. */
  readonly cacheMarks: readonly CacheMark[];
  readonly maxOutputTokens: number;
  readonly thinking: 'off' | 'adaptive';
}

/** `index` is the block's place in the message. A block is complete when its `block` event has come; nothing runs before. */
export type ModelEvent =
  | { readonly type: 'text'; readonly index: number; readonly text: string }
  | { readonly type: 'thinking'; readonly index: number; readonly text: string }
  /** A tool call is being written. */
  | {
      readonly type: 'input';
      readonly index: number;
      readonly id: string;
      readonly name: string;
      readonly chars: number;
    }
  | { readonly type: 'block'; readonly index: number; readonly block: AssistantBlock }
  | { readonly type: 'stop'; readonly reason: StopReason; readonly usage: Usage };

export interface ModelInfo {
  readonly id: string;
  readonly label: string;
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  readonly readsImages: boolean;
  readonly thinks: boolean;
}

/** Throws only `ProviderFault`, also from within the stream; an abort ends the stream with the fault `aborted`. */
export interface Provider {
  /** Shown to people. */
  readonly label: string;
  readonly isDemo: boolean;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** What the endpoint serves; falls back to a bundled list, never throws. */
  models(): Promise<readonly ModelInfo[]>;
}

export type FaultKind =
  | 'aborted'
  /** Refused before or during the stream for load: 429, 529. */
  | 'busy'
  /** 5xx, or an error event in the stream. */
  | 'server'
  /** No connection, a dropped socket, an end without `message_stop`. */
  | 'network'
  /** Nothing came for too long. */
  | 'stalled'
  | 'auth'
  | 'not_found'
  | 'prompt_too_long'
  | 'invalid'
  /** The address answers something that is not the Messages API. */
  | 'not_api';

const PASSING: ReadonlySet<FaultKind> = new Set(['busy', 'server', 'network', 'stalled']);

/** `message` is for people: what happened and what to do next; never holds a key. */
export class ProviderFault extends Error {
  constructor(
    readonly kind: FaultKind,
    message: string,
    readonly retryAfterMs?: number,
    readonly status?: number,
  ) {
    super(message);
    this.name = 'ProviderFault';
  }

  get isPassing(): boolean {
    return PASSING.has(this.kind);
  }
}
