// Which terminals there are: one for each session, made when its first command runs, and one for each run in the background.
import type * as vscode from 'vscode';
import { cleanForTerminal } from './terminalFilter';
import { RunTerminal } from './terminal';

/** Terminals of ended background runs that stay, so that their output can be read. */
const ENDED_MAX = 3;
const NAME_MAX_CHARS = 40;

export class Terminals implements vscode.Disposable {
  private readonly open = new Map<string, RunTerminal>();
  private background: { readonly call: string; readonly terminal: RunTerminal }[] = [];

  constructor(readonly iconPath: vscode.IconPath) {}

  of(session: string): RunTerminal {
    const known = this.open.get(session);
    if (known) return known;
    const name = this.open.size === 0 ? 'Lathe' : `Lathe ${this.open.size + 1}`;
    const terminal = new RunTerminal(name, this.iconPath, () => this.open.delete(session));
    this.open.set(session, terminal);
    return terminal;
  }

  /** A new one for a run in the background. */
  ofRun(command: string, call: string): RunTerminal {
    const ended = this.background.filter(({ terminal }) => !terminal.isBusy);
    for (const { terminal } of ended.slice(0, Math.max(0, ended.length - ENDED_MAX + 1))) terminal.dispose();
    const terminal = new RunTerminal(nameOf(command), this.iconPath, () => {
      this.background = this.background.filter((other) => other.terminal !== terminal);
    });
    this.background.push({ call, terminal });
    return terminal;
  }

  /** The one of that run, where it has one of its own. Nothing when the session has run no command yet. */
  show(session: string, call?: string): void {
    const own = this.background.findLast((each) => each.call === call)?.terminal;
    (own ?? this.open.get(session))?.show();
  }

  dispose(): void {
    const ownTerminals = this.background.map(({ terminal }) => terminal);
    for (const terminal of [...this.open.values(), ...ownTerminals]) terminal.dispose();
  }
}

function nameOf(command: string): string {
  const line = cleanForTerminal(command)
    .replace(/[\s\u001b]+/g, ' ')
    .trim();
  return `Lathe: ${line.length > NAME_MAX_CHARS ? `${line.slice(0, NAME_MAX_CHARS - 1)}…` : line}`;
}
