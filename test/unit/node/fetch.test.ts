// What was judged is what is fetched: the address, the hops, and no more time or bytes than are wanted.
import assert from 'node:assert/strict';
import { createServer, request as httpRequest, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { fetchPinned, type FetchOptions } from '../../../src/node/fetch';

const START = { url: 'https://docs.example/a', address: '93.184.215.14' };

function check(what: string, listener: RequestListener, expected: object, options: Partial<FetchOptions> = {}): void {
  it(what, async () => {
    const server = createServer(listener);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    const connected = new Set<unknown>();
    // The socket goes to this machine, and asks for its address as any other would.
    const request: FetchOptions['request'] = (url, { lookup, headers = {}, signal }, onResponse) => {
      lookup?.(url.hostname, { all: true }, (_, found) => connected.add(JSON.stringify(found)));
      const to = { host: '127.0.0.1', port, path: url.pathname, headers };
      return httpRequest(signal ? { ...to, signal } : to, onResponse);
    };
    const fetched = await fetchPinned(START, { signal: new AbortController().signal, request, ...options });
    server.closeAllConnections();
    server.close();
    const shown = 'body' in fetched ? { ...fetched, body: Buffer.from(fetched.body).toString() } : fetched;
    assert.deepEqual({ fetched: shown, connected: [...connected] }, { fetched: expected, connected: [PINNED] });
  });
}

const PINNED = JSON.stringify([{ address: START.address, family: 4 }]);
const page = { kind: 'response', url: START.url, status: 200, type: 'text/plain', body: 'page' };
const plain = { 'content-type': 'text/plain' };

describe('S72 fetchPinned', () => {
  check('connects to the address that was judged', (_, res) => res.writeHead(200, plain).end('page'), page);
  check(
    'S71 follows on the same host, to the same address',
    (req, res) => {
      if (req.url === '/a') res.writeHead(302, { location: '/b' }).end();
      else res.writeHead(200, plain).end('page');
    },
    { ...page, url: 'https://docs.example/b' },
  );
  check('S71 tells another host', (_, res) => res.writeHead(301, { location: 'https://other.example/' }).end(), {
    kind: 'elsewhere',
    url: 'https://other.example/',
    reasons: ['It redirects to https://other.example/, which was not followed'],
  });
  check('S71 ends a loop', (_, res) => res.writeHead(302, { location: '/a' }).end(), {
    kind: 'failed',
    because: 'It redirects more than 5 times.',
  });
  check(
    'S75 unpacks',
    (_, res) => res.writeHead(200, { ...plain, 'content-encoding': 'gzip' }).end(gzipSync('page')),
    page,
  );
  const tooLarge = { kind: 'failed', because: 'It is larger than 1000 bytes.' };
  check(
    'S75 counts what is unpacked',
    (_, res) => res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(Buffer.alloc(100_000))),
    tooLarge,
    { maxBytes: 1000 },
  );
  check('S75 reads no endless body', (_, res) => flood(res), tooLarge, { maxBytes: 1000 });
  check(
    'S75 waits for no slow one',
    (_, res) => res.writeHead(200).write('.'),
    { kind: 'failed', because: 'It took longer than 0.05 s.' },
    { timeoutMs: 50 },
  );
});

function flood(response: Parameters<RequestListener>[1]): void {
  const more = (): void => {
    if (!response.destroyed) response.write('x'.repeat(10_000), () => setImmediate(more));
  };
  more();
}
