// A model behind the Anthropic Messages API: Anthropic's own endpoint, or any that speaks the same.
import type Anthropic from '@anthropic-ai/sdk';
import type { ClientOptions } from '@anthropic-ai/sdk';
import type { Stream } from '@anthropic-ai/sdk/core/streaming';
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Host } from '../host';
import { MessageAccumulator } from './accumulate';
import { faultOf, notApiFault, type Endpoint } from './faults';
import { BUNDLED_MODELS, readModel } from './models';
import { apiRequest } from './request';
import { ProviderFault, type ModelEvent, type ModelInfo, type ModelRequest, type Provider } from './types';
import { PATIENCE, watchFetch, type Patience } from './watch';

const ANTHROPIC_URL = 'https://api.anthropic.com';

export interface AnthropicOptions {
  readonly host: Pick<Host, 'web' | 'log'>;
  /** As the person wrote it; empty: Anthropic's own. */
  readonly baseUrl: string;
  /** Local endpoints need none. */
  readonly apiKey?: string;
  readonly patience?: Patience;
}

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
  watch: ReturnType<typeof watchFetch>;
}

async function* streamMessage(
  request: ModelRequest,
  signal: AbortSignal,
  line: Line,
  endpoint: Endpoint,
  patience: Patience,
): AsyncGenerator<ModelEvent> {
  const { watch } = line;
  try {
    const client = (line.client ??= await connect(
      endpoint,
      (input, init) => line.watch.fetch(input, init),
      patience.headerMs,
    ));
    const { data, response } = await client.messages.create(apiRequest(request), { signal }).withResponse();
    const contentType = response.headers.get('content-type') ?? '';
    if (!contentType.includes('text/event-stream')) {
      data.controller.abort();
      throw notApiFault(contentType, endpoint);
    }
    yield* readMessage(data, endpoint);
  } catch (error) {
    if (signal.aborted) throw new ProviderFault('aborted', 'Stopped.');
    throw watch.fault() ?? faultOf(error, endpoint);
  }
}

/** The last event comes when the answer is over, so that the connection can serve the next request. */
async function* readMessage(data: Stream<RawMessageStreamEvent>, endpoint: Endpoint): AsyncGenerator<ModelEvent> {
  const message = new MessageAccumulator();
  const events = data[Symbol.asyncIterator]();
  let isOver = false;
  try {
    for (;;) {
      const next = await events.next();
      // The SDK ends quietly both when it is aborted and when the answer just ends.
      for (const made of next.done ? message.endOfStream() : message.add(Object(next.value) as RawMessageStreamEvent)) {
        if (made.type === 'stop') isOver = next.done === true || (await endsSoon(events));
        yield made;
        if (made.type === 'stop') return;
      }
      if (next.done)
        throw new ProviderFault('network', `The connection to ${endpoint.url} ended before the answer was complete.`);
    }
  } finally {
    if (!isOver) data.controller.abort();
  }
}

/** Some endpoints leave the connection open after the last event; nobody should have to wait for them. */
async function endsSoon(events: AsyncIterator<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<boolean>((resolve) => (timer = setTimeout(() => resolve(false), END_GRACE_MS)));
  const end = events.next().then(
    ({ done }) => done === true,
    () => false,
  );
  return Promise.race([end, tooLate]).finally(() => clearTimeout(timer));
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
