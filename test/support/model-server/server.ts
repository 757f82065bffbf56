// The scripted model server: an Anthropic Messages API whose answers are a scenario, and that remembers every request.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorBody, errorTypeOf } from './errors';
import { fillPlaceholders, findSlot, type Slot } from './match';
import { wholeMessage } from './message';
import { DEFAULT_MODELS, pageOfModels } from './models';
import type { Reply, Scenario } from './scenario';
import { isRecord } from './shapes';
import type { IssuedReply } from './validateMessages';
import { validateRequest } from './validateRequest';
import { jsonHeaders, transmit, type Transmission } from './wire';

const BODY_MAX_BYTES = 32 * 1024 * 1024;
const BYTES_PER_TOKEN = 4;

export interface ServerOptions {
  /** Default: any free port of the loopback address. */
  port?: number;
  /** When given, requests must carry it, as `Authorization: Bearer` or as `x-api-key`. */
  apiKey?: string;
  /** Added to those of the scenario. */
  placeholders?: Record<string, string>;
  /** Goes into all generated ids; give each server its own when several serve one conversation. */
  idPrefix?: string;
}

/** A request as it came, in order of arrival; `outcome`, `status` and `problem` change until the answer is over. */
export interface RecordedRequest {
  method: string;
  /** With the query. */
  path: string;
  headers: IncomingHttpHeaders;
  bodyText: string;
  /** Undefined when the body is empty or no JSON. */
  body: unknown;
  /** Undefined until headers are sent. */
  status?: number;
  /** Why the server itself refused it: an invalid request, no reply left. Scripted faults are no problems. */
  problem?: string;
  /** When its headers had come, by `performance.now()`. */
  arrivedMs: number;
  /** When the last byte of its answer was written; undefined until then. */
  answeredMs?: number;
  /** `cut`: the scenario ended it early; `aborted`: the client did. */
  outcome: 'open' | 'answered' | 'cut' | 'aborted';
}

export interface ModelServer {
  /** Base URL as the SDK takes it: without `/v1`. */
  url: string;
  port: number;
  requests: readonly RecordedRequest[];
  /** Those to `POST /v1/messages`. */
  messageRequests(): RecordedRequest[];
  /** What went wrong that the scenario did not ask for; assert it to be empty at the end of a test. */
  problems(): string[];
  /** How many answers the scenario still holds, endless ones not counted. */
  repliesLeft(): number;
  /** Adds replies to the end of the scenario. */
  push(...replies: Reply[]): void;
  /** Resolves once the condition holds; it is looked at after each change of a request. Rejects when the server closes. */
  until(condition: () => boolean): Promise<void>;
  /** Ends all connections, open streams too. */
  close(): Promise<void>;
}

interface Exchange {
  record: RecordedRequest;
  response: ServerResponse;
  requestId: string;
}

interface Waiter {
  condition: () => boolean;
  resolve: () => void;
  reject: (reason: Error) => void;
}

