// What the rest needs of a connected MCP server, whichever version of the protocol's SDK speaks with it.
import type { Json, JsonObject } from '../../common/json';
import type { ServerConfig } from './config';

/** One entry of a server's list, unchecked but for what is named here. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  /** As the server wrote it; undefined when it has none. */
  readonly inputSchema: Json | undefined;
  /** The server says so in so many words (`readOnlyHint: true`). */
  readonly isReadOnly: boolean;
}

/** What became of a call. Reasons and messages are worded for the model. */
export type CallOutcome =
  /** `result` holds `content`, `structuredContent`, `isError` as the server sent them. */
  | { readonly kind: 'answer'; readonly result: JsonObject }
  /** The server answered with an error of the protocol; the message is its own. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'timeout'; readonly limitMs: number }
  /** Ended by the caller's signal; the server has been told. */
  | { readonly kind: 'stopped' }
  /** The connection broke: the call may have done its work. */
  | { readonly kind: 'lost'; readonly reason: string }
  /** There is no connection, so nothing was sent. */
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface CallOptions {
  readonly signal: AbortSignal;
  /** Told in the server's words how far the call is. May be called very often. */
  onProgress(text: string): void;
}

export interface McpConnection {
  /** All pages. Rejects when the server does not list its tools. */
  listTools(signal: AbortSignal): Promise<readonly ListedTool[]>;
  /** `limitMs` is counted from the last sign of progress. Never rejects. */
  callTool(
    name: string,
    input: JsonObject,
    options: CallOptions & { readonly limitMs: number },
  ): Promise<Exclude<CallOutcome, { readonly kind: 'unavailable' }>>;
  /** Resolves when nothing of it is left. Never rejects. */
  close(): Promise<void>;
}

export interface ConnectOptions {
  /** Ends the attempt to connect; nothing is left of it then. */
  readonly signal: AbortSignal;
  /** Called once when the connection has ended after it was made, also by `close`. */
  onClosed(reason: string): void;
  /** The server says that its list of tools is another one now. */
  onToolsChanged(): void;
  /** What a server's program writes to its standard error. */
  onErrorOutput(bytes: Uint8Array): void;
  /** Something came that is no message of the protocol. */
  onJunk(what: string): void;
}

/** Rejects with an Error whose message is worded for the person. */
export type Connect = (server: ServerConfig, options: ConnectOptions) => Promise<McpConnection>;
