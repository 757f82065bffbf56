// Where the agent keeps files of its own: sessions, outputs, checkpoints.

export interface StoredFile {
  readonly name: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** What is sought in stored files. */
export interface StoredQuery {
  /** The files, in the order in which it is best to look at them. */
  readonly names: readonly string[];
  /** Regular expressions that ripgrep and JavaScript read alike: what a line begins with, byte for byte, … */
  readonly head: string;
  /** … and what follows somewhere after it, ignoring case. */
  readonly text: string;
  /** Stop looking into a file after this many lines. */
  readonly maxPerFile: number;
}

export interface StoredLine {
  readonly name: string;
  /** Without its line ending. */
  readonly text: string;
}

/** Held by one process at a time, and free again when that process is gone. */
export interface StoreLock {
  /** False once another process has taken it over, or when that cannot be known. */
  isHeld(): Promise<boolean>;
  release(): Promise<void>;
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
  /** The whole file at once: whoever reads it finds what was there before or all that is there now. */
  replace(name: string, data: string): Promise<void>;
  /** The same bytes under another name, which nothing is there under yet; nothing is appended to either from then on. */
  copy(from: string, to: string): Promise<void>;
  /** Undefined while another process, or another part of this one, holds it. */
  lock(name: string): Promise<StoreLock | undefined>;
  /** Lines of a file come together and in their order, the files in about theirs. Ends when `signal` aborts. */
  lines(query: StoredQuery, signal: AbortSignal): AsyncIterable<StoredLine>;
}
