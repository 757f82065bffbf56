// The port for a program that is talked to over its pipes. src/node implements it; here are only its promises.

export interface ProgramSpec {
  /** Unique; every process that comes of the program carries it, so that none is left behind. */
  readonly id: string;
  readonly command: string;
  /** Absent: `command` is a line for the platform’s shell. */
  readonly args?: readonly string[];
  readonly cwd: string;
  /** Added to the little that every such program gets: PATH, HOME, LANG and what the operating system cannot do without (S61). */
  readonly env: Readonly<Record<string, string>>;
  onOutput(bytes: Uint8Array): void;
  onErrorOutput(bytes: Uint8Array): void;
  /** Called once, after the last output, however it ended: "exit code 1" and 1, or "SIGKILL". */
  onExit(how: string, code?: number): void;
}

export interface Program {
  /** Resolves when the text is on its way. Rejects when the program reads no more. */
  write(text: string): Promise<void>;
  /** The end of its input, after what has been written. */
  closeInput(): void;
  /** Closes its input, then asks it to end, then kills it and all that it started. Resolves when nothing is left; never rejects. */
  end(): Promise<void>;
}

/** Never rejects: the reason says what to do. */
export type StartProgram = (
  spec: ProgramSpec,
) => Promise<{ readonly ok: true; readonly program: Program } | { readonly ok: false; readonly reason: string }>;
