// The terminal a person sees a session's commands in: it shows what they write, and Ctrl-C in it stops them.
import * as vscode from 'vscode';
import { cleanForTerminal, createTerminalFilter } from './terminalFilter';

/** Text goes to the terminal once per frame: a flood is some writes per second, not one per chunk. */
const FRAME_MS = 16;
/** What is kept for a terminal that is not drawn yet, or of a flood within one frame, in characters. */
const KEPT_CHARS = 512 * 1024;
const CTRL_C = '\u0003';

export interface TerminalRun {
  readonly command: string;
  readonly cwd: string;
  /** Called when the person ends the run from the terminal. */
  stop(): void;
}

/** Writes one run into the terminal. */
export interface RunWriter {
  write(bytes: Uint8Array): void;
  /** `ending` is one line about how it ended. */
  end(ending: string): void;
}

/** Held state: the pseudoterminal, and the run that it mirrors. */
export class SessionTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly terminal: vscode.Terminal;
  private readonly runs = new Set<TerminalRun>();
  /** The run whose output is shown as it comes; others are shown as a block at their end. */
  private mirrored: TerminalRun | undefined;
  private buffer = '';
  private isOpen = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;

  readonly onDidWrite = this.written.event;

  constructor(
    name: string,
    iconPath: vscode.IconPath,
    private readonly onClosed: () => void,
  ) {
    this.terminal = vscode.window.createTerminal({ name, pty: this, iconPath, isTransient: true });
  }

  begin(run: TerminalRun): RunWriter {
    this.runs.add(run);
    const isMirrored = this.mirrored === undefined;
    if (isMirrored) this.mirrored = run;
    const filter = createTerminalFilter();
    let block = header(run);
    if (isMirrored) this.put(block);
    return {
      write: (bytes) => {
        const text = filter(bytes);
        if (isMirrored) return this.put(text);
        block = (block + text).slice(-KEPT_CHARS);
      },
      end: (ending) => {
        this.runs.delete(run);
        const line = `\u001b[0m\r\n\u001b[2m${cleanForTerminal(ending)}\u001b[0m\r\n\r\n`;
        this.put(isMirrored ? line : block + line);
        if (this.mirrored === run) this.mirrored = undefined;
      },
    };
  }

  /** To the front, without taking the focus. */
  show(): void {
    this.terminal.show(true);
  }

  dispose(): void {
    this.terminal.dispose();
  }

  open(): void {
    this.isOpen = true;
    this.flush();
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    this.stopAll();
    this.written.dispose();
    this.onClosed();
  }

  handleInput(data: string): void {
    if (data.includes(CTRL_C)) this.stopAll();
  }

  private stopAll(): void {
    for (const run of this.runs) run.stop();
  }

  private put(text: string): void {
    if (this.isClosed) return;
    this.buffer = (this.buffer + text).slice(-KEPT_CHARS);
    if (this.isOpen) this.timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (this.buffer === '' || this.isClosed) return;
    this.written.fire(this.buffer);
    this.buffer = '';
  }
}

function header({ command, cwd }: TerminalRun): string {
  return `\u001b[2m${cleanForTerminal(cwd)}\u001b[0m\r\n\u001b[1m$ ${cleanForTerminal(command)}\u001b[0m\r\n`;
}

/** One terminal per session, made when its first command runs. */
export class Terminals implements vscode.Disposable {
  private readonly open = new Map<string, SessionTerminal>();

  constructor(private readonly iconPath: vscode.IconPath) {}

  of(session: string): SessionTerminal {
    const known = this.open.get(session);
    if (known) return known;
    const name = this.open.size === 0 ? 'Lathe' : `Lathe ${this.open.size + 1}`;
    const terminal = new SessionTerminal(name, this.iconPath, () => this.open.delete(session));
    this.open.set(session, terminal);
    return terminal;
  }

  /** Nothing when the session has run no command yet. */
  show(session: string): void {
    this.open.get(session)?.show();
  }

  dispose(): void {
    for (const terminal of this.open.values()) terminal.dispose();
  }
}
