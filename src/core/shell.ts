// The port for running a command. src/vscode and src/node implement it.
import type { Path } from './host';

export interface ShellCommand {
  readonly call: string;
  readonly session: string;
  readonly command: string;
  readonly cwd: Path;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Aborts when nobody waits for the run any more and it goes on in the background: its time limit is lifted, and its terminal is its own. */
  readonly released?: AbortSignal;
  /** What was decided about: inside the sandbox and nowhere else, or outside of the one there is. Absent: as the setting says. */
  readonly place?: 'inside' | 'outside';
  /** Raw bytes of stdout and stderr in the order they came. A promise holds the program back until it resolves; it must not reject. */
  onOutput(bytes: Uint8Array): void | Promise<void>;
  /** It seems to wait for somebody to type, or no longer. A guess, to be shown and nothing else. */
  onWaiting?(isWaiting: boolean): void;
}

export type ShellExit =
  | {
      readonly ok: true;
      /** Null when a signal ended it. */
      readonly code: number | null;
      readonly signal?: string;
      readonly timedOut: boolean;
      /** Ended by the abort signal or by the person in the terminal. */
      readonly wasStopped: boolean;
      /** Stopped so by the person: they closed its terminal. */
      readonly wasClosed?: true;
      /** Where the shell stood at its end. */
      readonly cwd: Path;
      /** The person typed into it. */
      readonly wasAnswered?: boolean;
      /** Ended because it wrote more than may be kept. */
      readonly wroteTooMuch?: boolean;
      /** Processes it had left running, which were ended with it. */
      readonly leftRunning?: number;
      /** It ran in the sandbox. */
      readonly wasSandboxed?: true;
      /** What it made in the sandbox that would take effect by itself: each now ends in `.sandboxed`. */
      readonly setAside?: readonly Path[];
      /** What could not be, or folders that could not be looked through for it: files and folders that may take effect by themselves. */
      readonly mayTakeEffect?: readonly Path[];
      /** Files whose unsaved changes in the editor it did not see. */
      readonly unsaved?: readonly Path[];
    }
  /** It could not be started; the reason says what to do. */
  | { readonly ok: false; readonly reason: string };

/** Saves the agent's own edits, then runs one command in its own process group. Never rejects; resolves on exit, never waits for a pipe that a child keeps open. */
export interface Shell {
  /** The program that reads the command, as the tool's description names it. */
  readonly name: 'bash' | 'sh' | 'zsh' | 'powershell';
  run(command: ShellCommand): Promise<ShellExit>;
  /** Whether commands run in a sandbox, as the settings are now; absent where they never do. */
  sandbox?(): Promise<SandboxState>;
}

export type SandboxState =
  | { readonly kind: 'off' }
  | { readonly kind: 'on'; readonly isRequired: boolean }
  /** Wanted, but not to be had; where it is required nothing runs. The reason is for people. */
  | { readonly kind: 'missing'; readonly reason: string; readonly isRequired: boolean };
