// The rows of a transcript: what crosses to the panel, and how they change.
import type { Ask, AskAnswer } from './asks';
import type { Usage } from './blocks';
import type { ChangedFile } from './changes';
import type { Deed } from './deeds';
import type { Display } from './display';
import type { Action, ToolKind, TurnEnd } from './events';

export type ToolState = 'streaming' | 'waiting' | 'asking' | 'running' | 'done' | 'failed' | 'denied' | 'stopped';

/** A long text crosses the channel in pieces: `text` is its head, `chars` its whole length, the rest comes by range. */
export interface LongText {
  readonly text: string;
  readonly chars: number;
}

/** `more` of them are not listed. */
export interface ChangedFiles {
  readonly listed: readonly Pick<ChangedFile, 'path' | 'change'>[];
  readonly more: number;
}

interface RowBase {
  readonly id: string;
  readonly turn: string;
  readonly agent: string;
}

export type PromptRow = RowBase & { readonly type: 'prompt'; readonly images: number } & LongText;
export type TextRow = RowBase & {
  readonly type: 'text';
  readonly streaming: boolean;
  readonly interrupted: boolean;
} & LongText;
export type ThinkingRow = RowBase & { readonly type: 'thinking'; readonly streaming: boolean } & LongText;
export type ToolRow = RowBase & {
  readonly type: 'tool';
  readonly call: string;
  readonly tool: string;
  readonly kind: ToolKind;
  readonly title: string;
  readonly state: ToolState;
  /** Characters of input that have arrived, while `streaming`. */
  readonly inputChars: number;
  readonly display?: Display;
  /** Set while `asking`. */
  readonly ask?: Ask;
  readonly answer?: AskAnswer;
  /** The rule, the mode or the person that let it run, in words. */
  readonly allowedBy?: string;
  /** What a call changed that does not show its changes itself: a command, say. */
  readonly changed?: ChangedFiles;
  /** The rule that the person kept with their answer. */
  readonly kept?: string;
  readonly deeds?: readonly Deed[];
  /** While `running`: the person may send it to the background, or end it by itself. */
  readonly mayGoOn?: true;
  /** Its call is answered, it goes on. */
  readonly background?: true;
  /** The reason of a failed, denied or stopped call. */
  readonly problem?: string;
  /** Length of the whole stored output. */
  readonly wholeChars: number;
  readonly durationMs?: number;
};
export type NoticeRow = RowBase & {
  readonly type: 'notice';
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  readonly action?: Action;
  /** The names of the files where it tells of some that were put back. */
  readonly restored?: string;
};
export type RetryRow = RowBase & {
  readonly type: 'retry';
  readonly attempt: number;
  readonly attempts: number;
  readonly reason: string;
  /** Epoch milliseconds; absent once the next attempt has begun. */
  readonly until?: number;
};
export type EndRow = RowBase & {
  readonly type: 'end';
  readonly end: TurnEnd;
  readonly usage: Usage;
  readonly durationMs: number;
};

export type Row = PromptRow | TextRow | ThinkingRow | ToolRow | NoticeRow | RetryRow | EndRow;

export type RowChange =
  /** A new row goes at the end; a known id is replaced where it stands. */
  | { readonly type: 'upsert'; readonly row: Row }
  /** More text at the end of a streaming row. */
  | { readonly type: 'append'; readonly id: string; readonly text: string }
  /** Rows are gone, or back: the last page is to be asked for anew. It holds whatever changed with it. */
  | { readonly type: 'reload' };

/** Characters of a row's text that travel with the row; also the most one range answers. */
export const ROW_TEXT_CHARS = 16 * 1024;

export function isSettled(state: ToolState): boolean {
  return state === 'done' || state === 'failed' || state === 'denied' || state === 'stopped';
}

/** A call of which nothing but its id is known yet. */
export function newToolRow(call: string, { turn, agent }: Pick<RowBase, 'turn' | 'agent'>): ToolRow {
  return {
    ...{ type: 'tool', id: call, turn, agent, call },
    ...{ tool: '', kind: 'other', title: '', state: 'streaming', inputChars: 0, wholeChars: 0 },
  };
}
