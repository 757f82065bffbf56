// Turns whatever went wrong on the way to a model into one ProviderFault, worded for the person: what happened and what to do.
import { redact } from '../secrets/redact';
import { ProviderFault, type FaultKind } from './types';

/** Where the request went, for the words. */
export interface Endpoint {
  /** Without a trailing slash. */
  readonly url: string;
  /** Anthropic's own; else one the person has set. */
  readonly isAnthropic: boolean;
  /** The model that was asked for; absent when the models are listed. */
  readonly model?: string;
  /** Cut out of every message. */
  readonly apiKey?: string;
}

/** Source: [R01] a server may ask for hours. */
const RETRY_AFTER_MAX_MS = 60_000;
const EXCERPT_CHARS = 300;
const CAUSE_MAX_DEPTH = 5;

/** Shaped like the SDK's APIError, which is loaded lazily and so not at hand for `instanceof`. */
interface ApiErrorLike {
  /** Undefined for an `error` event in the stream, and when there was no answer at all. */
  readonly status?: number | undefined;
  readonly headers?: Headers | undefined;
  /** The parsed body; undefined when it was no JSON. */
  readonly error?: unknown;
  /** The API's name of the error, such as `overloaded_error`. */
  readonly type?: string | null;
}

/** `error` is what the SDK or fetch threw. */
export function faultOf(error: unknown, endpoint: Endpoint): ProviderFault {
  const chain = causes(error);
  const known = chain.find((cause) => cause instanceof ProviderFault);
  if (known) return known;
  const { status, headers, error: body, type } = Object(error) as ApiErrorLike;
  if (typeof status === 'number')
    return answerFault(status, { ...described({ error, body, type }, endpoint), headers }, endpoint);
  if (body !== undefined || (type !== undefined && type !== null))
    return eventFault(described({ error, body, type }, endpoint), endpoint);
  return networkFault(chain, endpoint);
}

/** `data` is what came with an `error` event, inside a stream that had begun well. */
export function sentFault(data: string, endpoint: Endpoint): ProviderFault {
  const body = parseJson(data) ?? data;
  const { error } = Object(body) as { readonly error?: unknown };
  const { type } = Object(error) as { readonly type?: unknown };
  return eventFault(described({ body, type: typeof type === 'string' ? type : undefined }, endpoint), endpoint);
}

/** The endpoint answered 200 with something that is no stream of events. */
export function notApiFault(contentType: string, endpoint: Endpoint): ProviderFault {
  const what = contentType.includes('html') ? 'a web page' : `“${contentType.split(';')[0] || 'nothing'}”`;
  const then = endpoint.isAnthropic
    ? 'A proxy or a network login may stand in between: open a browser and sign in, then try again.'
    : 'Check the setting lathe.baseUrl: it is the address without /v1/messages.';
  return new ProviderFault('not_api', `${endpoint.url} answered with ${what}, not with the Messages API. ${then}`);
}

interface Described {
  /** What the endpoint said, on one line; empty when it said nothing. */
  readonly said: string;
  readonly type: string;
  /** The body was JSON, as the API's errors are. */
  readonly isJson: boolean;
  readonly headers?: Headers | undefined;
}

interface Told {
  readonly error?: unknown;
  readonly body: unknown;
  readonly type: string | null | undefined;
}

function described({ error, body, type }: Told, endpoint: Endpoint): Described {
  const inner = (body as { error?: unknown } | undefined)?.error ?? body;
  const message = typeof inner === 'string' ? inner : (inner as { message?: unknown } | undefined)?.message;
  const raw = typeof message === 'string' ? message : error instanceof Error ? error.message : '';
  return { said: oneLine(raw, endpoint), type: type ?? '', isJson: typeof body === 'object' && body !== null };
}

