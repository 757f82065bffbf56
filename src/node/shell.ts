// The Shell port: each command in a fresh bash of its own, with pipes, no input, and nothing of the person's profile.
import { randomUUID } from 'node:crypto';
import { accessSync, constants } from 'node:fs';
import { stat } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import type { Shell, ShellCommand, ShellExit } from '../core/shell';
import { commandEnvironment } from './environment';
import { runProcess } from './process';

export interface ShellOptions {
  /** The environment that commands inherit, before it is scrubbed. */
  readonly env: NodeJS.ProcessEnv;
  /** Sees every byte of a run's output besides the command's own `onOutput`: a terminal that mirrors it. */
  readonly onOutput?: (command: ShellCommand, bytes: Uint8Array) => void;
}

export function createShell(options: ShellOptions): Shell {
  const program = findShell();
  return {
    name: program?.name ?? 'bash',
    run: (command) => runCommand(command, program, options),
  };
}

interface Program {
  readonly name: 'bash' | 'sh';
  readonly path: string;
}

async function runCommand(
  command: ShellCommand,
  program: Program | undefined,
  { env, onOutput }: ShellOptions,
): Promise<ShellExit> {
  if (!program) return { ok: false, reason: NO_SHELL };
  const folder = await stat(command.cwd).catch(() => undefined);
  if (!folder?.isDirectory()) {
    return {
      ok: false,
      reason: `The folder ${command.cwd} does not exist (any more). Run the command in another one.`,
    };
  }
  let notes = Buffer.alloc(0);
  // Other windows may run calls of the same id, and what carries the marker of a run is ended with it.
  const runId = `${command.call}-${randomUUID()}`;
  const end = await runProcess({
    ...commandLine(program, command.command),
    cwd: command.cwd,
    env: commandEnvironment(env, runId),
    runId,
    timeoutMs: command.timeoutMs,
    signal: command.signal,
    onOutput(bytes) {
      onOutput?.(command, bytes);
      return command.onOutput(bytes);
    },
    onNote: (bytes) => {
      notes = Buffer.concat([notes, bytes]).subarray(-NOTE_MAX_BYTES);
    },
  });
  if (!end.ok) return { ok: false, reason: `${program.path} could not be started: ${end.reason}.` };
  const { wroteTooMuch, leftRunning, ...exit } = end;
  return {
    ...exit,
    cwd: folderIn(notes) ?? command.cwd,
    ...(wroteTooMuch ? { wroteTooMuch } : {}),
    ...(leftRunning > 0 ? { leftRunning } : {}),
  };
}

/** More than any path is long. The command itself may write there too, and as much as it likes. */
const NOTE_MAX_BYTES = 16 * 1024;

/** Where the shell stood at its end: what follows the last NUL, since a folder's name may hold anything else. */
function folderIn(notes: Buffer): string | undefined {
  const start = notes.lastIndexOf(0);
  const folder = start === -1 ? '' : notes.toString('utf8', start + 1).replace(/\n$/, '');
  return isAbsolute(folder) ? folder : undefined;
}

/**
 * The trap tells on file descriptor 3 where the shell stood at its end. `eval` of an argument keeps it out of what the
 * command sees of itself: line numbers and error messages are the command's own.  The blank keeps a leading dash from being an option.
 */
const SCRIPT = `trap '{ printf "\\0"; pwd -P; } 2>/dev/null >&3' EXIT; __lathe=$1; shift; eval " $__lathe"`;

/** Joins stderr to stdout before the shell starts, so that both arrive in the order in which they were written. */
const JOIN_STREAMS = 'exec "$@" 2>&1';

function commandLine({ name, path }: Program, command: string) {
  const options = name === 'bash' ? ['--noprofile', '--norc'] : [];
  const args = [...options, '-c', SCRIPT, name, command];
  if (process.platform === 'win32') return { file: path, args };
  return { file: '/bin/sh', args: ['-c', JOIN_STREAMS, 'sh', path, ...args] };
}

const NO_SHELL =
  'There is no shell to run commands with: neither bash nor sh was found. Install bash (on Windows: Git for Windows).';

const WINDOWS_BASH = ['C:\\Program Files\\Git\\bin\\bash.exe', 'C:\\Program Files (x86)\\Git\\bin\\bash.exe'];
const BASH_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin'];

/** By absolute path: a `bash` in the workspace or found through PATH is not the system's (S12). */
function findShell(): Program | undefined {
  const bash = process.platform === 'win32' ? WINDOWS_BASH : BASH_FOLDERS.map((folder) => join(folder, 'bash'));
  const path = bash.find(isExecutable);
  if (path !== undefined) return { name: 'bash', path };
  return isExecutable('/bin/sh') ? { name: 'sh', path: '/bin/sh' } : undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
