// Reading back the whole output of a call. Offsets are bytes of its UTF-8 form, so that a gigabyte can be paged from disk.

export interface OutputInfo {
  readonly bytes: number;
  /** The call still writes to it. */
  readonly isOpen: boolean;
}

/** What a text is made of, in order, so that a digest can be cut between its items and count what it leaves out. */
export interface Items {
  /** Where each one ends in the text, its line ending included, and what it is counted under: for a match its file. */
  readonly list: readonly { readonly end: number; readonly group: string }[];
  /** How many are shown at most, where the call named no number itself. */
  readonly first?: number;
}

/** A miss is never an error: `info` answers undefined and the other two nothing. */
export interface OutputReader {
  info(call: string): Promise<OutputInfo | undefined>;
  /** A piece of at most 16 KB from `offset`, cut at character boundaries; `next` is where to go on. */
  read(call: string, offset: number): Promise<{ readonly text: string; readonly next: number }>;
  /** Line by line from the start, without line endings, in bounded memory; a line over 64 KB comes in pieces. */
  lines(call: string): AsyncIterable<string>;
}
