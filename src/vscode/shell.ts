// The Shell port in the editor: our own child process, mirrored into a terminal that the person sees and can interrupt.
import type { Settings } from '../common/settings';
import type { Path } from '../core/host';
import type { Shell, ShellCommand, ShellExit } from '../core/shell';
import { createShell } from '../node/shell';
import type { Terminals } from './terminal';

export interface EditorShellParts {
  readonly terminals: Terminals;
  readonly settings: Settings;
  /** Saves the agent's own edits, and answers which files still have unsaved changes. */
  readonly saveEdits: () => Promise<readonly Path[]>;
  /** What commands inherit, before it is scrubbed. */
  readonly env: NodeJS.ProcessEnv;
}

export function editorShell({ terminals, settings, saveEdits, env }: EditorShellParts): Shell {
  const shell = createShell({ env });
  return {
    name: shell.name,
    async run(command: ShellCommand): Promise<ShellExit> {
      const unsaved = await saveEdits();
      const stopped = new AbortController();
      const terminal = terminals.of(command.session);
      const writer = terminal.begin({ command: command.command, cwd: command.cwd, stop: () => stopped.abort() });
      const reveal = settings.get('shell.reveal');
      if (reveal === 'onRun') terminal.show();
      const exit = await shell.run({
        ...command,
        signal: AbortSignal.any([command.signal, stopped.signal]),
        onOutput(bytes) {
          writer.write(bytes);
          return command.onOutput(bytes);
        },
      });
      writer.end(endingOf(exit));
      if (reveal === 'onFailure' && !(exit.ok && exit.code === 0)) terminal.show();
      return exit.ok && unsaved.length > 0 ? { ...exit, unsaved } : exit;
    },
  };
}

function endingOf(exit: ShellExit): string {
  if (!exit.ok) return exit.reason;
  if (exit.timedOut) return '[ended: it took longer than it may]';
  if (exit.wasStopped) return '[stopped]';
  if (exit.wroteTooMuch) return '[ended: it wrote more than is kept]';
  return exit.code === null ? `[ended by ${exit.signal ?? 'a signal'}]` : `[exit code ${exit.code}]`;
}
