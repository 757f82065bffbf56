// Starts a program that is talked to over its pipes, in a process group of its own: nothing of it outlives its end (R54).
import { existsSync } from 'node:fs';
import { delimiter } from 'node:path';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { messageOf } from '../common/errors';
import type { Path } from '../core/host';
import type { Program, ProgramSpec, StartProgram } from '../core/program';
import { programLine, shellLine, type CommandLineOrProblem } from './commandLine';
import { marksOf } from './environment';
import { orphanGuard } from './orphanGuard';
import { ProcessTree } from './processTree';
import { findProgram, foldersOf, inWorkspace, type IsOurs } from './searchPath';

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

export interface ProgramStarterParts {
  /** What is passed on of it is little. */
  readonly env?: NodeJS.ProcessEnv;
  /** The workspace's folders, in which no program is looked for (S12). */
  readonly roots?: () => readonly { readonly path: Path }[];
}

export function programStarter({ env = process.env, roots = () => [] }: ProgramStarterParts = {}): StartProgram {
  return async (spec) => {
    const isOurs = inWorkspace(roots().map(({ path }) => path));
    const surroundings = { ...passedOn(env, isOurs), ...spec.env, ...marksOf(spec.id) };
    const line = commandLineOf(spec, surroundings, isOurs);
    if ('problem' in line) return { ok: false, reason: line.problem };
    let child: ChildProcessWithoutNullStreams;
    try {
      child = spawn(line.file, line.args, {
        cwd: spec.cwd,
        env: surroundings,
        detached: process.platform !== 'win32',
        stdio: ['pipe', 'pipe', 'pipe'],
        windowsHide: true,
        windowsVerbatimArguments: line.isQuoted === true,
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

/** What systems take where PATH is not set. */
const USUAL_PATH = '/usr/bin:/bin';

/** The PATH is that of the program's own surroundings, as a setting may name one, but for what lies in the workspace. */
function commandLineOf(spec: ProgramSpec, env: Record<string, string>, isOurs: IsOurs): CommandLineOrProblem {
  const { command, args, cwd } = spec;
  if (args === undefined) return shellLine(command, process.platform, process.env);
  const [, path = USUAL_PATH] = Object.entries(env).find(([name]) => isPath(name)) ?? [];
  const { outside: folders } = foldersOf(path, isOurs);
  const file = findProgram(command, { folders, cwd, extensions: env['PATHEXT'] });
  if (file === undefined) return { problem: missing(spec) };
  return programLine(file, args, process.platform, process.env);
}

function isPath(name: string): boolean {
  return process.platform === 'win32' ? name.toUpperCase() === 'PATH' : name === 'PATH';
}

/** The system says the same of a missing program and of a missing folder to start it in. */
function missing({ command, cwd }: ProgramSpec): string {
  return existsSync(cwd)
    ? `there is no program ${command} on the PATH (outside the workspace)`
    : `there is no folder ${cwd}`;
}

function passedOn(env: NodeJS.ProcessEnv, isOurs: IsOurs): Record<string, string> {
  const names = process.platform === 'win32' ? [...PASSED_ON, ...PASSED_ON_WINDOWS] : PASSED_ON;
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && names.includes(process.platform === 'win32' ? name.toUpperCase() : name)
        ? [[name, isPath(name) ? foldersOf(value, isOurs).outside.join(delimiter) : value] as const]
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