function answerFault(status: number, answer: Described, endpoint: Endpoint): ProviderFault {
  const { said, isJson, headers } = answer;
  const make = (kind: FaultKind, message: string) =>
    new ProviderFault(kind, clean(message, endpoint), retryAfterMs(headers), status);
  const isPage = !isJson && /<(!doctype|html|head|body)\b/i.test(said);

  if (status === 401) return make('auth', `${refusedKey(endpoint)} (HTTP 401${isPage ? '' : quoted(said)}).`);
  if (status === 402 || /credit balance/i.test(said)) {
    return make('auth', `The account has no credit left${quoted(said)}. Add credit or set another API key.`);
  }
  if (status === 429) return make('busy', `The endpoint is limiting requests${quoted(said)}.`);
  if (status === 529) return make('busy', `The model is overloaded${quoted(said)}.`);
  if (status >= 500 || status === 408 || status === 409) {
    return make('server', `The endpoint had a problem of its own (HTTP ${status}${isPage ? '' : quoted(said)}).`);
  }
  if (status >= 300 && status < 400) return make('not_api', movedTo(headers?.get('location') ?? '', endpoint));
  if (isPage) return notApiFault('text/html', endpoint);
  if (status === 403) return make('auth', `The endpoint does not allow this${quoted(said)}. Check the API key.`);
  if (status === 404) return notFoundFault(status, answer, endpoint);
  if (status === 413 || isTooLong(said)) return make('prompt_too_long', tooLong(said));
  return make('invalid', `The endpoint refused the request (HTTP ${status}${quoted(said)}).`);
}

/** Not followed, since the key and the conversation would go along. */
function movedTo(location: string, { url, isAnthropic }: Endpoint): string {
  const target = URL.canParse(location, url) ? new URL(location, url).origin : 'another address';
  if (isAnthropic) return `${url} sends on to ${target}. A proxy or a network login may stand in between.`;
  return `${url} sends on to ${target}. If that is right, give the new address with the setting lathe.baseUrl.`;
}

function notFoundFault(status: number, { said, isJson }: Described, endpoint: Endpoint): ProviderFault {
  const { model, url } = endpoint;
  if (isJson && model !== undefined && /model/i.test(said)) {
    const message = `The endpoint does not know the model “${model}”. Choose one it serves with the setting lathe.model.`;
    return new ProviderFault('not_found', clean(message, endpoint), undefined, status);
  }
  const message = `Nothing answers to the Messages API at ${url} (HTTP 404${quoted(said)}). Check the setting lathe.baseUrl: it is the address without /v1/messages.`;
  return new ProviderFault('not_api', clean(message, endpoint), undefined, status);
}

/** An `error` event inside a stream that had begun well. */
function eventFault({ said, type }: Described, endpoint: Endpoint): ProviderFault {
  const make = (kind: FaultKind, message: string) => new ProviderFault(kind, clean(message, endpoint));
  if (type === 'overloaded_error' || type === 'rate_limit_error')
    return make('busy', `The model is overloaded${quoted(said)}.`);
  if (type === 'authentication_error' || type === 'permission_error')
    return make('auth', `${refusedKey(endpoint)}${quoted(said)}.`);
  if (type === 'request_too_large' || isTooLong(said)) return make('prompt_too_long', tooLong(said));
  if (type === 'invalid_request_error') return make('invalid', `The endpoint refused the request${quoted(said)}.`);
  return make('server', `The endpoint broke off its answer${quoted(said)}.`);
}

const UNTRUSTED_CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/;

