// A model behind the Anthropic Messages API: Anthropic's own endpoint, or any that speaks the same.
import type Anthropic from '@anthropic-ai/sdk';
import type { ClientOptions } from '@anthropic-ai/sdk';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Host } from '../host';
import { onAbort } from '../onAbort';
import { MessageAccumulator } from './accumulate';
import { faultOf, notApiFault, sentFault, type Endpoint } from './faults';
import { BUNDLED_MODELS, readModel } from './models';
import { requestBody } from './request';
import { EventDecoder, type SentEvent } from './sse';
import { ProviderFault, type ModelEvent, type ModelInfo, type ModelRequest, type Provider } from './types';
import { isEventStream, PATIENCE, watchFetch, type BodyReader, type Patience, type Watch } from './watch';

const ANTHROPIC_URL = 'https://api.anthropic.com';

export interface AnthropicOptions {
  readonly host: Pick<Host, 'web' | 'log'>;
  /** As the person wrote it; empty: Anthropic's own. */
  readonly baseUrl: string;
  /** Local endpoints need none. */
  readonly apiKey?: string;
  readonly patience?: Patience;
}

/** Given as bytes, since the SDK would write the whole conversation anew for each request. */
const JSON_BODY = { 'content-type': 'application/json' };
const LIST_PATIENCE: Patience = { headerMs: 10_000, idleMs: 10_000 };
const LISTED_MODELS_MAX = 200;
const END_GRACE_MS = 200;

export function anthropicProvider(options: AnthropicOptions): Provider {
  const { host, apiKey, patience = PATIENCE } = options;
  const url = normaliseUrl(options.baseUrl) || ANTHROPIC_URL;
  const endpoint: Endpoint = { url, isAnthropic: url === ANTHROPIC_URL, ...(apiKey ? { apiKey } : {}) };
  const idle: Partial<Line>[] = [];
  let listed: readonly ModelInfo[] | undefined;

  return {
    label: endpoint.isAnthropic ? 'Anthropic' : hostOf(url),
    isDemo: false,
    async *stream(request, signal) {
      const watch = watchFetch(host.web.fetch, patience);
      const line = Object.assign(idle.pop() ?? {}, { watch });
      try {
        yield* streamMessage(request, signal, line, { ...endpoint, model: request.model }, patience);
      } finally {
        idle.push(line);
      }
    },
    async models() {
      try {
        listed ??= await listModels(endpoint, host.web.fetch);
      } catch (error) {
        host.log.warn(`The models could not be listed: ${faultOf(error, endpoint).message}`);
      }
      return listed?.length ? listed : BUNDLED_MODELS;
    },
  };
}

/** A client that serves one request at a time, each with a watch of its own. It is used again: making one can be felt before each request. */
interface Line {
  client?: Anthropic;
  watch: Watch;
  /** Resolves when the answer before is over, or has been given up: the connection serves the next request only then. */
  isFree?: Promise<void>;
}

async function* streamMessage(
  request: ModelRequest,
  signal: AbortSignal,
  line: Line,
  endpoint: Endpoint,
  patience: Patience,
): AsyncGenerator<ModelEvent> {
  const { watch } = line;
  const ended = new AbortController();
  const release = onAbort(signal, () => ended.abort());
  let reader: BodyReader | undefined;
  let isComplete = false;
  try {
    await line.isFree;
    const client = (line.client ??= await connect(
      endpoint,
      (input, init) => line.watch.fetch(input, init),
      patience.headerMs,
    ));
    const response = await client
      .post('/v1/messages', { body: requestBody(request), headers: JSON_BODY, signal: ended.signal })
      .asResponse();
    if (!response.body || !isEventStream(response))
      throw notApiFault(response.headers.get('content-type') ?? '', endpoint);
    reader = watch.reader(response.body);
    for await (const event of readMessage(reader, endpoint)) {
      isComplete = event.type === 'stop';
      yield event;
    }
  } catch (error) {
    if (signal.aborted) throw new ProviderFault('aborted', 'Stopped.');
    throw watch.fault() ?? faultOf(error, endpoint);
  } finally {
    release();
    // The turn goes on meanwhile.
    if (isComplete && reader) line.isFree = endSoon(reader).finally(() => ended.abort());
    else ended.abort();
  }
}

