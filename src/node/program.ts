// Starts a program that is talked to over its pipes, in a process group of its own: nothing of it outlives its end (R54).
import { existsSync } from 'node:fs';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { messageOf } from '../common/errors';
import type { Program, ProgramSpec, StartProgram } from '../core/program';
import { marksOf } from './environment';
import { orphanGuard } from './orphanGuard';
import { ProcessTree } from './processTree';

/** How long a program may take to end once its input is closed, before it is asked with a signal. */
const INPUT_GRACE_MS = 2_000;
/** How long inherited pipes may keep an ended program open. Source: design section 7. */
const DRAIN_MS = 200;

/** All that a program gets of our environment: keys and tokens of the person's are none of its business (S61). */
const PASSED_ON = ['PATH', 'HOME', 'LANG'];
/** Without these nothing starts on Windows. */
const PASSED_ON_WINDOWS = [
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'PATHEXT', 'TEMP', 'TMP'],
  ...['USERPROFILE', 'APPDATA', 'LOCALAPPDATA', 'PROGRAMFILES', 'PROGRAMDATA'],
];

export function programStarter(env: NodeJS.ProcessEnv = process.env): StartProgram {
  return async (spec) => {
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(spec.command, spec.args ?? [], {
        shell: spec.args === undefined,
        cwd: spec.cwd,
        env: { ...passedOn(env), ...spec.env, ...marksOf(spec.id) },
        detached: process.platform !== 'win32',
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
      });
    } catch (error) {
      // An argument with a null character, for one.
      return { ok: false, reason: messageOf(error) };
    }
    const { pid } = child;
    if (pid === undefined) {
      const error = await new Promise<NodeJS.ErrnoException>((resolve) => child.once('error', resolve));
      return { ok: false, reason: error.code === 'ENOENT' ? missing(spec) : messageOf(error) };
    }
    return { ok: true, program: attend(child, pid, spec) };
  };
}

/** The system says the same of a missing program and of a missing folder to start it in. */
function missing({ command, cwd }: ProgramSpec): string {
  return existsSync(cwd) ? `there is no program ${command} on the PATH` : `there is no folder ${cwd}`;
}

function passedOn(env: NodeJS.ProcessEnv): Record<string, string> {
  const names = process.platform === 'win32' ? [...PASSED_ON, ...PASSED_ON_WINDOWS] : PASSED_ON;
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && names.includes(process.platform === 'win32' ? name.toUpperCase() : name)
        ? [[name, value] as const]
        : [],
    ),
  );
}

function attend(child: ChildProcessWithoutNullStreams, pid: number, spec: ProgramSpec): Program {
  const { stdin, stdout, stderr } = child;
  stdout.on('data', (bytes: Buffer) => spec.onOutput(bytes));
  stderr.on('data', (bytes: Buffer) => spec.onErrorOutput(bytes));
  // A broken pipe is told to whoever writes; as an event without a listener it would end us.
  for (const stream of [stdin, stdout, stderr]) stream.on('error', () => {});
  child.on('error', () => {});

  orphanGuard()?.add(pid);
  const drained = Promise.all([stdout, stderr].map((stream) => new Promise((done) => stream.once('close', done))));
  const exited = new Promise<[how: string, code?: number]>((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(code === null ? [signal ?? 'no exit code'] : [`exit code ${code}`, code]),
    );
  });
  const gone = exited.then(async (exit) => {
    await Promise.race([drained, pause(DRAIN_MS)]);
    await endAll(pid, spec.id);
    orphanGuard()?.remove(pid);
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    spec.onExit(...exit);
  });
  let ending: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    // One whose input was closed before has had its time.
    const mayStillEnd = !stdin.writableEnded;
    stdin.end();
    if (mayStillEnd) await Promise.race([exited, pause(INPUT_GRACE_MS)]);
    if (child.exitCode === null && child.signalCode === null) await endAll(pid, spec.id);
    await gone;
  };
  return {
    write: (text) =>
      new Promise((resolve, reject) => {
        stdin.write(text, (error) => (error ? reject(error) : resolve()));
      }),
    closeInput: () => void stdin.end(),
    end: () => (ending ??= end()),
  };
}

async function endAll(pid: number, runId: string): Promise<void> {
  await new ProcessTree({ pid, runId }).end();
}

/** Does not keep us alive. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms).unref());
}
