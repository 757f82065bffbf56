// The terminal a person sees commands in: it shows what they write, passes on what is typed, and Ctrl-C in it stops them.
import * as vscode from 'vscode';
import type { TerminalSize } from '../../node/pty';
import type { Keyboard } from '../../node/shell';
import { cleanForTerminal, createTerminalFilter } from './terminalFilter';

/** Text goes to the terminal once per frame: a flood is some writes per second, not one per chunk. */
const FRAME_MS = 16;
/** What is kept for a terminal that is not drawn yet, or of a flood within one frame, in characters. */
const KEPT_CHARS = 512 * 1024;
const CTRL_C = '\u0003';
/** Pressed twice within this time it ends the program, whatever that makes of it. */
const INTERRUPT_MS = 2_000;
/** Typed before the program has its keyboard. */
const TYPED_MAX_CHARS = 64 * 1024;
/** Until it is drawn. */
const FIRST_SIZE: TerminalSize = { columns: 120, rows: 30 };

export interface TerminalRun {
  readonly command: string;
  readonly cwd: string;
  /** In the sandbox, or outside although one is wanted. */
  readonly place?: 'inside' | 'outside';
  /** Called when the person ends the run from the terminal, or closes that. */
  stop(how: 'interrupted' | 'closed'): void;
}

/** Writes one run into the terminal. */
export interface RunWriter {
  /** It is shown as it comes, and what is typed is its input; others are shown as a block at their end. */
  readonly isLive: boolean;
  write(bytes: Uint8Array): void;
  /** Where what is typed goes; nowhere when the run has no input. */
  readonly connect: (keyboard: Keyboard | undefined) => void;
  /** A line that is not the program's. */
  note(line: string): void;
  /** `ending` is one line about how it ended. */
  end(ending: string): void;
  /** The person has pressed Ctrl-C in it just now. */
  wasInterrupted(): boolean;
}

interface Shown {
  readonly run: TerminalRun;
  keyboard?: Keyboard | undefined;
  /** What was typed before it was known whether there is one. */
  typedAhead?: string;
  hasBegun?: true;
  interrupted?: NodeJS.Timeout;
  wasToldOfNoInput?: true;
  wasToldToPressAgain?: true;
}

/** Held state: the pseudoterminal, and the runs that it shows. */
export class RunTerminal implements vscode.Pseudoterminal {
  private readonly written = new vscode.EventEmitter<string>();
  private readonly terminal: vscode.Terminal;
  private readonly runs = new Set<Shown>();
  private live: Shown | undefined;
  private buffer = '';
  private isOpen = false;
  private isClosed = false;
  private timer: NodeJS.Timeout | undefined;
  private dimensions = FIRST_SIZE;

  readonly onDidWrite = this.written.event;

  constructor(
    name: string,
    iconPath: vscode.IconPath,
    private readonly onClosed: () => void,
  ) {
    this.terminal = vscode.window.createTerminal({ name, pty: this, iconPath, isTransient: true });
  }

  get size(): TerminalSize {
    return this.dimensions;
  }

  /** Something runs in it. */
  get isBusy(): boolean {
    return this.runs.size > 0;
  }

  begin(run: TerminalRun): RunWriter {
    const shown: Shown = { run };
    this.runs.add(shown);
    this.live ??= shown;
    const isLive = this.live === shown;
    const filter = createTerminalFilter();
    let block = header(run);
    if (isLive) this.put(block);
    return {
      isLive,
      write: (bytes) => {
        const text = filter(bytes);
        if (isLive) return this.put(text);
        block = (block + text).slice(-KEPT_CHARS);
      },
      connect: (keyboard) => {
        shown.keyboard = keyboard;
        shown.hasBegun = true;
        keyboard?.resize(this.dimensions);
        if (!shown.typedAhead) return;
        if (keyboard) keyboard.type(shown.typedAhead);
        else this.tellOfNoInput(shown);
        shown.typedAhead = '';
      },
      note: (line) => {
        if (isLive) this.put(dim(line));
        else block += dim(line);
      },
      end: (ending) => {
        clearTimeout(shown.interrupted);
        this.runs.delete(shown);
        const line = `\u001b[0m${dim(ending)}\r\n`;
        this.put(isLive ? line : block + line);
        if (this.live === shown) this.live = undefined;
      },
      wasInterrupted: () => shown.interrupted !== undefined,
    };
  }

  /** To the front, without taking the focus. */
  show(): void {
    this.terminal.show(true);
  }

  dispose(): void {
    this.terminal.dispose();
  }

  open(dimensions: vscode.TerminalDimensions | undefined): void {
    this.isOpen = true;
    if (dimensions) this.setDimensions(dimensions);
    this.flush();
  }

  setDimensions({ columns, rows }: vscode.TerminalDimensions): void {
    if (columns < 1 || rows < 1) return;
    this.dimensions = { columns, rows };
    for (const { keyboard } of this.runs) keyboard?.resize(this.dimensions);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const { run } of this.runs) run.stop('closed');
    this.written.dispose();
    this.onClosed();
  }

  handleInput(data: string): void {
    if (data.includes(CTRL_C)) for (const shown of this.runs) this.interrupt(shown);
    else if (this.live && !this.live.hasBegun)
      this.live.typedAhead = ((this.live.typedAhead ?? '') + data).slice(0, TYPED_MAX_CHARS);
    else if (this.live?.keyboard) this.live.keyboard.type(data);
    else if (this.live) this.tellOfNoInput(this.live);
  }

  private tellOfNoInput(live: Shown): void {
    if (live.wasToldOfNoInput) return;
    live.wasToldOfNoInput = true;
    this.put(dim('[what is typed does not reach it: it has no input; Ctrl+C ends it]'));
  }

  /** The program first, where it has a terminal: it may want to tidy up, or take Ctrl-C for something else. Pressed again at once, it ends the run. */
  private interrupt(shown: Shown): void {
    const { run, keyboard } = shown;
    if (shown !== this.live || !keyboard || shown.interrupted) return run.stop('interrupted');
    keyboard.type(CTRL_C);
    shown.interrupted = setTimeout(() => {
      delete shown.interrupted;
      if (!shown.wasToldToPressAgain) this.put(dim('[it goes on; Ctrl+C twice ends it]'));
      shown.wasToldToPressAgain = true;
    }, INTERRUPT_MS);
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

/** On a line of its own. */
function dim(line: string): string {
  return `\r\n\u001b[2m${cleanForTerminal(line)}\u001b[0m\r\n`;
}

function header({ command, cwd, place }: TerminalRun): string {
  const where = place ? ` [${PLACES[place]}]` : '';
  return `\u001b[2m${cleanForTerminal(cwd)}${where}\u001b[0m\r\n\u001b[1m$ ${cleanForTerminal(command)}\u001b[0m\r\n`;
}

const PLACES = { inside: 'sandboxed: no network, writes only in the workspace', outside: 'not sandboxed' };
