// What the agent needs from the place it runs in, as small ports. src/vscode implements them on the editor, src/node on plain Node.
import type { Ask, AskAnswer } from '../common/asks';
import type { Settings } from '../common/settings';
import type { Snapshots } from './checkpoint/types';
import type { History } from './history';
import type { Media } from './media';
import type { Problems } from './problems';
import type { Search } from './search';
import type { Shell } from './shell';
import type { Store } from './store';

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
  /** It has more than one name: hard links. */
  readonly isShared?: true;
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

/** All that a file consists of, as it would have to be put back. */
export interface WholeFile {
  /** On disk; absent for a file that is in the editor only. */
  readonly bytes?: Uint8Array;
  /** The text in the editor, where it has unsaved changes. */
  readonly unsaved?: string;
  /** POSIX permission bits, where the system has them. */
  readonly mode?: number;
}

/** Which lines are asked for, and how much of them at most. */
export interface LineRange {
  /** From 1. */
  readonly first: number;
  readonly count: number;
  /** What a longer line has more is only counted. */
  readonly lineMaxChars: number;
  /** No further line is begun once there are as many. */
  readonly maxChars: number;
}

export interface TextLine {
  /** Without its ending. */
  readonly text: string;
  /** Left out at its end. */
  readonly moreBytes: number;
}

export interface TextLines {
  readonly lines: readonly TextLine[];
  /** Of the whole text; absent when its end was not reached. */
  readonly total?: number;
  readonly isDirty: boolean;
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
  /** A regular file of any kind. `maxBytes` is for what is on disk and for what is unsaved alike. */
  whole(path: Path, maxBytes: number): Promise<WholeFile | FileProblem>;
  /** Some lines of a text of any size in bounded memory; unsaved changes included. An abort is a problem too. */
  lines(path: Path, range: LineRange, signal: AbortSignal): Promise<TextLines | FileProblem>;
  /** Of a file of any kind and size: that of `text` where it has one, else one of its bytes. */
  version(path: Path): Promise<string | FileProblem>;
}

/** Replaces [start, end) of the text that `Files.text` gave, in UTF-16 units. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface NewCell {
  readonly type: 'code' | 'markdown' | 'raw';
  /** As the editor calls it. */
  readonly language: string;
  readonly source: string;
  /** Absent where the notebook's cells have none. */
  readonly id?: string;
}

/** `index` counts from 0, in the notebook as it is before; a new cell comes to stand at it. `source` keeps what the cell has put out. */
export type CellChange =
  | { readonly kind: 'source'; readonly index: number; readonly source: string }
  | { readonly kind: 'type'; readonly index: number; readonly cell: NewCell }
  | { readonly kind: 'insert'; readonly index: number; readonly cell: NewCell }
  | { readonly kind: 'remove'; readonly index: number };

export type FileChange = {
  /** As it is named, links not resolved. */
  readonly path: Path;
  /** Where `path` led when the change was planned and judged; refused when it leads somewhere else by now (S32). */
  readonly real?: Path;
} &
  /** Splices are sorted, do not overlap, and count in the text of `baseVersion`; refused when the file has another version by now. */
  (
    | {
        readonly kind: 'edit';
        readonly baseVersion: string;
        readonly splices: readonly Splice[];
        /** The same, where the file is a notebook and open as one. */
        readonly cell?: CellChange;
      }
    /** Missing folders are made; refused when something is there by now. */
    | { readonly kind: 'create'; readonly text: string }
    /** Any regular file, text or not; `baseVersion` is what `Files.version` gave. */
    | { readonly kind: 'delete'; readonly baseVersion: string }
    /** Missing folders are made; refused when something is at `to` by now, or when `to` leads elsewhere than `toReal`. */
    | { readonly kind: 'move'; readonly to: Path; readonly toReal?: Path; readonly baseVersion: string }
    /**
     * Exactly these bytes, whatever is there; `baseVersion` as `Files.version` gives it, absent: nothing may be there. Missing
     * folders are made. `unsaved` is what an open document holds over the bytes afterwards; without an editor it is refused.
     */
    | {
        readonly kind: 'put';
        readonly bytes: Uint8Array;
        readonly mode?: number;
        readonly baseVersion?: string;
        readonly unsaved?: string;
      }
  );

/** Which call of which turn made a change; the session adds it. */
export interface EditOrigin {
  readonly session: string;
  readonly turn: string;
  readonly call: string;
  /** The head of the turn's prompt, for people; one line. */
  readonly prompt: string;
  /** What the call did, for people: "Edit src/a.ts". */
  readonly title: string;
  /** Epoch milliseconds. */
  readonly time: number;
}

export interface EditPlan {
  /** What the undo stack and the checkpoint call it. */
  readonly label: string;
  readonly call: string;
  readonly changes: readonly FileChange[];
  /** Absent: the person's own doing, such as a restore or an undo. */
  readonly origin?: EditOrigin;
  /** Never rejects. Nothing is changed before it resolves; what can be prepared meanwhile is. */
  readonly ready?: Promise<unknown>;
}

export interface EditedFile {
  readonly path: Path;
  /** As it is after everything that ran on save; undefined when the file is gone. */
  readonly after?: TextFile;
  /** The change is on disk. */
  readonly isSaved: boolean;
  /** Why it is not, as a sentence for the model. */
  readonly unsavedBecause?: string;
  /** Something else (a formatter on save) changed the text further. */
  readonly wasReformatted: boolean;
  /** A deleted file lies in the trash of the system; absent: it is gone from the disk. */
  readonly isInTrash?: boolean;
}

export type EditOutcome =
  { readonly ok: true; readonly files: readonly EditedFile[] } | { readonly ok: false; readonly reason: string };

/** The only writer of workspace files. All or nothing: after a refusal every byte is as it was. Never throws. */
export interface Edits {
  apply(plan: EditPlan): Promise<EditOutcome>;
}

/** Asks the person and waits. Without a person, or when `signal` aborts, it answers `dismissed` with the reason. Never throws. */
export interface Asker {
  readonly hasPerson: boolean;
  ask(ask: Ask, signal: AbortSignal): Promise<AskAnswer>;
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
  /**
   * Whether the person trusts what the workspace holds. Without it nothing runs and nothing is changed there: it is read, and only
   * because somebody asks about it (S50). May become true at any time.
   */
  isTrusted(): boolean;
  /** The folders of the workspace; empty when none is open. */
  roots(): readonly Root[];
  readonly platform: Platform;
  readonly settings: Settings;
  readonly files: Files;
  readonly edits: Edits;
  readonly media: Media;
  readonly search: Search;
  readonly shell: Shell;
  readonly snapshots: Snapshots;
  /** Where Git can be asked. */
  readonly history?: History;
  /** Where language services look at files. */
  readonly problems?: Problems;
  readonly store: Store;
  readonly web: Web;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
}