/** Starts the server. A list of replies is a scenario with nothing else. */
export async function startModelServer(
  scenario: Scenario | readonly Reply[],
  options: ServerOptions = {},
): Promise<ModelServer> {
  const script: Scenario = 'replies' in scenario ? scenario : { replies: [...scenario] };
  const placeholders = { ...script.placeholders, ...options.placeholders };
  const models = script.models ?? DEFAULT_MODELS;
  const slots: Slot[] = script.replies.map(slotOf);
  const requests: RecordedRequest[] = [];
  const issued: IssuedReply[] = [];
  let waiters: Waiter[] = [];
  let sent = 0;
  let closing = false;

  function changed(): void {
    const [ready, waiting] = partition(waiters, (waiter) => waiter.condition());
    waiters = waiting;
    for (const waiter of ready) waiter.resolve();
  }

  function settle(record: RecordedRequest, outcome: RecordedRequest['outcome']): void {
    if (record.outcome !== 'open' || closing) return;
    record.outcome = outcome;
    changed();
  }

  function refuse(exchange: Exchange, status: number, message: string): Promise<void> {
    exchange.record.problem = message;
    const body = errorBody(errorTypeOf(status), message, exchange.requestId);
    return sendJson(exchange, status, body);
  }

  function sendJson(exchange: Exchange, status: number, body: unknown): Promise<void> {
    const chunks = [Buffer.from(JSON.stringify(body))];
    return send(exchange, { kind: 'answer', status, headers: jsonHeaders(exchange.requestId), chunks, ending: 'end' });
  }

  async function send({ record, response }: Exchange, answer: Transmission, delayMs = 0): Promise<void> {
    if (answer.kind === 'silence') return;
    if (answer.kind === 'hangUp') {
      settle(record, 'cut');
      response.destroy();
      return;
    }
    record.status = answer.status;
    response.writeHead(answer.status, answer.headers);
    response.flushHeaders();
    changed();
    for (const chunk of answer.chunks) {
      if (delayMs > 0) await sleep(delayMs);
      if (response.destroyed) return;
      await write(response, chunk);
    }
    if (answer.ending === 'end') {
      record.answeredMs = performance.now();
      response.end(() => settle(record, 'answered'));
      return;
    }
    if (answer.ending === 'stall') return;
    settle(record, 'cut');
    response.destroy();
  }

  async function answerMessages(exchange: Exchange): Promise<void> {
    const { body } = exchange.record;
    const invalid = validateRequest(body, { issued });
    if (invalid !== undefined || !isRecord(body)) return refuse(exchange, 400, invalid ?? 'expected an object');
    const match = findSlot(slots, body);
    if (!match) return refuse(exchange, 400, nothingToSay());
    match.slot.left -= 1;
    sent += 1;
    const reply = fillPlaceholders(match.slot.reply, { ...placeholders, ...match.captured });
    const replyId = `${options.idPrefix ?? ''}${String(sent).padStart(4, '0')}`;
    const context = { model: String(body.model), replyId, requestId: exchange.requestId };
    const message = wholeMessage(reply, context);
    issued.push({ content: message.content, stopReason: message.stop_reason });
    return send(exchange, transmit(reply, context, body.stream === true), reply.delayMsPerEvent);
  }

  function nothingToSay(): string {
    const left = slots.filter((slot) => slot.left > 0);
    if (left.length === 0) return `scenario exhausted after ${String(sent)} replies`;
    const conditions = left.map((slot) => JSON.stringify(slot.reply.when)).join(', ');
    return `no reply of the scenario matches this request after ${String(sent)} replies; left are replies for ${conditions}`;
  }

  async function answerCount(exchange: Exchange): Promise<void> {
    const invalid = validateRequest(exchange.record.body, { issued, endpoint: 'count_tokens' });
    if (invalid !== undefined) return refuse(exchange, 400, invalid);
    const counted = Math.ceil(Buffer.byteLength(exchange.record.bodyText) / BYTES_PER_TOKEN);
    return sendJson(exchange, 200, { input_tokens: script.countedTokens ?? counted });
  }

  async function answerModels(exchange: Exchange, url: URL): Promise<void> {
    if (url.pathname === '/v1/models') return sendJson(exchange, 200, pageOfModels(models, url.searchParams));
    const id = decodeURIComponent(url.pathname.slice('/v1/models/'.length));
    const found = models.find((model) => model.id === id);
    return found ? sendJson(exchange, 200, found) : refuse(exchange, 404, `model: ${id}`);
  }

  async function route(exchange: Exchange): Promise<void> {
    const { record } = exchange;
    const url = new URL(record.path, 'http://localhost');
    const unauthorized = authProblem(record.headers, options.apiKey);
    if (unauthorized !== undefined) return refuse(exchange, 401, unauthorized);
    if (record.headers['anthropic-version'] === undefined) {
      return refuse(exchange, 400, 'anthropic-version: header is required');
    }
    if (record.method === 'GET' && /^\/v1\/models(\/|$)/.test(url.pathname)) return answerModels(exchange, url);
    if (record.method !== 'POST') return refuse(exchange, 404, 'Not Found');
    if (record.bodyText.length > BODY_MAX_BYTES) return refuse(exchange, 413, 'Request exceeds the maximum size');
    if (record.body === undefined) return refuse(exchange, 400, 'The request body is not valid JSON');
    if (url.pathname === '/v1/messages') return answerMessages(exchange);
    if (url.pathname === '/v1/messages/count_tokens') return answerCount(exchange);
    return refuse(exchange, 404, 'Not Found');
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const record: RecordedRequest = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      bodyText: '',
      body: undefined,
      arrivedMs: performance.now(),
      outcome: 'open',
    };
    requests.push(record);
    changed();
    response.on('close', () => settle(record, 'aborted'));
    const exchange = { record, response, requestId: `req_${String(requests.length).padStart(4, '0')}` };
    try {
      record.bodyText = await readBody(request);
      record.body = parseJson(record.bodyText);
      changed();
      await route(exchange);
    } catch (error) {
      if (response.destroyed || !request.complete) settle(record, 'aborted');
      else record.problem = `The model server failed: ${String(error)}`;
      response.destroy();
    }
  }

  const server = createServer((request, response) => void handle(request, response));
  server.listen(options.port ?? 0, '127.0.0.1');
  await new Promise<void>((resolve, reject) => server.once('listening', resolve).once('error', reject));
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${String(port)}`,
    port,
    requests,
    messageRequests: () => requests.filter((record) => /^\/v1\/messages(\?|$)/.test(record.path)),
    problems: () => requests.flatMap((record) => record.problem ?? []),
    repliesLeft: () => slots.reduce((sum, slot) => sum + (Number.isFinite(slot.left) ? slot.left : 0), 0),
    push: (...replies) => {
      slots.push(...replies.map(slotOf));
    },
    until: (condition) => {
      if (condition()) return Promise.resolve();
      return new Promise((resolve, reject) => waiters.push({ condition, resolve, reject }));
    },
    close: async () => {
      closing = true;
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      for (const waiter of waiters.splice(0)) waiter.reject(new Error('The model server was closed while waiting.'));
    },
  };
}

function slotOf(reply: Reply): Slot {
  return { reply, left: reply.times === 'always' ? Infinity : (reply.times ?? 1) };
}

function authProblem(headers: IncomingHttpHeaders, apiKey: string | undefined): string | undefined {
  if (apiKey === undefined) return undefined;
  const bearer = /^Bearer (.*)$/i.exec(headers.authorization ?? '')?.[1];
  const given = [bearer, headers['x-api-key']].filter((key) => key !== undefined && key !== '');
  if (given.length === 0) return 'x-api-key header is required';
  return given.includes(apiKey) ? undefined : 'invalid x-api-key';
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

/** Resolves when the bytes have left the process, so that a socket dropped afterwards loses none of them. */
function write(response: ServerResponse, chunk: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    response.write(chunk, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
