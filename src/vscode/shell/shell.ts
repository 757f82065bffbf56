// The Shell port in the editor: our own child process, mirrored into a terminal where the person sees it, answers and interrupts it.
import * as vscode from 'vscode';
import type { Settings } from '../../common/settings';
import type { Path, Root } from '../../core/host';
import type { Shell, ShellCommand, ShellExit } from '../../core/shell';
import { ptyFolders } from '../../node/pty';
import { createConfinement } from '../../node/sandbox/confine';
import { createShell, type Keyboard } from '../../node/shell';
import type { RunWriter, TerminalRun } from './terminal';
import type { Terminals } from './terminals';

export interface EditorShellParts {
  readonly terminals: Terminals;
  readonly settings: Settings;
  readonly roots: () => readonly Root[];
  /** Saves the agent's own edits, and answers which files still have unsaved changes. */
  readonly saveEdits: () => Promise<readonly Path[]>;
  /** What commands inherit, before it is scrubbed. */
  readonly env: NodeJS.ProcessEnv;
  /** Where pseudoterminals are looked for; by default in the editor itself. */
  readonly ptyFolders?: readonly string[];
}

export function editorShell({ terminals, settings, roots, saveEdits, env, ...parts }: EditorShellParts): Shell {
  const folders = parts.ptyFolders ?? ptyFolders(vscode.env.appRoot);
  const paths = () => roots().map(({ path }) => path);
  const confinement = createConfinement({ settings, roots: paths });
  const shell = createShell({ env, asLogin: true, roots: paths, confinement, ptyFolders: folders });
  let wasToldOfPipes = process.platform === 'win32';
  /** Once: it is the editor's, and stays so. */
  const tellOfPipes = (writer: RunWriter) => {
    if (!wasToldOfPipes) writer.note(NO_TERMINAL);
    wasToldOfPipes = true;
  };
  return {
    name: shell.name,
    sandbox: () => confinement.state(),
    async run(command: ShellCommand): Promise<ShellExit> {
      const unsaved = await saveEdits();
      const stopped = new AbortController();
      let wasClosed = false;
      const { released } = command;
      const run = {
        ...{ command: command.command, cwd: command.cwd, ...placeOf(command, settings) },
        stop(how: 'interrupted' | 'closed') {
          wasClosed ||= how === 'closed' && !stopped.signal.aborted;
          stopped.abort();
        },
      };
      let terminal = released?.aborted ? terminals.ofRun(command.command, command.call) : terminals.of(command.session);
      let writer = terminal.begin(run);
      let keyboard: Keyboard | undefined;
      const goOn = () => {
        writer.end('[goes on in a terminal of its own]');
        terminal = terminals.ofRun(command.command, command.call);
        writer = terminal.begin(run);
        writer.connect(keyboard);
      };
      if (!released?.aborted) released?.addEventListener('abort', goOn);
      const reveal = settings.get('shell.reveal');
      if (reveal === 'onRun') terminal.show();
      const backend = settings.get('shell.backend');
      const hasInput = writer.isLive && !released?.aborted;
      const screen = {
        backend,
        size: terminal.size,
        hasInput,
        begin(given: Keyboard | undefined) {
          keyboard = given;
          writer.connect(given);
          if (!given && backend === 'auto' && hasInput) tellOfPipes(writer);
        },
      };
      const signal = AbortSignal.any([command.signal, stopped.signal]);
      const onOutput = (bytes: Uint8Array) => {
        writer.write(bytes);
        return command.onOutput(bytes);
      };
      const ended = await shell.run({ ...command, signal, onOutput }, screen);
      released?.removeEventListener('abort', goOn);
      const exit = withPerson(ended, { wasClosed, wasInterrupted: writer.wasInterrupted() });
      writer.end([...unsureOf(exit), endingOf(exit)].join('\r\n'));
      if (reveal === 'onFailure' && !(exit.ok && exit.code === 0)) terminal.show();
      return exit.ok && unsaved.length > 0 ? { ...exit, unsaved } : exit;
    },
  };
}

const NO_TERMINAL =
  '[this editor has no terminal for commands that works, so they run without one: nothing can be typed into them]';

/** What ended it is the person's doing, where it is. */
function withPerson(
  exit: ShellExit,
  { wasClosed, wasInterrupted }: { readonly wasClosed: boolean; readonly wasInterrupted: boolean },
): ShellExit {
  if (!exit.ok) return exit;
  if (wasClosed && exit.wasStopped) return { ...exit, wasClosed };
  return wasInterrupted ? { ...exit, wasStopped: true } : exit;
}

/** Where no sandbox is wanted, nothing is said of one. */
function placeOf({ place }: ShellCommand, settings: Settings): Pick<TerminalRun, 'place'> {
  if (place === undefined && settings.get('shell.sandbox') === 'off') return {};
  return { place: place ?? 'outside' };
}

/** What the sandbox could not make sure of is for the person to look at. */
function unsureOf(exit: ShellExit): readonly string[] {
  const paths = (exit.ok && exit.mayTakeEffect) || [];
  return paths.map((path) => `[look at ${path}: what it made there may take effect by itself]`);
}

function endingOf(exit: ShellExit): string {
  if (!exit.ok) return exit.reason;
  if (exit.timedOut) return '[ended: it took longer than it may]';
  if (exit.wasStopped) return '[stopped]';
  if (exit.wroteTooMuch) return '[ended: it wrote more than is kept]';
  return exit.code === null ? `[ended by ${exit.signal ?? 'a signal'}]` : `[exit code ${exit.code}]`;
}
