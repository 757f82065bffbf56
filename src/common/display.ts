// What a tool call shows: typed data that the panel draws by `kind`. No markup, colour or layout in here.

/** One line of a unified diff without its leading sign. */
export interface DiffLine {
  readonly sign: ' ' | '+' | '-';
  readonly text: string;
}

export interface Hunk {
  readonly oldStart: number;
  readonly newStart: number;
  readonly lines: readonly DiffLine[];
}

export interface FileDiff {
  readonly path: string;
  /** What a moved file was called before. */
  readonly from?: string;
  readonly change: 'created' | 'edited' | 'deleted' | 'moved';
  readonly added: number;
  readonly removed: number;
  readonly hunks: readonly Hunk[];
  /** Hunks left out to stay within the bound. */
  readonly moreHunks?: number;
  /** How the place was found, when it was not an exact match: the matcher's name and the similarity (0 to 1). */
  readonly match?: { readonly stage: string; readonly similarity: number };
}

export interface MatchLine {
  /** 1-based. */
  readonly line: number;
  readonly text: string;
  readonly isContext?: boolean;
}

export interface MatchGroup {
  readonly path: string;
  readonly count: number;
  readonly lines: readonly MatchLine[];
}

export interface Todo {
  readonly id: string;
  readonly content: string;
  readonly status: 'pending' | 'in_progress' | 'completed';
}

export interface Question {
  readonly question: string;
  readonly header: string;
  readonly options: readonly { readonly label: string; readonly description: string }[];
  readonly multiple: boolean;
}

export interface QuestionAnswer {
  readonly question: string;
  readonly chosen: readonly string[];
  readonly text?: string;
}

export type Display =
  | {
      readonly kind: 'text';
      /** The whole, or its head. */
      readonly text: string;
      /** Left out after the head. */
      readonly moreChars?: number;
      /** The end, after what is left out. */
      readonly tail?: string;
    }
  | {
      /** A window of a file; lines are 1-based and inclusive, and may be the cells of a notebook. */
      readonly kind: 'file';
      readonly path: string;
      readonly startLine: number;
      readonly endLine: number;
      /** Absent where nobody has counted. */
      readonly totalLines?: number;
      readonly unit?: 'cell';
    }
  | { readonly kind: 'files'; readonly paths: readonly string[]; readonly more: number }
  | { readonly kind: 'matches'; readonly groups: readonly MatchGroup[]; readonly total: number; readonly more: number }
  | {
      readonly kind: 'diff';
      readonly files: readonly FileDiff[];
      /** Files left out to stay within the bound. */
      readonly moreFiles?: number;
    }
  | {
      readonly kind: 'shell';
      readonly command: string;
      readonly cwd: string;
      /** Inside the sandbox, or outside although there is one or should be; absent where none is wanted. */
      readonly place?: 'inside' | 'outside';
      /** What it made in the sandbox that may take effect by itself, for the person to look at. */
      readonly mayTakeEffect?: readonly string[];
      /** The end of the output so far, control sequences resolved. */
      readonly tail: string;
      readonly moreChars: number;
      /** It seems to wait for somebody to type. */
      readonly waits?: true;
      /** Absent while it runs. */
      readonly exit?: { readonly code: number | null; readonly signal?: string; readonly timedOut: boolean };
    }
  | { readonly kind: 'todos'; readonly todos: readonly Todo[] }
  | {
      readonly kind: 'questions';
      readonly questions: readonly Question[];
      readonly answers: readonly QuestionAnswer[];
    };

export type DisplayKind = Display['kind'];

/** What the panel holds of one call, as JSON; more comes by range from the stored output. Source: [G8]. */
export const DISPLAY_MAX_CHARS = 16 * 1024;
