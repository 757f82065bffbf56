// The stored sessions as their users see them: the history view, the commands, the command line.
import type { Usage } from '../../common/blocks';
import type { Session } from '../session/types';

/** What is known of a session without reading its file. All of it follows from the session's own events. */
export interface StoredSession {
  readonly id: string;
  /** On one line: the title it was given, else its first prompt; empty where there is neither. */
  readonly title: string;
  /** Absent: nobody has given it one. */
  readonly titledBy?: 'model' | 'person';
  /** Epoch milliseconds. */
  readonly startedMs: number;
  /** When something last happened in it; naming and archiving do not count. */
  readonly lastMs: number;
  /** Prompts that were sent, those that were rewound included. */
  readonly turns: number;
  /** Of its file, as it was when this was found out. */
  readonly sizeBytes: number;
  /** The one that answered last, by its id; absent where none has. */
  readonly model?: string;
  /** Spent by this session itself: what a fork was copied from is not counted again. */
  readonly usage: Usage;
  /** Absent where no price is known. */
  readonly costUsd?: number;
  readonly isArchived: boolean;
  readonly forkedFrom?: { readonly session: string; readonly turn?: string };
  /** It came out of a file that somebody imported. */
  readonly isImported?: true;
  /** A newer version of Lathe has written in it: this one shows what it can and writes nothing. */
  readonly isNewer?: true;
  /** The folders of the workspace it was started in. */
  readonly roots: readonly string[];
}

/** A refusal is worded for the person and says what to do next. */
export type Outcome = { readonly ok: true } | Refusal;
export type NewSession = { readonly ok: true; readonly id: string } | Refusal;
export interface Refusal {
  readonly ok: false;
  readonly reason: string;
}

/** A place in a session where words of a search stand. */
export interface Excerpt {
  /** To jump to; absent for what belongs to the session as a whole. The turn may have been rewound since. */
  readonly turn?: string;
  readonly of: 'title' | 'prompt' | 'answer' | 'tool' | 'file';
  /** On one line, at most 200 characters; cut ends have an ellipsis. */
  readonly text: string;
  /** What was found, as ranges of `text` in UTF-16 units, in order and not overlapping. */
  readonly marks: readonly (readonly [start: number, end: number])[];
}

export interface FoundSession {
  readonly session: StoredSession;
  /** The best first; never empty. */
  readonly excerpts: readonly Excerpt[];
  /** Places that were found, up to a bound for each session. */
  readonly hits: number;
  /** By hits and by how recent it is; more is better. */
  readonly score: number;
}

export interface ExportOptions {
  readonly format: 'markdown' | 'json';
  /** Keys and passwords are replaced, in inputs and results too. */
  readonly redact: boolean;
  /** Image data is left out without it. */
  readonly images?: boolean;
}

/** In pieces of bounded size, so that a session of any length can be written to a file. */
export type Exported = { readonly ok: true; readonly text: AsyncIterable<string> } | Refusal;

/** All that rejects does so with a readable Error of the store. A session that is open elsewhere is refused as data. */
export interface Library {
  /** Of all workspaces, newest first. Reads no session file whose entry in the index is good. */
  list(): Promise<readonly StoredSession[]>;
  /**
   * Sessions that hold all words of the query, in the order they are found; sort by `score`. Words in double quotes stand
   * together; case and the form of accents do not count. Ends when `signal` aborts.
   */
  search(query: string, signal: AbortSignal): AsyncIterable<FoundSession>;
  /** The title becomes one line of at most 200 characters; an empty one is refused. */
  rename(id: string, title: string): Promise<Outcome>;
  archive(id: string, isArchived: boolean): Promise<Outcome>;
  /** Its file, its outputs and its checkpoints, for good. */
  remove(id: string): Promise<Outcome>;
  /**
   * A new session with the conversation up to and without `turn`, or all of it: its todos, its model and what its calls put out.
   * What was allowed, the mode and queued prompts are not taken, and files cannot be put back from it.
   */
  fork(id: string, turn?: string): Promise<NewSession>;
  export(id: string, options: ExportOptions): Promise<Exported>;
  /** Takes what `export` made as JSON. Nothing in it is run or allowed; each entry is checked, and one that does not fit is refused. */
  import(bytes: Uint8Array): Promise<NewSession>;
}

/** What the library needs of a session that this window has open: it writes its file itself. */
export type OpenedSession = Pick<Session, 'rename' | 'archive' | 'flush' | 'readOnlyBecause'>;
