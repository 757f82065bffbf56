// The one channel between the panel and the host: requests with answers one way, events the other. No message is over 64 KB.
import type { AskAnswer } from './asks';
import type { ChangedFile } from './changes';
import type { Todo } from './display';
import type { Mode } from './modes';
import type { Row, RowChange } from './rows';
import type { Task } from './tasks';

/** The most one message may weigh as JSON, in UTF-16 units. Source: [G8]. */
export const MESSAGE_MAX_CHARS = 64 * 1024;

/** What waits for the person's review. */
export interface ReviewState {
  /** The first of them. */
  readonly listed: readonly ReviewItem[];
  /** Of all. */
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Counts are lines. */
export interface ReviewItem {
  readonly path: string;
  /** The path as people read it. */
  readonly name: string;
  readonly change: ChangedFile['change'];
  readonly added: number;
  readonly removed: number;
}

export type ReviewAction = 'open' | 'keep' | 'undo';

/** What surrounds the transcript. */
export interface PanelState {
  readonly sessionId: string;
  readonly running: boolean;
  readonly mode: Mode;
  /** The model that will answer next, as people read it. */
  readonly model: string;
  /** The built-in demo answers: no key and no endpoint is set. */
  readonly isDemo: boolean;
  readonly hasWorkspace: boolean;
  /** The workspace is not trusted: it is only read. */
  readonly isRestricted: boolean;
  readonly todos: readonly Todo[];
  /** Tokens of the last request, and the model's window; 0 when not known yet. */
  readonly contextTokens: number;
  readonly contextWindow: number;
  readonly review: ReviewState;
  /** What goes on in the background, and what has ended there since the last prompt. */
  readonly tasks: readonly Task[];
}

export interface Page {
  readonly rows: readonly Row[];
  /** Earlier rows exist. */
  readonly more: boolean;
}

/** Panel to host: `name: [payload, answer]`. Every payload names the session it was drawn from. */
export interface Requests {
  'panel/ready': [
    { readonly sessionId?: string },
    { readonly state: PanelState; readonly page: Page; readonly seq: number; readonly draft: string },
  ];
  /** The person works in this panel now: what commands do is meant for it. */
  'panel/focused': [{ readonly sessionId?: never }, void];
  'rows/before': [{ readonly sessionId: string; readonly row: string }, Page];
  /** The rest of a long text, from `offset`; empty at its end. */
  'row/text': [
    { readonly sessionId: string; readonly row: string; readonly offset: number },
    { readonly text: string },
  ];
  /** A piece of a call's whole output; offsets are bytes, `next` is where to go on, `bytes` the length so far. */
  'output/range': [
    { readonly sessionId: string; readonly call: string; readonly offset: number },
    { readonly text: string; readonly next: number; readonly bytes: number },
  ];
  'prompt/send': [
    { readonly sessionId: string; readonly text: string },
    { readonly accepted: boolean; readonly problem?: string },
  ];
  'draft/save': [{ readonly sessionId: string; readonly text: string }, void];
  'turn/stop': [{ readonly sessionId: string }, void];
  'ask/answer': [
    { readonly sessionId: string; readonly ask: string; readonly answer: AskAnswer },
    { readonly accepted: boolean },
  ];
  /** Opens what a call proposes in an editor, to be changed. */
  'proposal/open': [{ readonly sessionId: string; readonly ask: string }, { readonly opened: boolean }];
  /** Allows the call once, with the text that the editor holds. */
  'proposal/apply': [
    { readonly sessionId: string; readonly ask: string; readonly digest: string },
    { readonly accepted: boolean },
  ];
  'mode/set': [{ readonly sessionId: string; readonly mode: Mode }, void];
  'session/new': [{ readonly sessionId: string }, void];
  'file/open': [{ readonly sessionId: string; readonly path: string; readonly line?: number }, void];
  /** Opens the diff of an edit call in an editor. */
  'diff/open': [{ readonly sessionId: string; readonly call: string; readonly path: string }, void];
  /** All files under review, or the one that is named. */
  'review/act': [{ readonly sessionId: string; readonly action: ReviewAction; readonly path?: string }, void];
  /** Asks the person what to put back, and does it. */
  'rewind/start': [{ readonly sessionId: string; readonly turn: string }, void];
  /** The terminal of a run in the background, else the session's. */
  'terminal/show': [{ readonly sessionId: string; readonly call?: string }, void];
  /** Ends one run, in the background or not, and nothing else. */
  'run/stop': [{ readonly sessionId: string; readonly call: string }, void];
  /** Its call is answered, it goes on. */
  'run/release': [{ readonly sessionId: string; readonly call: string }, void];
  'link/open': [{ readonly sessionId: string; readonly url: string }, void];
  /** Runs one of the extension's own palette commands. */
  'command/run': [{ readonly sessionId: string; readonly command: string }, void];
}

export type RequestName = keyof Requests;
export type RequestOf<N extends RequestName> = Requests[N][0];
export type AnswerOf<N extends RequestName> = Requests[N][1];
export type Handlers = { readonly [N in RequestName]: (payload: RequestOf<N>) => Promise<AnswerOf<N>> };

export type HostEventBody =
  | { readonly type: 'rows'; readonly changes: readonly RowChange[] }
  | { readonly type: 'state'; readonly state: PanelState }
  /** Twice a second at most. */
  | { readonly type: 'tasks'; readonly tasks: readonly Task[] }
  /** Text from a command or code action lands in the composer, never sent by itself. */
  | { readonly type: 'composer/insert'; readonly text: string }
  | { readonly type: 'composer/focus' }
  /** The row is to be in view, with the focus, however far back it is. */
  | { readonly type: 'row/reveal'; readonly row: string }
  /** Another session is shown from here on: ask for its page. */
  | { readonly type: 'session/switched'; readonly sessionId: string };

/** Host to panel. `seq` counts by one per panel: after a gap the panel sends `panel/ready` again. */
export type HostEvent = { readonly seq: number } & HostEventBody;

export type ToHost = { readonly id: number } & {
  readonly [N in RequestName]: { readonly name: N; readonly payload: RequestOf<N> };
}[RequestName];

export type ToPanel =
  | { readonly type: 'event'; readonly event: HostEvent }
  | { readonly type: 'answer'; readonly id: number; readonly value: unknown }
  /** The request failed; `message` is fit to be shown. */
  | { readonly type: 'problem'; readonly id: number; readonly message: string };
