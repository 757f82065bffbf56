// The port for looking through files and other text, with ripgrep's rules. src/vscode and src/node implement it.
import type { Path } from './host';

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
  readonly leavesOut?: (path: Path) => boolean | Promise<boolean>;
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
  /** Files of which nothing is told, not even that they are there. */
  readonly leavesOut?: (path: Path) => boolean | Promise<boolean>;
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