function networkFault(chain: readonly Error[], endpoint: Endpoint): ProviderFault {
  const { url, isAnthropic } = endpoint;
  const code =
    chain.map((cause) => (cause as { code?: unknown }).code).find((value) => typeof value === 'string') ?? '';
  const make = (kind: FaultKind, message: string) => new ProviderFault(kind, clean(message, endpoint));
  // A certificate does not become right by waiting, so this one is not tried again.
  if (UNTRUSTED_CERTIFICATE.test(code)) {
    return make(
      'not_api',
      `The certificate of ${url} is not trusted (${code}). Check the address and the editor's proxy and certificate settings (http.*).`,
    );
  }
  if (code === 'ECONNREFUSED')
    return make('network', `Nothing listens at ${url} (connection refused). ${startHint(endpoint)}`);
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    const then = isAnthropic ? 'Check the internet connection.' : 'Check the connection and the setting lathe.baseUrl.';
    return make('network', `The address ${url} cannot be found. ${then}`);
  }
  if (/Invalid URL/i.test(chain.map(({ message }) => message).join('\n'))) {
    return make(
      'not_api',
      `“${url}” is not an address. Correct the setting lathe.baseUrl, for example http://localhost:11434.`,
    );
  }
  const deepest = chain.at(-1);
  // fetch never connects to the ports of other services, such as 1 or 25: waiting does not change that.
  if (deepest?.message === 'bad port') {
    return make(
      'not_api',
      `The port of ${url} is one that HTTP requests must not use. Correct the setting lathe.baseUrl, for example http://localhost:11434.`,
    );
  }
  const detail = code || oneLine(deepest?.message ?? '', endpoint);
  return make('network', `The connection to ${url} broke${detail ? ` (${detail})` : ''}.`);
}

/** Ports that the usual local servers listen on. */
const LOCAL_SERVERS: readonly (readonly [string, string])[] = [
  ['11434', 'Ollama'],
  ['1234', 'LM Studio'],
  ['8080', 'llama.cpp'],
  ['8000', 'vLLM'],
];

function startHint({ url, isAnthropic }: Endpoint): string {
  if (isAnthropic) return 'Check the internet connection and the editor’s proxy settings.';
  const { port = '', hostname = '' } = URL.canParse(url) ? new URL(url) : {};
  const isLocal = hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
  const server = LOCAL_SERVERS.find(([usual]) => usual === port)?.[1];
  if (isLocal && server) return `Is ${server} running? Start it, or correct the setting lathe.baseUrl.`;
  if (isLocal) return 'Is the model server running? Start it, or correct the setting lathe.baseUrl.';
  return 'Check the setting lathe.baseUrl.';
}

function refusedKey({ url, apiKey }: Endpoint): string {
  return apiKey ? `${url} does not accept the API key` : `${url} wants an API key`;
}

function isTooLong(said: string): boolean {
  return /prompt is too long|input is too long|too many (input )?tokens|context (length|window|size)|exceeds? .{0,40}context|maximum context/i.test(
    said,
  );
}

function tooLong(said: string): string {
  return `The conversation is longer than the model can take${quoted(said)}. Start a new session, or choose a model with a larger window.`;
}

/** Seconds, or milliseconds in `retry-after-ms`; a date or nonsense counts as none. */
function retryAfterMs(headers: Headers | undefined): number | undefined {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  const text = headers?.get('retry-after') ?? '';
  const seconds = /^\s*[\d.]+\s*$/.test(text) ? Number.parseFloat(text) : Number.NaN;
  const wanted = [ms, seconds * 1000].find((value) => Number.isFinite(value) && value >= 0);
  return wanted === undefined ? undefined : Math.min(wanted, RETRY_AFTER_MAX_MS);
}

/** The error and what caused it, outermost first; fetch hides the code of the system there. */
function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  let next = error;
  while (next instanceof Error && chain.length < CAUSE_MAX_DEPTH) {
    chain.push(next);
    // Node tries every address of a host and gathers what went wrong with each.
    next = next.cause ?? (next instanceof AggregateError ? next.errors[0] : undefined);
  }
  return chain;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function quoted(said: string): string {
  return said === '' ? '' : `: ${said}`;
}

function oneLine(text: string, { apiKey }: Endpoint): string {
  const known = apiKey ? text.replaceAll(apiKey, '[API key]') : text;
  // Before it is cut: half a key is not known for one any more.
  const line = redact(known).replace(/\s+/g, ' ').trim();
  return line.length > EXCERPT_CHARS ? `${line.slice(0, EXCERPT_CHARS)}…` : line;
}

/** Some endpoints quote the key they refuse. */
function clean(message: string, { apiKey }: Endpoint): string {
  const safe = apiKey ? message.replaceAll(apiKey, '[API key]') : message;
  return redact(safe.replace(/\.+(\s|$)/g, '.$1'));
}
