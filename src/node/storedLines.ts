// Looking through stored files: ripgrep as a sieve, and plain reading where there is none.
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { StoredLine, StoredQuery } from '../core/store';
import { runRipgrep } from './ripgrep';

/** Below what any system takes as a command line. */
const ARGS_MAX_CHARS = 24_000;
const TIMEOUT_MS = 120_000;

/** The names are paths below `folder`. Rejects when the search program fails. */
export async function* storedLines(
  folder: string,
  query: StoredQuery,
  signal: AbortSignal,
): AsyncGenerator<StoredLine> {
  for (const names of inCommandLines(query.names)) {
    if (signal.aborted) return;
    yield* sift(folder, { ...query, names }, signal);
  }
}

function* inCommandLines(names: readonly string[]): Generator<string[]> {
  let some: string[] = [];
  let chars = 0;
  for (const name of names) {
    if (chars > ARGS_MAX_CHARS) {
      yield some;
      some = [];
      chars = 0;
    }
    some.push(name);
    chars += name.length + 3;
  }
  if (some.length > 0) yield some;
}

async function* sift(folder: string, query: StoredQuery, signal: AbortSignal): AsyncGenerator<StoredLine> {
  const found: StoredLine[] = [];
  const stop = new AbortController();
  let wake = (): void => {};
  let hasBegun = false;
  let ended: { readonly problem?: string } | undefined;
  const running = runRipgrep({
    args: [...sieveArgs(query), '--', ...query.names],
    cwd: folder,
    signal: AbortSignal.any([signal, stop.signal]),
    separator: '\n',
    timeoutMs: TIMEOUT_MS,
    onLine(line) {
      const end = line.indexOf(0);
      found.push({ name: line.toString('utf8', 0, end), text: line.toString('utf8', end + 1) });
      hasBegun = true;
      wake();
      return 'more';
    },
  }).then((end) => {
    ended = end;
    wake();
  });
  try {
    for (;;) {
      yield* found.splice(0);
      if (ended) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (found.length > 0 || ended) resolve();
      });
    }
  } finally {
    stop.abort();
    await running;
  }
  if (ended.problem === undefined || signal.aborted) return;
  if (hasBegun) throw new Error(`The search in Lathe's own storage was not finished: ${ended.problem}`);
  yield* readThrough(folder, query, signal);
}

/** `--null` ends the name, so that any name can be told from its line. */
function sieveArgs({ head, text, maxPerFile }: StoredQuery): string[] {
  // Bytes where they will do: with Unicode everywhere it would take four times as long.
  const pattern = `(?-u)^${head}.*(?iu:${text})`;
  return [
    ...['--with-filename', '--null', '--no-heading', '--no-line-number', '--no-messages', '--no-ignore', '--text'],
    ...['--encoding=none', '--path-separator=/', `--max-count=${maxPerFile}`, `--regexp=${pattern}`],
  ];
}

/** Where ripgrep does not run. */
async function* readThrough(
  folder: string,
  { names, head, text: sought, maxPerFile }: StoredQuery,
  signal: AbortSignal,
): AsyncGenerator<StoredLine> {
  const start = new RegExp(`^${head}`, 'u');
  const rest = new RegExp(sought, 'iu');
  for (const name of names) {
    let count = 0;
    const input = createReadStream(join(folder, name));
    // One that has gone meanwhile, or cannot be read, holds nothing.
    input.on('error', () => lines.close());
    const lines = createInterface({ input, crlfDelay: Infinity });
    for await (const text of lines) {
      if (signal.aborted) return;
      const [begun] = start.exec(text) ?? [];
      if (begun === undefined || !rest.test(text.slice(begun.length))) continue;
      yield { name, text };
      if (++count === maxPerFile) break;
    }
    input.destroy();
  }
}