/** Ends with the event `stop`. */
async function* readMessage(reader: BodyReader, endpoint: Endpoint): AsyncGenerator<ModelEvent> {
  const decoder = new EventDecoder();
  const message = new MessageAccumulator();
  for (;;) {
    const bytes = await reader.read();
    if (!bytes) break;
    for (const sent of decoder.push(bytes)) {
      for (const made of message.add(rawEvent(sent, endpoint))) {
        yield made;
        if (made.type === 'stop') return;
      }
    }
  }
  const rest = message.endOfStream();
  yield* rest;
  if (rest.length > 0) return;
  throw new ProviderFault('network', `The connection to ${endpoint.url} ended before the answer was complete.`);
}

function rawEvent({ event, data }: SentEvent, endpoint: Endpoint): RawMessageStreamEvent {
  if (event === 'error') throw sentFault(data, endpoint);
  return Object(JSON.parse(data)) as RawMessageStreamEvent;
}

/** Resolves when the answer is over, never rejects. Some endpoints leave the connection open; nobody should have to wait for them. */
async function endSoon(reader: BodyReader): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<void>((resolve) => (timer = setTimeout(resolve, END_GRACE_MS)));
  await Promise.race([readToEnd(reader), tooLate]);
  clearTimeout(timer);
}

async function readToEnd(reader: BodyReader): Promise<void> {
  try {
    while (await reader.read());
    // Node's fetch takes the socket back a cycle later; a request before that would open another connection.
    await new Promise((resolve) => setImmediate(resolve));
  } catch {
    // The answer was complete; a connection that breaks after it is of no use to anybody.
  }
}

async function listModels(endpoint: Endpoint, fetchIt: typeof fetch): Promise<readonly ModelInfo[]> {
  const client = await connect(endpoint, watchFetch(fetchIt, LIST_PATIENCE).fetch, LIST_PATIENCE.headerMs);
  const models: ModelInfo[] = [];
  for await (const listed of client.models.list({ limit: 100 })) {
    const model = readModel(listed);
    if (model) models.push(model);
    if (models.length >= LISTED_MODELS_MAX) break;
  }
  return models;
}

/** Everything that the client could read from the environment is given. */
async function connect(
  { url, apiKey, isAnthropic }: Endpoint,
  fetchIt: typeof fetch,
  timeoutMs: number,
): Promise<Anthropic> {
  const { Anthropic: Client } = await import('@anthropic-ai/sdk');
  const options: ClientOptions = {
    baseURL: url,
    // An empty key is a given one: the SDK then looks for no other in the environment or on the disk.
    apiKey: apiKey ?? '',
    webhookKey: null,
    defaultHeaders: authHeaders(apiKey, isAnthropic),
    maxRetries: 0,
    // Past our own, which tells what happened.
    timeout: timeoutMs * 2,
    fetch: fetchIt,
    // Keys and conversations do not belong into anybody's log.
    logLevel: 'off',
    openTelemetry: false,
  };
  return new Client(options);
}

/**
 * The SDK sends the key as `Authorization: Bearer`, which Anthropic takes. Of the compatible endpoints some look there
 * (vLLM, LM Studio), some at `x-api-key` (gateways made for older SDKs): they get both. Without a key neither is sent.
 */
function authHeaders(apiKey: string | undefined, isAnthropic: boolean): Record<string, string | null> {
  if (!apiKey) return { authorization: null };
  return isAnthropic ? {} : { 'x-api-key': apiKey };
}

/** People paste addresses with the version or the whole path. */
export function normaliseUrl(written: string): string {
  const url = written
    .trim()
    .replace(/\/+$/, '')
    .replace(/(\/v1)?(\/messages)?$/, '')
    .replace(/\/+$/, '');
  return url === '' || /^[a-z][a-z\d+.-]*:\/\//i.test(url) ? url : `http://${url}`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
