// The Shell port: each command in a fresh bash of its own (S24), on pipes or a pseudoterminal, with nothing of the person's profile.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { Path } from '../core/host';
import type { Shell, ShellCommand, ShellExit } from '../core/shell';
import { commandEnvironment } from './environment';
import { withLoginPath } from './loginPath';
import { runProcess, type ProcessEnd } from './process';
import { powershellArgs } from './powershell';
import { INTERRUPT, loadPty, type Pty, type PtySystem, type TerminalSize } from './pty';
import { confine, unconfined, type Confinement } from './sandbox/confine';
import { inWorkspace } from './searchPath';
import { findShell, type Program } from './shellProgram';
import { watchForWaiting } from './waiting';

export interface ShellOptions {
  /** The environment that commands inherit, before it is scrubbed. */
  readonly env: NodeJS.ProcessEnv;
  /** The workspace's folders: what lies there on PATH is found last, and no code is loaded from there unasked. */
  readonly roots?: () => readonly Path[];
  /** Commands find what the person's profile puts on PATH. */
  readonly asLogin?: true;
  /** Where commands run in a sandbox; without it they never do. */
  readonly confinement?: Confinement;
  /** Where the editor's pseudoterminals are; without it commands run on pipes. */
  readonly ptyFolders?: readonly string[];
  /** Sees every byte of a run's output besides the command's own `onOutput`: a terminal that mirrors it. */
  readonly onOutput?: (command: ShellCommand, bytes: Uint8Array) => void;
}

/** What commands run on. Auto: a pseudoterminal where there is one that works. */
export type Backend = 'auto' | 'pty' | 'pipe';

/** A person's end of a run. */
export interface Screen {
  readonly backend: Backend;
  readonly size: TerminalSize;
  /** False for what nobody could answer, in the background or beside another run: it has no input. */
  readonly hasInput: boolean;
  /** The run has begun; on pipes there is no keyboard. */
  begin(keyboard: Keyboard | undefined): void;
}

export interface Keyboard {
  type(text: string): void;
  resize(size: TerminalSize): void;
}

export interface ProcessShell extends Shell {
  /** Without a screen nobody could answer: the command runs on pipes, with no input. */
  run(command: ShellCommand, screen?: Screen): Promise<ShellExit>;
}

export function createShell(options: ShellOptions): ProcessShell {
  const program = findShell();
  let ptys: Promise<PtySystem | undefined> | undefined;
  let environment: Promise<NodeJS.ProcessEnv> | undefined;
  const { env, asLogin, confinement = unconfined } = options;
  const findEnvironment = () =>
    (environment ??= asLogin && program ? withLoginPath(env, program.path) : Promise.resolve(env));
  const findPtys = () => (ptys ??= program ? workingPty(options, program) : Promise.resolve(undefined));
  return {
    name: program?.name ?? 'bash',
    sandbox: () => confinement.state(),
    async run(command, screen) {
      if (!program) return { ok: false, reason: NO_SHELL };
      const folder = await stat(command.cwd).catch(() => undefined);
      if (!folder?.isDirectory()) {
        return {
          ok: false,
          reason: `The folder ${command.cwd} does not exist (any more). Run the command in another one.`,
        };
      }
      const backend = screen?.backend ?? 'pipe';
      const system = backend === 'pipe' ? undefined : await findPtys();
      if (backend === 'pty' && !system) return { ok: false, reason: NO_PTY };
      const found = { ...options, env: await findEnvironment() };
      return confine(confinement, command, async (prefix) => {
        // Only here, since nobody would close it for a command that is refused before.
        const pty = screen && system && openPty(system, screen.size);
        if (backend === 'pty' && !pty) return { ok: false, reason: NO_PTY };
        return runCommand(command, program, found, { screen, pty, prefix });
      });
    },
  };
}

/** Nothing when the system has no terminal to give: it has a number of them. */
function openPty(system: PtySystem, size: TerminalSize): Pty | undefined {
  try {
    return system.open(size);
  } catch {
    return undefined;
  }
}

/** The editor's own where one command in it comes out as it should: it is bound to the editor's build, and nobody promises it. */
async function workingPty({ env, ptyFolders }: ShellOptions, program: Program): Promise<PtySystem | undefined> {
  const system = program.name === 'bash' && ptyFolders ? loadPty(ptyFolders) : undefined;
  const pty = system && openPty(system, { columns: 80, rows: 24 });
  if (!pty) return undefined;
  let output = '';
  const command: ShellCommand = {
    ...{ call: 'check', session: '', command: 'test -t 1 && echo works', cwd: '/', timeoutMs: CHECK_MS },
    signal: new AbortController().signal,
    onOutput: (bytes) => void (output += Buffer.from(bytes).toString()),
  };
  const exit = await runCommand(command, program, { env }, { screen: undefined, pty, prefix: [] });
  return exit.ok && exit.code === 0 && output === 'works\n' ? system : undefined;
}

const CHECK_MS = 5_000;

interface RunEnds {
  readonly screen: Screen | undefined;
  readonly pty: Pty | undefined;
  /** Comes before the shell: what puts it into a sandbox. */
  readonly prefix: readonly string[];
}

