// Judges the cases about addresses: the guard with the case's names, then a request to a server that answers as the case says.
import { createServer, request as httpRequest, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { isPublicAddress } from '../../../src/core/net/address';
import { judgeUrl, type Lookup, type Pinned } from '../../../src/core/net/url';
import { fetchPinned, type Fetched, type FetchOptions } from '../../../src/node/fetch';
import type { Case, Judged } from './cases';

export interface UrlCase extends Case {
  readonly url: string;
  readonly rules?: readonly string[];
  /** The answers of one lookup after the other; the last one stays. */
  readonly dns?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly redirect?: readonly { readonly status?: number; readonly location: string }[];
  /** How the body comes, in a word or two: slow, endless, a bomb. */
  readonly behaviour?: string;
  readonly body?: string;
  /** The only address that may be connected to. */
  readonly must_connect?: string;
}

/** They stand for public addresses, of which a test has none (RFC 5737). */
const TEST_NETS = /^(192\.0\.2|198\.51\.100|203\.0\.113)\./;
const isPublic = (address: string): boolean => TEST_NETS.test(address) || isPublicAddress(address);

const LIMITS = { timeoutMs: 1_000, maxBytes: 256 * 1024 };

export async function judgeAddress(each: UrlCase): Promise<Judged> {
  const { url, rules = [], must_connect: mustConnect } = each;
  const verdict = await judgeUrl(url, { lookup: lookupIn(each.dns ?? {}), rules, isPublic });
  if (verdict.effect !== 'allow') return { got: verdict.effect };
  const connected: string[] = [];
  const fetched = await fetchFrom(each, verdict, connected);
  const wrong = connected.find((address) => address !== (mustConnect ?? verdict.address));
  if (wrong !== undefined) return { got: 'allow', fault: `it connected to ${wrong}` };
  if (connected.length === 0) return { got: 'allow', fault: 'it connected to nothing' };
  return { got: { response: 'allow', elsewhere: 'ask', failed: 'deny' }[fetched.kind] };
}

function lookupIn(names: NonNullable<UrlCase['dns']>): Lookup {
  const asked = new Map<string, number>();
  return (host) => {
    const count = asked.get(host) ?? 0;
    asked.set(host, count + 1);
    const answers = names[host]?.[count] ?? names[host]?.at(-1);
    return answers ? Promise.resolve(answers) : Promise.reject(new Error('no such name'));
  };
}

/** Over plain http, to this machine; where the product would have connected to is noted. */
async function fetchFrom(each: UrlCase, to: Pinned, connected: string[]): Promise<Fetched> {
  const hops = [...(each.redirect ?? [])];
  const server = createServer((_, response) => {
    const hop = hops.shift();
    if (hop) response.writeHead(hop.status ?? 302, { location: hop.location }).end();
    else answer(response, each);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const request: FetchOptions['request'] = (url, options, onResponse) => {
    options.lookup?.(url.hostname, {}, (_error, address) =>
      connected.push(typeof address === 'string' ? address : (address[0]?.address ?? '')),
    );
    const { headers, signal } = options;
    const { pathname: path } = url;
    return httpRequest(
      { host: '127.0.0.1', port, path, ...(headers ? { headers } : {}), ...(signal ? { signal } : {}) },
      onResponse,
    );
  };
  try {
    return await fetchPinned(to, { ...LIMITS, isPublic, request, signal: new AbortController().signal });
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function answer(response: ServerResponse, { behaviour = '', body = 'A page\n' }: UrlCase): void {
  const text = { 'content-type': 'text/html' };
  if (/slow|drip|hang|stall/i.test(behaviour)) {
    response.writeHead(200, text).write('.');
    return;
  }
  if (/bomb|gzip|zip/i.test(behaviour)) {
    response.writeHead(200, { ...text, 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(8 * LIMITS.maxBytes)));
    return;
  }
  if (/endless|infinite|huge|large|big/i.test(behaviour)) {
    response.writeHead(200, text);
    const more = (): void => {
      if (!response.destroyed) response.write('x'.repeat(64 * 1024), () => setImmediate(more));
    };
    more();
    return;
  }
  response.writeHead(200, text).end(body);
}
