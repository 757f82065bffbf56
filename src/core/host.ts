// What the agent needs from the place it runs in, as small ports. src/vscode implements them on the editor, src/node on plain Node.
import type { Ask, AskAnswer } from '../common/asks';
import type { Settings } from '../common/settings';

/** An absolute path, or a URI string for what is not a local file. Always with `/` between parts as the host writes it. */
export type Path = string;

/** A folder of the workspace. */
export interface Root {
  readonly name: string;
  readonly path: Path;
}

export interface FileStat {
  /** What the path leads to, links followed. */
  readonly kind: 'file' | 'directory' | 'other';
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** The text of a file as a person would see it now. */
export interface TextFile {
  /** Without byte-order mark, line endings as they are. */
  readonly text: string;
  /** Opaque; differs whenever the text may differ. */
  readonly version: string;
  /** Open in the editor with unsaved changes; `text` includes them. */
  readonly isDirty: boolean;
  readonly encoding: string;
}

/** Why a file could not be read as text; `message` is worded for the model. */
export interface FileProblem {
  readonly problem: 'missing' | 'directory' | 'not-regular' | 'too-large' | 'binary' | 'encoding' | 'denied' | 'failed';
  readonly message: string;
}

export function isProblem<T extends object>(value: T | FileProblem): value is FileProblem {
  return 'problem' in value;
}

export interface DirectoryEntry {
  readonly name: string;
  readonly kind: 'file' | 'directory' | 'other';
  readonly isLink: boolean;
}

/** Reading only; `Edits` is the one writer. Nothing in here throws for what is on disk. */
export interface Files {
  /** Undefined when nothing is there. Never opens what it looks at, so a FIFO cannot hang it. */
  stat(path: Path): Promise<FileStat | undefined>;
  /** The path with all links resolved; of a path that does not exist yet, its deepest existing ancestor is resolved. */
  realPath(path: Path): Promise<Path>;
  /** Sorted by name; a problem when it cannot be listed. */
  list(path: Path): Promise<readonly DirectoryEntry[] | FileProblem>;
  /** The live buffer where the file is open, else decoded bytes. */
  text(path: Path, maxBytes: number): Promise<TextFile | FileProblem>;
  bytes(path: Path, maxBytes: number): Promise<Uint8Array | FileProblem>;
}

/** Replaces [start, end) of the text that `Files.text` gave, in UTF-16 units. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export type FileChange = {
  /** As it is named, links not resolved. */
  readonly path: Path;
  /** Where `path` led when the change was planned and judged; refused when it leads somewhere else by now (S32). */
  readonly real?: Path;
} &
  /** Splices are sorted, do not overlap, and count in the text of `baseVersion`; refused when the file has another version by now. */
  (
    | { readonly kind: 'edit'; readonly baseVersion: string; readonly splices: readonly Splice[] }
    /** Missing folders are made; refused when something is there by now. */
    | { readonly kind: 'create'; readonly text: string }
    | { readonly kind: 'delete'; readonly baseVersion: string }
    | { readonly kind: 'move'; readonly to: Path; readonly baseVersion: string }
  );

export interface EditPlan {
  /** What the undo stack and the checkpoint call it. */
  readonly label: string;
  readonly call: string;
  readonly changes: readonly FileChange[];
}

export interface EditedFile {
  readonly path: Path;
  /** As it is after everything that ran on save; undefined when the file is gone. */
  readonly after?: TextFile;
  /** The change is on disk; false when the file had unsaved changes of the person's and so was left unsaved. */
  readonly isSaved: boolean;
  /** Something else (a formatter on save) changed the text further. */
  readonly wasReformatted: boolean;
}

export type EditOutcome =
  { readonly ok: true; readonly files: readonly EditedFile[] } | { readonly ok: false; readonly reason: string };

/** The only writer of workspace files. All or nothing: after a refusal every byte is as it was. Never throws. */
export interface Edits {
  apply(plan: EditPlan): Promise<EditOutcome>;
}

export interface TextQuery {
  /** A ripgrep regular expression. */
  readonly pattern: string;
  readonly path: Path;
  readonly globs: readonly string[];
  readonly type?: string;
  readonly ignoreCase: boolean;
  readonly multiline: boolean;
  readonly before: number;
  readonly after: number;
  /** Stop after this many matching lines in all. */
  readonly maxMatches: number;
  /** Stop looking into a file after this many matching lines; absent: all of them. */
  readonly maxPerFile?: number;
  /** Files of which nothing is told, not even that they match. */
  readonly leavesOut?: (path: Path) => boolean;
}

