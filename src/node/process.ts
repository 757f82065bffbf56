// Runs one program in a process group of its own: complete output, a certain end, nothing left behind.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Readable } from 'node:stream';
import { messageOf } from '../common/errors';
import { errorCode } from './files';
import { endTree } from './processTree';

export interface ProcessRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Holds the run's marker, see `commandEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Stdout and stderr as they come. A promise holds the program back until it resolves; it must not reject. */
  onOutput(bytes: Uint8Array): void | Promise<void>;
  /** What the program writes to file descriptor 3. */
  onNote?(bytes: Uint8Array): void;
}

export type ProcessEnd =
  | {
      readonly ok: true;
      /** Null when a signal ended it. */
      readonly code: number | null;
      readonly signal?: string;
      readonly timedOut: boolean;
      readonly wasStopped: boolean;
      readonly wroteTooMuch: boolean;
      readonly leftRunning: number;
    }
  | { readonly ok: false; readonly reason: string };

/** The store keeps this much of one output; a program that writes more is ended. */
const OUTPUT_MAX_BYTES = 1024 * 1024 * 1024;

/** How long inherited pipes may keep a finished run open. Source: design section 7. */
const DRAIN_MS = 200;

/** Never rejects. Resolves on exit, never waits for a pipe that a child keeps open (R41). */
export async function runProcess(run: ProcessRun): Promise<ProcessEnd> {
  try {
    return await attend(start(run), run);
  } catch (error) {
    // Some things that cannot be started are told by an event, others by an exception.
    return { ok: false, reason: errorCode(error) === 'E2BIG' ? TOO_LONG : messageOf(error) };
  }
}

/** Linux takes 128 KB for one argument. */
const TOO_LONG = 'the command is longer than the system takes. Put it into a file with write, and run that';

function start(run: ProcessRun): ChildProcess {
  return spawn(run.file, run.args, {
    cwd: run.cwd,
    env: run.env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', 'pipe', 'pipe', run.onNote ? 'pipe' : 'ignore'],
    windowsHide: true,
  });
}

function attend(child: ChildProcess, run: ProcessRun): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const streams = child.stdio.slice(1).filter((stream) => stream !== null) as Readable[];
    const drained = Promise.all(streams.map(ended));
    let why: 'timeout' | 'stopped' | 'output' | undefined;
    let ending: Promise<number> | undefined;
    let holding: Promise<void> | undefined;
    let writtenBytes = 0;

    const end = (reason: NonNullable<typeof why>) => {
      if (why !== undefined || child.pid === undefined) return;
      why = reason;
      ending = endTree({ pid: child.pid, runId: run.runId });
    };
    const stop = () => end('stopped');
    const timer = setTimeout(() => end('timeout'), run.timeoutMs);
    run.signal.addEventListener('abort', stop);
    if (run.signal.aborted) stop();

    const listen = (stream: Readable | null) => {
      stream?.on('data', (bytes: Buffer) => {
        const held = writtenBytes < OUTPUT_MAX_BYTES ? run.onOutput(bytes) : undefined;
        writtenBytes += bytes.length;
        if (writtenBytes >= OUTPUT_MAX_BYTES) end('output');
        if (!held) return;
        stream.pause();
        holding = held.then(() => void stream.resume());
      });
    };
    listen(child.stdout);
    listen(child.stderr);
    (child.stdio[3] as Readable | null | undefined)?.on('data', (bytes: Buffer) => run.onNote?.(bytes));

    const settle = (result: ProcessEnd) => {
      clearTimeout(timer);
      run.signal.removeEventListener('abort', stop);
      for (const stream of streams) stream.destroy();
      resolve(result);
    };
    child.on('error', (error) => {
      if (child.pid === undefined) settle({ ok: false, reason: messageOf(error) });
    });
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      void (async () => {
        await holding;
        await Promise.race([drained, new Promise((done) => setTimeout(done, DRAIN_MS))]);
        const leftRunning = await (ending ?? endTree({ pid: child.pid ?? 0, runId: run.runId }));
        settle({
          ok: true,
          code,
          ...(signal ? { signal } : {}),
          timedOut: why === 'timeout',
          wasStopped: why === 'stopped',
          wroteTooMuch: why === 'output',
          leftRunning: why === undefined ? leftRunning : 0,
        });
      })();
    });
  });
}

function ended(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('end', resolve);
    stream.on('close', resolve);
    stream.on('error', () => resolve());
  });
}
