// What the agent can ask a person, and how a person can answer.
import type { DeedKind } from './deeds';
import type { Display, Question, QuestionAnswer } from './display';

export interface PermissionAsk {
  readonly kind: 'permission';
  readonly id: string;
  readonly call: string;
  /** Name of the sub-agent that asks; absent for the main one. */
  readonly agent?: string;
  readonly tool: string;
  readonly title: string;
  readonly preview?: Display;
  /** Why this needs a person, most important first, for example "Outside the workspace: /etc/hosts". */
  readonly reasons: readonly string[];
  /** What may be allowed for longer than this once, the narrowest first; absent when nothing lasting may be granted. */
  readonly grants?: readonly GrantOffer[];
  /** A command part by part, as it is understood. */
  readonly parts?: readonly AskPart[];
  /** Parts left out, the least risky. */
  readonly moreParts?: number;
  /** What a command puts into history or takes to others, whatever the rules say. */
  readonly deeds?: readonly DeedKind[];
  /** What the person may change before it is allowed. */
  readonly proposal?: Proposal;
  /** Of the call, byte for byte, and of what is shown of it: an answer holds for this one only. */
  readonly digest?: string;
}

/** A command, or the text that a file is to have. Absent is a text too long for the panel: the host holds it, and an editor shows it. */
export type Proposal =
  | { readonly kind: 'command'; readonly text?: string }
  | {
      readonly kind: 'file';
      /** Of a part of a file (a cell of a notebook): a name below the file’s, with the ending of the part’s own language. */
      readonly path: string;
      readonly text?: string;
      /** The part as it is now; absent where the text is that of the whole file. */
      readonly before?: string;
    };

export interface GrantOffer {
  /** In words, for example "this exact command". */
  readonly label: string;
  /** What would be kept, shown before it is. */
  readonly rule: string;
  /** Whether it may be kept in the person's settings too. */
  readonly mayLast: boolean;
}

/** One simple command and what is thought of it. */
export interface AskPart {
  readonly text: string;
  /** It only reads, a rule allows it, or it is why the person is asked. */
  readonly verdict: 'reads' | 'allowed' | 'asks';
  /** The rule that allows it, or what to know of it, in words. */
  readonly notes: readonly string[];
}

export interface QuestionAsk {
  readonly kind: 'question';
  readonly id: string;
  readonly call: string;
  readonly agent?: string;
  readonly questions: readonly Question[];
}

export type Ask = PermissionAsk | QuestionAsk;

export type AskAnswer =
  | {
      readonly kind: 'permission';
      /** `session` and `always` keep one of the offered grants. */
      readonly decision: 'once' | 'session' | 'always' | 'deny';
      /** Which of the offered grants, from 0; the first where absent. */
      readonly grant?: number;
      readonly note?: string;
      /** The digest of the ask that the person has seen; a panel's answer to another one is dropped. */
      readonly digest?: string;
      /** What the person made of the proposal; that is what runs, once. */
      readonly changed?: string;
    }
  | { readonly kind: 'question'; readonly answers: readonly QuestionAnswer[] }
  /** Nobody answered: the turn was stopped, or there is no person. */
  | { readonly kind: 'dismissed'; readonly reason: string };