export interface TextMatch {
  readonly path: Path;
  /** 1-based. */
  readonly line: number;
  /** Without its line ending, cut at 2,000 characters. */
  readonly text: string;
  readonly isContext: boolean;
}

export interface FileQuery {
  readonly pattern: string;
  readonly path: Path;
  readonly maxFiles: number;
}

export interface LineQuery {
  /** A ripgrep regular expression, or plain text. */
  readonly pattern: string;
  readonly isLiteral: boolean;
  /** Lines shown before and after each match. */
  readonly context: number;
  /** Stop after this many lines, context included. */
  readonly maxLines: number;
  /** Stop after so much time, that which the lines take to come not counted; `isLate` then, with what was found so far. */
  readonly maxMs: number;
}

export interface LineMatch {
  /** 1-based. */
  readonly line: number;
  /** Cut at 2,000 characters. */
  readonly text: string;
  readonly isContext: boolean;
}

export interface LinesFound {
  readonly matches: readonly LineMatch[];
  readonly isCut: boolean;
  readonly isLate: boolean;
}

/** Ripgrep's rules for what is ignored. `problem` says in ripgrep's words what is wrong with a query. */
export interface Search {
  /** Matches in path order. Open files with unsaved changes are searched as they are. */
  text(
    query: TextQuery,
    signal: AbortSignal,
  ): Promise<{ readonly matches: readonly TextMatch[]; readonly isCut: boolean } | { readonly problem: string }>;
  /** Newest first. */
  files(
    query: FileQuery,
    signal: AbortSignal,
  ): Promise<{ readonly paths: readonly Path[]; readonly isCut: boolean } | { readonly problem: string }>;
  /** Looks through text that is in no file; in linear time, so that a model's pattern cannot hang the host (S89). */
  lines(
    query: LineQuery,
    lines: AsyncIterable<string>,
    signal: AbortSignal,
  ): Promise<LinesFound | { readonly problem: string }>;
}

export interface ShellCommand {
  readonly call: string;
  readonly session: string;
  readonly command: string;
  readonly cwd: Path;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Raw bytes of stdout and stderr in the order they came. A promise holds the program back until it resolves; it must not reject. */
  onOutput(bytes: Uint8Array): void | Promise<void>;
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
      /** Where the shell stood at its end. */
      readonly cwd: Path;
      /** Ended because it wrote more than may be kept. */
      readonly wroteTooMuch?: boolean;
      /** Processes it had left running, which were ended with it. */
      readonly leftRunning?: number;
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
}

/** Asks the person and waits. Without a person, or when `signal` aborts, it answers `dismissed` with the reason. Never throws. */
export interface Asker {
  readonly hasPerson: boolean;
  ask(ask: Ask, signal: AbortSignal): Promise<AskAnswer>;
}

export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** Append-only files of our own, outside the workspace, named like `sessions/ID.jsonl`. Rejects with a readable Error (disk full, …). */
export interface Store {
  /** Bytes are on their way to the disk when it resolves; calls for one name keep their order. */
  append(name: string, data: string | Uint8Array): Promise<void>;
  /** Empty when missing or past the end. */
  read(name: string, offset: number, maxBytes: number): Promise<Uint8Array>;
  /** Undefined when missing. */
  size(name: string): Promise<number | undefined>;
  list(prefix: string): Promise<readonly string[]>;
  /** The same files with their size and the time of their last append. */
  entries(prefix: string): Promise<readonly StoredFile[]>;
  remove(name: string): Promise<void>;
}

export interface Web {
  /** The editor's own, which knows its proxy and certificates. */
  readonly fetch: typeof fetch;
}

export interface Clock {
  /** Epoch milliseconds, for display and files. */
  now(): number;
  /** Milliseconds for durations; never jumps. */
  elapsed(): number;
  /** Resolves early, without throwing, when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Ids {
  /** Unique within the process and across restarts, short, safe as a file name. */
  next(prefix: string): string;
}

export interface Log {
  info(message: string): void;
  warn(message: string): void;
  error(message: string, cause?: unknown): void;
}

export interface Platform {
  readonly os: string;
  readonly homeDir: Path;
  /** Case-insensitive file names. */
  readonly foldsCase: boolean;
  /** IANA name. */
  readonly timeZone: string;
}

export interface Host {
  /** The folders of the workspace; empty when none is open. */
  roots(): readonly Root[];
  readonly platform: Platform;
  readonly settings: Settings;
  readonly files: Files;
  readonly edits: Edits;
  readonly search: Search;
  readonly shell: Shell;
  readonly store: Store;
  readonly web: Web;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}
