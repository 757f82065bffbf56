// Serves a scenario from a JSON file, for demonstrations and runs by hand; prints its URL, then one line per request.
//
//   node esbuild.mjs --tests test/support/model-server
//   node out/test/support/model-server/serve.js SCENARIO.json [--port 8787] [--key KEY] [--set NAME=VALUE]...
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { parseScenario } from './load';
import { startModelServer, type ModelServer, type RecordedRequest } from './server';

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { port: { type: 'string' }, key: { type: 'string' }, set: { type: 'string', multiple: true } },
  });
  const [file] = positionals;
  if (file === undefined || positionals.length > 1) throw new Error('Name one scenario file: serve SCENARIO.json');
  const server = await startModelServer(parseScenario(await readFile(file, 'utf8')), {
    port: portOf(values.port ?? '0'),
    ...(values.key === undefined ? {} : { apiKey: values.key }),
    placeholders: Object.fromEntries((values.set ?? []).map(pairOf)),
  });
  console.log(server.url);
  let stopped = false;
  const stop = (): void => {
    stopped = true;
    void server.close();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  await printRequests(server).catch((error: unknown) => {
    if (!stopped) throw error;
  });
}

/** Prints each request once it is known how it is answered; ends only when the server closes. */
async function printRequests(server: ModelServer): Promise<void> {
  for (let at = 0; ; at += 1) {
    await server.until(() => isDecided(server.requests[at]));
    const { method, path, status, problem } = server.requests[at] as RecordedRequest;
    console.log(`${method} ${path} → ${String(status ?? 'no answer')}${problem === undefined ? '' : `: ${problem}`}`);
  }
}

function isDecided(request: RecordedRequest | undefined): boolean {
  return request !== undefined && (request.status !== undefined || request.outcome !== 'open');
}

function portOf(given: string): number {
  const port = Number(given);
  if (Number.isInteger(port) && port >= 0 && port < 65536) return port;
  throw new Error(`--port must be a number from 0 to 65535, not ${given}.`);
}

function pairOf(given: string): [string, string] {
  const at = given.indexOf('=');
  if (at < 1) throw new Error(`--set takes NAME=VALUE, not ${given}.`);
  return [given.slice(0, at), given.slice(at + 1)];
}

await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
