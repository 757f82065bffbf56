// Fetches what was judged: by https, from exactly the address that was judged, and no more than is wanted of it.
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest, type RequestOptions } from 'node:https';
import { isIPv6, type LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { messageOf } from '../common/errors';
import { followRedirect, type Pinned } from '../core/net/url';

/** Sources: [S75]. */
const TIMEOUT_MS = 30_000;
const MAX_BYTES = 5 * 1024 * 1024;

export interface FetchOptions {
  readonly signal: AbortSignal;
  readonly isPublic?: (address: string) => boolean;
  readonly timeoutMs?: number;
  /** Of the decoded body. */
  readonly maxBytes?: number;
  /** By default Node's own for https. */
  readonly request?: (
    url: URL,
    options: RequestOptions,
    onResponse: (response: IncomingMessage) => void,
  ) => ClientRequest;
}

export type Fetched =
  | {
      readonly kind: 'response';
      readonly url: string;
      readonly status: number;
      readonly type: string;
      readonly body: Uint8Array;
    }
  /** It leads to a host nobody has allowed yet. */
  | { readonly kind: 'elsewhere'; readonly url: string; readonly reasons: readonly string[] }
  /** For the model. */
  | { readonly kind: 'failed'; readonly because: string };

/** Follows redirects on the same host. Never rejects. */
export async function fetchPinned(start: Pinned, options: FetchOptions): Promise<Fetched> {
  // One limit for all of it, so that no number of slow hops takes longer.
  const { timeoutMs = TIMEOUT_MS } = options;
  const limit = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([options.signal, limit]);
  try {
    return await follow(start, { ...options, signal });
  } catch (error) {
    if (limit.aborted) return fail(`It took longer than ${timeoutMs / 1000} s.`);
    return fail(options.signal.aborted ? 'The request was stopped.' : `The request failed: ${messageOf(error)}`);
  }
}

async function follow(start: Pinned, options: FetchOptions): Promise<Fetched> {
  let at = start;
  for (let count = 0; ; count++) {
    const response = await open(at, options);
    const status = response.statusCode ?? 0;
    const { location } = response.headers;
    if (status < 300 || status >= 400 || location === undefined) return read(response, at, options);
    response.destroy();
    const next = followRedirect(at, location, { count, ...(options.isPublic ? { isPublic: options.isPublic } : {}) });
    if (next.effect === 'deny') return fail(next.because);
    if (next.effect === 'ask') return { kind: 'elsewhere', url: next.url, reasons: next.reasons };
    at = next;
  }
}

function open({ url, address }: Pinned, { signal, request = httpsRequest }: FetchOptions): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'text/html,text/*;q=0.9,*/*;q=0.5', 'accept-encoding': 'gzip, deflate, br' };
    // No agent: a socket that is kept for a host may lead to another address.
    const sent = request(new URL(url), { headers, signal, agent: false, lookup: lookupTo(address) }, resolve);
    sent.on('error', reject);
    sent.end();
  });
}

function lookupTo(address: string): LookupFunction {
  const family = isIPv6(address) ? 6 : 4;
  return (_host, { all }, done) => (all === true ? done(null, [{ address, family }]) : done(null, address, family));
}

async function read(response: IncomingMessage, { url }: Pinned, options: FetchOptions): Promise<Fetched> {
  const { maxBytes = MAX_BYTES } = options;
  const body = decoded(response);
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) return fail(`It is larger than ${maxBytes} bytes.`);
      chunks.push(chunk);
    }
  } finally {
    response.destroy();
  }
  const { statusCode: status = 0, headers } = response;
  return { kind: 'response', url, status, type: headers['content-type'] ?? '', body: Buffer.concat(chunks) };
}

/** Unpacked as it comes, so that the limit holds for what it becomes. */
function decoded(response: IncomingMessage): Readable {
  const unpack = { gzip: createGunzip, deflate: createInflate, br: createBrotliDecompress }[
    response.headers['content-encoding'] ?? ''
  ];
  if (!unpack) return response;
  const body = unpack();
  response.on('error', (error) => body.destroy(error));
  return response.pipe(body);
}

function fail(because: string): Fetched {
  return { kind: 'failed', because };
}
