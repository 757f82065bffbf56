// The protocol through version 1 of its SDK. Loaded with the first server; nothing outside this file and stdio.ts knows the SDK.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport, StreamableHTTPError } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  ErrorCode,
  McpError,
  ResultSchema,
  ToolListChangedNotificationSchema,
  type Progress,
} from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject, type JsonObject } from '../../common/json';
import { untilAborted } from '../untilAborted';
import type { HttpEndpoint } from './config';
import type { ConnectOptions, ListedTool, McpConnection } from './connection';
import { StdioTransport, type StdioOptions } from './stdio';

const CLIENT = { name: 'lathe', version: '1' };
/** A server that hands out pages for ever is cut off here. */
const PAGES_MAX = 200;
const REASON_MAX_CHARS = 300;
/** Saying goodbye to an HTTP server takes no longer. */
const GOODBYE_MS = 1_000;

export function connectStdio(
  program: Omit<StdioOptions, 'onErrorOutput'>,
  options: ConnectOptions,
): Promise<McpConnection> {
  const onErrorOutput = (bytes: Uint8Array): void => options.onErrorOutput(bytes);
  return connectOver(new StdioTransport({ ...program, onErrorOutput }), options);
}

/** Streamable HTTP, and where the server does not know it, the older transport over server-sent events. */
export async function connectHttp(
  { url, headers }: HttpEndpoint,
  fetch: typeof globalThis.fetch,
  options: ConnectOptions,
): Promise<McpConnection> {
  const address = new URL(url);
  const init = { fetch, requestInit: { headers: { ...headers } } };
  try {
    return await connectOver(new StreamableHTTPClientTransport(address, init), options);
  } catch (error) {
    if (!isUnknownTransport(error) || options.signal.aborted) throw error;
  }
  return connectOver(new SSEClientTransport(address, init), options);
}

/** What the specification tells a client to take as "try the older transport". */
function isUnknownTransport(error: unknown): boolean {
  const { cause } = error as Error;
  return cause instanceof StreamableHTTPError && [400, 404, 405].includes(cause.code ?? 0);
}

/** Over any transport of the SDK's, in-process ones too. */
export async function connectOver(transport: Transport, options: ConnectOptions): Promise<McpConnection> {
  const client = new Client(CLIENT, { capabilities: {} });
  const state = { isConnected: false, closed: undefined as string | undefined };
  client.onerror = (error) => options.onJunk(clip(error.message));
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => options.onToolsChanged());
  client.onclose = () => {
    if (state.closed !== undefined) return;
    state.closed = (transport instanceof StdioTransport && transport.ended) || 'it closed the connection';
    if (state.isConnected) options.onClosed(state.closed);
  };
  try {
    await untilAborted(client.connect(transport), options.signal);
    if (options.signal.aborted) throw new Error('it did not answer');
  } catch (error) {
    const { closed } = state;
    await close(transport);
    throw new Error(whyUnconnected(error, transport, closed), { cause: error });
  }
  if (state.closed !== undefined) throw new Error(state.closed);
  state.isConnected = true;
  return {
    listTools: (signal) => listTools(client, signal),
    callTool: async (name, input, call) => {
      const { signal, limitMs } = call;
      if (signal.aborted) return { kind: 'stopped' };
      const request = { method: 'tools/call' as const, params: { name, arguments: input } };
      try {
        const result = await client.request(request, ResultSchema, {
          signal,
          timeout: limitMs,
          resetTimeoutOnProgress: true,
          onprogress: (progress) => call.onProgress(describeProgress(progress)),
        });
        return { kind: 'answer', result: result as JsonObject };
      } catch (error) {
        if (signal.aborted) return { kind: 'stopped' };
        if (state.closed !== undefined) return { kind: 'lost', reason: state.closed };
        if (!(error instanceof McpError)) return { kind: 'lost', reason: explain(error) };
        if (isOwnTimeout(error)) return { kind: 'timeout', limitMs };
        return { kind: 'refused', message: error.message.replace(/^MCP error -?\d+: /, '') };
      }
    },
    close: () => close(transport),
  };
}

/**
 * Read by hand: the SDK's own schema rejects a whole list for one odd entry, and compiles what the server says about outputs.
 * Rejects with an Error whose message is worded for the person.
 */
async function listTools(client: Client, signal: AbortSignal): Promise<readonly ListedTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < PAGES_MAX; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const result = await client.request({ method: 'tools/list', params }, ResultSchema, { signal }).catch((error) => {
      throw new Error(`it does not list its tools: ${explain(error)}`, { cause: error });
    });
    if (Array.isArray(result.tools)) tools.push(...result.tools.flatMap(listed));
    const { nextCursor } = result;
    if (typeof nextCursor !== 'string' || nextCursor === cursor) break;
    cursor = nextCursor;
  }
  return tools;
}

function listed(entry: unknown): ListedTool[] {
  if (!isJsonObject(entry)) return [];
  const { name, description, inputSchema, annotations } = entry;
  if (typeof name !== 'string' || name === '') return [];
  return [
    {
      name,
      description: typeof description === 'string' ? description : '',
      inputSchema,
      isReadOnly: isJsonObject(annotations) && annotations.readOnlyHint === true,
    },
  ];
}

function describeProgress({ message, progress, total }: Progress): string {
  const share = total === undefined ? `${progress}` : `${progress} of ${total}`;
  return message ? `${message} (${share})` : share;
}

/** A server may use any code in its own errors; this one carries our limit. */
function isOwnTimeout({ code, data }: McpError): boolean {
  return code === Number(ErrorCode.RequestTimeout) && isJsonObject(data) && typeof data.timeout === 'number';
}

async function close(transport: Transport): Promise<void> {
  if (transport instanceof StreamableHTTPClientTransport) {
    const goodbye = transport.terminateSession().catch(() => {});
    await untilAborted(goodbye, AbortSignal.timeout(GOODBYE_MS));
  }
  await transport.close().catch(() => {});
}

/** Of a program how it ended says more than what could not be sent to it or was not answered. */
function whyUnconnected(error: unknown, transport: Transport, closed: string | undefined): string {
  if (!(transport instanceof StdioTransport)) return explain(error);
  const isBrokenPipe = error instanceof Error && 'code' in error && error.code === 'EPIPE';
  return closed ?? (isBrokenPipe ? transport.ended : undefined) ?? explain(error);
}

function explain(error: unknown): string {
  if (error instanceof StreamableHTTPError && (error.code === 401 || error.code === 403)) {
    return `it answered HTTP ${error.code}: it wants credentials, so check its "headers" in lathe.mcp.servers`;
  }
  if (!(error instanceof Error)) return clip(String(error));
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : '';
  return clip(error.message + cause);
}

function clip(text: string): string {
  return text.length <= REASON_MAX_CHARS ? text : `${text.slice(0, REASON_MAX_CHARS)}…`;
}
