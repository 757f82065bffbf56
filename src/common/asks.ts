// What the agent can ask a person, and how a person can answer.
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
  /** What "allow for this session" would add, in words and as a rule; absent when nothing lasting may be granted. */
  readonly grant?: { readonly label: string; readonly rule: string };
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
  | { readonly kind: 'permission'; readonly decision: 'once' | 'session' | 'deny'; readonly note?: string }
  | { readonly kind: 'question'; readonly answers: readonly QuestionAnswer[] }
  /** Nobody answered: the turn was stopped, or there is no person. */
  | { readonly kind: 'dismissed'; readonly reason: string };
