// Runs ripgrep: where its binary is, and its output line by line in bounded memory.
import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { messageOf } from '../common/errors';
import { scrubbedEnvironment } from './environment';
import { errorCode } from './files';

let found: string | undefined;

/**
 * The rg that ships with the extension (`dist/bin`), else the one of the installed package; looked up once, on first use.
 * Never one from PATH or the workspace (S12). Throws when there is none: the installation is broken.
 */
export function ripgrepPath(): string {
  found ??= shippedRipgrep() ?? installedRipgrep();
  return found;
}

const BINARY = process.platform === 'win32' ? 'rg.exe' : 'rg';
/** This code runs from `dist/`, `dist/chunks/` or, in tests, from `out/test/…`. */
const MAX_LEVELS_UP = 6;

function shippedRipgrep(): string | undefined {
  let folder = import.meta.dirname;
  for (let level = 0; level < MAX_LEVELS_UP; level++, folder = dirname(folder)) {
    for (const path of [join(folder, 'bin', BINARY), join(folder, 'dist/bin', BINARY)])
      if (existsSync(path)) return path;
  }
  return undefined;
}

function installedRipgrep(): string {
  const fromHere = createRequire(import.meta.url);
  const fromPackage = createRequire(fromHere.resolve('@vscode/ripgrep'));
  const platformPackage = `@vscode/ripgrep-${process.platform}-${process.arch}`;
  return join(dirname(fromPackage.resolve(`${platformPackage}/package.json`)), 'bin', BINARY);
}

export interface RipgrepRun {
  /** Without `--no-config` and `--color`, which are added. */
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly signal: AbortSignal;
  /** What ends a line of the output. */
  readonly separator: '\n' | '\0';
  /** Fed to its standard input; without it there is none. */
  readonly input?: AsyncIterable<string>;
  /** Ends the run after so long; by default after 30 s [T06]. */
  readonly timeoutMs?: number;
  /** Ends the run once it has kept its input waiting for so long in all. */
  readonly inputMs?: number;
  /** `enough` ends the run early. The next line waits for the answer. */
  onLine(line: Buffer): 'more' | 'enough' | Promise<'more' | 'enough'>;
}

export interface RipgrepEnd {
  /** In ripgrep's words, or why it was ended; absent when all went well, nothing found included. */
  readonly problem?: string;
  /** A line of its output was too long to be kept and was left out. */
  readonly lostLines: boolean;
  /** Ended by `inputMs`; what came by then counts. */
  readonly isLate: boolean;
}

/** Source: [T06]. */
const TIMEOUT_MS = 30_000;
const MAX_LINE_BYTES = 16 * 1024 * 1024;
const MAX_PROBLEM_CHARS = 2_000;