async function runCommand(
  command: ShellCommand,
  program: Program,
  { env, roots = () => [], onOutput }: ShellOptions,
  { screen, pty, prefix }: RunEnds,
): Promise<ShellExit> {
  let notes = Buffer.alloc(0);
  let wasAnswered = false;
  // Other windows may run calls of the same id, and what carries the marker of a run is ended with it.
  const runId = `${command.call}-${randomUUID()}`;
  const hasInput = screen?.hasInput === true;
  const waiting =
    hasInput && pty ? watchForWaiting(pty.path, (isWaiting) => command.onWaiting?.(isWaiting)) : undefined;
  screen?.begin(
    pty && {
      type(text) {
        // Ctrl-C is no answer.
        wasAnswered ||= text !== INTERRUPT;
        pty.type(text);
      },
      resize: (size) => pty.resize(size),
    },
  );
  const noteFile = program.name === 'powershell' ? join(await mkdtemp(join(tmpdir(), 'lathe-')), 'folder') : undefined;
  const end: ProcessEnd = await runProcess({
    ...(noteFile === undefined
      ? commandLine(program, command.command, prefix, pty && { path: pty.path, hasInput })
      : { file: program.path, args: powershellArgs(command.command, noteFile) }),
    cwd: command.cwd,
    env: { ...commandEnvironment(env, runId, inWorkspace(roots())), ...(pty ? { TERM: 'xterm-256color' } : {}) },
    runId,
    timeoutMs: command.timeoutMs,
    signal: command.signal,
    ...(command.released ? { released: command.released } : {}),
    ...(pty ? { pty } : {}),
    onOutput(bytes) {
      waiting?.wrote(bytes);
      onOutput?.(command, bytes);
      return command.onOutput(bytes);
    },
    onNote(bytes) {
      notes = Buffer.concat([notes, bytes]).subarray(-NOTE_MAX_BYTES);
      return notes.at(-1) === END_OF_NOTE;
    },
    onStart: (tree) => waiting?.start(tree),
  });
  waiting?.stop();
  const noted = noteFile === undefined ? folderIn(notes) : await folderNotedIn(noteFile);
  if (!end.ok) return { ok: false, reason: `${program.path} could not be started: ${end.reason}.` };
  const { wroteTooMuch, leftRunning, ...exit } = end;
  return {
    ...exit,
    cwd: noted ?? command.cwd,
    ...(wasAnswered ? { wasAnswered } : {}),
    ...(wroteTooMuch ? { wroteTooMuch } : {}),
    ...(leftRunning > 0 ? { leftRunning } : {}),
  };
}

/** More than any path is long. The command itself may write there too, and as much as it likes. */
const NOTE_MAX_BYTES = 16 * 1024;

const END_OF_NOTE = 4;

/** Where the shell stood at its end: what follows the last NUL, since a folder's name may hold anything else. */
function folderIn(notes: Buffer): string | undefined {
  const start = notes.lastIndexOf(0);
  const folder = start === -1 ? '' : notes.toString('utf8', start + 1).replace(/\n\x04?$/, '');
  return isAbsolute(folder) ? folder : undefined;
}

/** PowerShell knows no file descriptors. */
async function folderNotedIn(file: string): Promise<string | undefined> {
  const folder = await readFile(file, 'utf8').catch(() => '');
  await rm(dirname(file), { recursive: true, force: true }).catch(() => undefined);
  return isAbsolute(folder) ? folder : undefined;
}

/**
 * The trap tells on file descriptor 3 where the shell stood at its end, and waits for a line: with the end of a terminal's
 * first program the others are hung up, so they are counted before. `eval` of an argument keeps it out of what the
 * command sees of itself: line numbers and error messages are the command's own.  The blank keeps a leading dash from being an option.
 */
const SCRIPT = `trap '{ printf "\\0"; pwd -P; printf "\\004"; read -r __lathe <&3; } 2>/dev/null >&3' EXIT; __lathe=$1; shift; eval " $__lathe"`;

/** Joins stderr to stdout before the shell starts, so that both arrive in the order in which they were written. */
const JOIN_STREAMS = 'exec "$@" 2>&1';

/**
 * As the first program of its session the shell gets the terminal that it opens as its own. What else this process has open
 * is closed: other runs' terminals, since node-pty's descriptors are inherited.
 */
const openTerminal = (input: string, setting = '') =>
  `exec ${input} >"$1" 2>&1; shift; ${setting}for __fd in /dev/fd/*; do __fd=\${__fd##*/}; ((__fd < 4)) || eval "exec $__fd>&-"; done; unset __fd; exec "$@"`;
/** So that erasing takes a whole character; `-p` finds the system's own. */
const WITH_INPUT = openTerminal('<"$1"', 'command -p stty iutf8 2>/dev/null; ');
const WITHOUT_INPUT = openTerminal('</dev/null');

interface OwnTerminal {
  readonly path: string;
  readonly hasInput: boolean;
}

function commandLine(
  { name, path }: Program,
  command: string,
  prefix: readonly string[],
  terminal: OwnTerminal | undefined,
) {
  const options = name === 'bash' ? ['--noprofile', '--norc'] : [];
  const args = [...options, '-c', SCRIPT, name, command];
  if (process.platform === 'win32') return { file: path, args };
  if (!terminal) return { file: '/bin/sh', args: ['-c', JOIN_STREAMS, 'sh', ...prefix, path, ...args] };
  const opening = terminal.hasInput ? WITH_INPUT : WITHOUT_INPUT;
  return { file: path, args: [...options, '-c', opening, name, terminal.path, ...prefix, path, ...args] };
}

const NO_PTY =
  'The setting lathe.shell.backend asks for a pseudoterminal, and this editor has none that works. Set it to auto or pipe.';

const NO_SHELL =
  'There is no shell to run commands with: neither bash nor sh was found (on Windows: neither Git’s bash nor PowerShell). Install bash.';
