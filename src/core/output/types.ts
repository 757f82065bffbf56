// Reading back the whole output of a call. Offsets are bytes of its UTF-8 form, so that a gigabyte can be paged from disk.

export interface OutputInfo {
  readonly bytes: number;
  /** The call still writes to it. */
  readonly isOpen: boolean;
}

/** A miss is never an error: `info` answers undefined and the other two nothing. */
export interface OutputReader {
  info(call: string): Promise<OutputInfo | undefined>;
  /** A piece of at most 16 KB from `offset`, cut at character boundaries; `next` is where to go on. */
  read(call: string, offset: number): Promise<{ readonly text: string; readonly next: number }>;
  /** Line by line from the start, without line endings, in bounded memory; a line over 64 KB comes in pieces. */
  lines(call: string): AsyncIterable<string>;
}