/** Never rejects. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  if (run.signal.aborted) return { problem: 'The search was stopped.', ...NOTHING };
  if (run.args.some((arg) => arg.includes('\0'))) return { problem: NUL_INSIDE, ...NOTHING };
  try {
    return await attend(start(run), run);
  } catch (error) {
    // Some things that cannot be started are told by an event, others by an exception.
    return { problem: errorCode(error) === 'E2BIG' ? TOO_LONG : notStarted(error), ...NOTHING };
  }
}

const NOTHING = { lostLines: false, isLate: false };
const NUL_INSIDE = 'A NUL character cannot be given as such: write \\x00 in the pattern.';
const TOO_LONG = 'The pattern is longer than the system takes (128 KB). Search for a part of it.';

function notStarted(error: unknown): string {
  return `The search program could not be started: ${messageOf(error)}`;
}

function start(run: RipgrepRun): ChildProcess {
  return spawn(ripgrepPath(), ['--no-config', '--color=never', ...run.args], {
    ...(run.cwd === undefined ? {} : { cwd: run.cwd }),
    env: scrubbedEnvironment(process.env),
    stdio: [run.input ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

function attend(child: ChildProcess, run: RipgrepRun): Promise<RipgrepEnd> {
  return new Promise((resolve, reject) => {
    const lines = createLineSplitter(run.separator.charCodeAt(0));
    let stderr = '';
    let ended: Ending | undefined;
    const end = (why: NonNullable<typeof ended>) => {
      ended ??= why;
      child.kill('SIGKILL');
    };
    const stop = () => end('stopped');
    const timeoutMs = run.timeoutMs ?? TIMEOUT_MS;
    const timer = setTimeout(() => end('timeout'), timeoutMs);
    const watch = createStopwatch(run.inputMs ?? TIMEOUT_MS, () => end('late'));
    run.signal.addEventListener('abort', stop);

    const read = async (some: Iterable<Buffer>): Promise<void> => {
      for (const line of some) {
        if (ended !== undefined) return;
        const answer = run.onLine(line);
        if ((typeof answer === 'string' ? answer : await answer) === 'enough') end('enough');
      }
    };
    const reading = readAll(child.stdout, async (chunk) => read(lines.push(chunk)));
    // What it throws is for whoever waits for the end.
    reading.catch(() => {});
    child.stderr?.on('data', (chunk: Buffer) => {
      if (stderr.length < MAX_PROBLEM_CHARS) stderr += chunk.toString();
    });
    if (run.input && child.stdin) void feed(child.stdin, watch.time(run.input));

    const settle = async (fault: string | undefined) => {
      await reading;
      await read(lines.rest());
      clearTimeout(timer);
      watch.stop();
      run.signal.removeEventListener('abort', stop);
      const problem = problemText(ended, timeoutMs) ?? fault;
      const isLate = ended === 'late';
      resolve({ ...(problem === undefined ? {} : { problem }), lostLines: lines.lost(), isLate });
    };
    child.on('error', (error) => void settle(notStarted(error)).catch(reject));
    // Exit 1 is "no match"; 2 with nothing on stderr is an unreadable file among others.
    child.on('close', (code, signal) => {
      const fault =
        signal && !ended
          ? `The search program was ended by ${signal} from outside. Try again.`
          : code === 0 || code === 1 || ended
            ? undefined
            : clean(stderr);
      settle(fault).catch(reject);
    });
  });
}

type Ending = 'enough' | 'timeout' | 'stopped' | 'late';

function problemText(ended: Ending | undefined, timeoutMs: number): string | undefined {
  if (ended === 'stopped') return 'The search was stopped.';
  if (ended !== 'timeout') return undefined;
  return `The search was ended after ${timeoutMs / 1000} s. Narrow it down to a folder, a glob or a type.`;
}

/** Without the program's name and its advice about flags that a caller cannot pass. */
function clean(stderr: string): string | undefined {
  const text = stderr
    .replace(/^rg: /gm, '')
    .replace(/\n*Consider enabling PCRE2[\s\S]*/, '')
    .replace(/\n*Consider enabling multiline mode[\s\S]*/, ' Set multiline for that.')
    .trim();
  return text === '' ? undefined : text.slice(0, MAX_PROBLEM_CHARS);
}

/** One piece after the other; what comes meanwhile waits. Ends with the stream, and quietly when that is torn down. */
async function readAll(stream: Readable | null, take: (chunk: Buffer) => Promise<void>): Promise<void> {
  if (!stream) return;
  let faulty: Error | undefined;
  try {
    for await (const chunk of stream) {
      await take(chunk as Buffer).catch((error: unknown) => {
        faulty ??= error instanceof Error ? error : new Error(messageOf(error));
      });
    }
  } catch {
    // Torn down with its program.
  }
  if (faulty !== undefined) throw faulty;
}

async function feed(stdin: NodeJS.WritableStream, input: AsyncIterable<string>): Promise<void> {
  // Ripgrep may end before it has read everything.
  await pipeline(input, stdin).catch(() => {});
}

/** Counts the time between a piece of input and the wish for the next one, and says when there has been too much of it. */
function createStopwatch(maxMs: number, onSpent: () => void) {
  let leftMs = maxMs;
  let startedMs = 0;
  let timer: NodeJS.Timeout | undefined;
  const start = (): void => {
    startedMs = performance.now();
    timer = setTimeout(onSpent, leftMs);
  };
  const stop = (): void => {
    clearTimeout(timer);
    leftMs -= performance.now() - startedMs;
  };
  async function* time(input: AsyncIterable<string>): AsyncIterable<string> {
    for await (const piece of input) {
      start();
      yield piece;
      stop();
    }
    start();
  }
  return { time, stop };
}

/** Pieces of a line are kept as they come and joined once, so that a long line costs no repeated copying. */
function createLineSplitter(separator: number) {
  let pieces: Buffer[] = [];
  let pendingBytes = 0;
  let isLosing = false;
  let hasLost = false;

  function keep(piece: Buffer): void {
    pendingBytes += piece.length;
    if (pendingBytes > MAX_LINE_BYTES) {
      isLosing = hasLost = true;
      pieces = [];
      return;
    }
    if (piece.length > 0) pieces.push(piece);
  }

  function take(): Buffer[] {
    const line = isLosing ? [] : [Buffer.concat(pieces)];
    pieces = [];
    pendingBytes = 0;
    isLosing = false;
    return line;
  }

  return {
    *push(chunk: Buffer): Generator<Buffer> {
      let start = 0;
      for (let at = chunk.indexOf(separator); at !== -1; at = chunk.indexOf(separator, start)) {
        keep(chunk.subarray(start, at));
        start = at + 1;
        yield* take();
      }
      keep(chunk.subarray(start));
    },
    rest: () => (pendingBytes > 0 ? take() : []),
    lost: () => hasLost,
  };
}
