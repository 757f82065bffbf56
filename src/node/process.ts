// Runs one program in a process group of its own: complete output, a certain end, nothing left behind.
import { spawn, type ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import { messageOf } from '../common/errors';
import { errorCode } from './files';
import { orphanGuard } from './orphanGuard';
import { ProcessTree } from './processTree';
import type { Pty } from './pty';

export interface ProcessRun {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Holds the run's marker, see `commandEnvironment`. */
  readonly env: Readonly<Record<string, string>>;
  readonly runId: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Aborts when the time limit is lifted. */
  readonly released?: AbortSignal;
  /** The terminal that the program opens by its path; without one, it writes to pipes and has no input. */
  readonly pty?: Pty;
  /** Stdout and stderr as they come. A promise holds the program back until it resolves; it must not reject. */
  onOutput(bytes: Uint8Array): void | Promise<void>;
  /** What the program writes to file descriptor 3. True: it waits there for a line, which comes once it is known what it leaves running. */
  onNote?(bytes: Uint8Array): boolean;
  onStart?(tree: ProcessTree): void;
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

/** A terminal is let go once nothing more comes: with the last program gone, what it holds may be lost. */
const QUIET_MS = 5;

/** Never rejects. Resolves on exit, never waits for a pipe that a child keeps open (R41). */
export async function runProcess(run: ProcessRun): Promise<ProcessEnd> {
  try {
    return await attend(start(run), run);
  } catch (error) {
    run.pty?.release();
    run.pty?.output.destroy();
    // Some things that cannot be started are told by an event, others by an exception.
    return { ok: false, reason: errorCode(error) === 'E2BIG' ? TOO_LONG : messageOf(error) };
  }
}

/** Linux takes 128 KB for one argument. */
const TOO_LONG = 'the command is longer than the system takes. Put it into a file with write, and run that';

function start(run: ProcessRun): ChildProcess {
  const output = run.pty ? 'ignore' : 'pipe';
  return spawn(run.file, run.args, {
    cwd: run.cwd,
    env: run.env,
    detached: process.platform !== 'win32',
    stdio: ['ignore', output, output, run.onNote ? 'pipe' : 'ignore'],
    windowsHide: true,
  });
}

function attend(child: ChildProcess, run: ProcessRun): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const { pty } = run;
    const notes = child.stdio[3] as Duplex | null | undefined;
    const outputs = (pty ? [pty.output] : [child.stdout, child.stderr]).filter((stream) => stream !== null);
    const streams = [...outputs, ...(notes ? [notes] : [])];
    const drained = Promise.all(streams.map(ended));
    const tree = new ProcessTree({ pid: child.pid ?? 0, runId: run.runId });
    let why: 'timeout' | 'stopped' | 'output' | undefined;
    let ending: Promise<number> | undefined;
    let holding: Promise<void> | undefined;
    let leaving = Promise.resolve(0);
    let writtenBytes = 0;
    let hasExited = false;

    const end = (reason: NonNullable<typeof why>) => {
      if (why !== undefined || child.pid === undefined) return;
      why = reason;
      ending = tree.end();
    };
    const stop = () => end('stopped');
    const timer = run.released?.aborted ? undefined : setTimeout(() => end('timeout'), run.timeoutMs);
    const lift = () => clearTimeout(timer);
    run.released?.addEventListener('abort', lift);
    run.signal.addEventListener('abort', stop);
    if (child.pid !== undefined) {
      orphanGuard()?.add(child.pid);
      tree.watch();
      run.onStart?.(tree);
    }
    if (run.signal.aborted) stop();

    const pass = (bytes: Buffer) => {
      const held = writtenBytes < OUTPUT_MAX_BYTES ? run.onOutput(bytes) : undefined;
      writtenBytes += bytes.length;
      if (writtenBytes >= OUTPUT_MAX_BYTES) end('output');
      return held;
    };
    for (const stream of outputs) {
      stream.on('data', (bytes: Buffer) => {
        const held = pass(pty ? pty.read(bytes) : bytes);
        if (!held) return;
        // A terminal without a program fails, and what is held back in it then is lost: but that is little.
        if (!(pty && hasExited)) stream.pause();
        holding = held.then(() => void stream.resume());
      });
    }
    notes?.on('data', (bytes: Buffer) => {
      if (!run.onNote?.(bytes)) return;
      leaving = tree.others();
      void leaving.then(() => notes.write('\n'));
    });
    // It may be gone before it is answered.
    notes?.on('error', () => undefined);

    /** Nothing writes any more: what is held back still comes, as fast as it is taken. */
    const drainRest = async () => {
      for (let before = -1; before < writtenBytes && why !== 'output';) {
        before = writtenBytes;
        await holding;
        await Promise.race([drained, pause(DRAIN_MS)]);
      }
    };
    const settle = (result: ProcessEnd) => {
      if (child.pid !== undefined) orphanGuard()?.remove(child.pid);
      lift();
      run.released?.removeEventListener('abort', lift);
      run.signal.removeEventListener('abort', stop);
      for (const stream of streams) stream.destroy();
      resolve(result);
    };
    child.on('error', (error) => {
      if (child.pid !== undefined) return;
      pty?.release();
      settle({ ok: false, reason: messageOf(error) });
    });
    child.on('exit', (code, signal) => {
      lift();
      void (async () => {
        await holding;
        hasExited = true;
        pty?.output.resume();
        if (pty) await quiet(() => writtenBytes);
        pty?.release();
        await Promise.race([drained, pause(DRAIN_MS)]);
        // Where the run had a terminal, what it left running was hung up with it: what was there before counts too.
        const [left, hungUp] = await Promise.all([ending ?? tree.end(), leaving]);
        await drainRest();
        const rest = pty?.rest();
        if (rest && rest.length > 0) await pass(rest);
        settle({
          ok: true,
          code,
          ...(signal ? { signal } : {}),
          timedOut: why === 'timeout',
          wasStopped: why === 'stopped',
          wroteTooMuch: why === 'output',
          leftRunning: why === undefined ? Math.max(left, hungUp) : 0,
        });
      })();
    });
  });
}

/** Resolves when nothing has come for a moment, or too much comes. */
async function quiet(count: () => number): Promise<void> {
  let before = -1;
  for (let waitedMs = 0; before < count() && waitedMs < DRAIN_MS; waitedMs += QUIET_MS) {
    before = count();
    await pause(QUIET_MS);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function ended(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.on('end', resolve);
    stream.on('close', resolve);
    stream.on('error', () => resolve());
  });
}
