// Everything that happens in a session, as one flat union in lifecycle order. The panel, the session file, the headless runner and the tests all consume it.
import type { Ask, AskAnswer } from './asks';
import type { AssistantBlock, ImageBlock, StopReason, Usage } from './blocks';
import type { ChangedFile } from './changes';
import type { Deed } from './deeds';
import type { Display, Todo } from './display';
import type { JsonObject } from './json';
import type { Mode } from './modes';

export type ToolKind = 'read' | 'edit' | 'search' | 'shell' | 'web' | 'agent' | 'plan' | 'ask' | 'other';

export type ToolStatus = 'done' | 'failed' | 'denied' | 'stopped';

/** A tool as the model sees it. */
export interface ToolDefinition {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
}

/** A tool result that left the requests, and the text that stands there instead from then on. */
export interface PrunedResult {
  readonly call: string;
  readonly text: string;
}

export type TurnEnd =
  | 'done'
  /** The person stopped it. */
  | 'stopped'
  | 'refused'
  /** A hook of the person's did not let the prompt through: the model never sees it. */
  | 'blocked'
  | 'output_limit'
  | 'context_limit'
  /** It went round in circles, and the person ended it or nobody was there to ask. */
  | 'repetition'
  /** The provider failed for good, or the agent met a bug of its own; a notice before it says which. */
  | 'failed';

export interface Action {
  readonly title: string;
  /** One of the extension's own commands. */
  readonly command: string;
}

export type EventBody =
  /** `imported`: what follows was written elsewhere, by whoever. */
  | {
      readonly type: 'session/started';
      readonly roots: readonly string[];
      readonly mode: Mode;
      readonly imported?: true;
    }
  /** What the person calls it stays, whatever the model calls it later. */
  | { readonly type: 'session/titled'; readonly title: string; readonly by: 'model' | 'person' }
  | { readonly type: 'session/archived'; readonly archived: boolean }
  /** All before this was copied from session `from`: what came before its turn `to`, or all of it. */
  | { readonly type: 'session/forked'; readonly from: string; readonly to?: string }
  | { readonly type: 'turn/started'; readonly text: string; readonly images?: readonly ImageBlock[] }
  /** Something the model is told besides the prompt (date, mode, todos, open editors): joins the next user message and stays. */
  | { readonly type: 'note/appended'; readonly about: string; readonly text: string }
  /** The request's frozen head: sent byte for byte the same from here until the next such event. */
  | { readonly type: 'prompt/frozen'; readonly system: readonly string[]; readonly tools: readonly ToolDefinition[] }
  | { readonly type: 'request/started'; readonly model: string; readonly attempt: number; readonly transient: true }
  | { readonly type: 'text/delta'; readonly block: string; readonly text: string; readonly transient: true }
  | { readonly type: 'thinking/delta'; readonly block: string; readonly text: string; readonly transient: true }
  /** A tool call is being written; `chars` of its input have arrived. */
  | {
      readonly type: 'tool/streaming';
      readonly call: string;
      readonly tool: string;
      readonly chars: number;
      readonly transient: true;
    }
  /** `interrupted`: the stream broke or was stopped inside this block; what had arrived is kept. */
  | {
      readonly type: 'block/finished';
      readonly block: string;
      readonly content: AssistantBlock;
      readonly interrupted?: true;
    }
  | {
      readonly type: 'message/finished';
      readonly stopReason: StopReason | 'interrupted';
      readonly usage: Usage;
      readonly model: string;
    }
  | {
      readonly type: 'tool/queued';
      readonly call: string;
      readonly tool: string;
      readonly kind: ToolKind;
      readonly title: string;
    }
  | { readonly type: 'ask/opened'; readonly call: string; readonly ask: Ask }
  | { readonly type: 'ask/closed'; readonly call: string; readonly ask: string; readonly answer: AskAnswer }
  /** `allowedBy`: the rule, the mode or the person that let it run, in words. `mayGoOn`: the person may send it to the background, or end it by itself. */
  | { readonly type: 'tool/started'; readonly call: string; readonly allowedBy?: string; readonly mayGoOn?: true }
  | { readonly type: 'tool/progress'; readonly call: string; readonly display: Display; readonly transient: true }
  | {
      readonly type: 'tool/finished';
      readonly call: string;
      readonly status: ToolStatus;
      /** What the model gets. */
      readonly text: string;
      readonly images?: readonly ImageBlock[];
      readonly display?: Display;
      /** For people, where `display` shows the output already: why it did not go well. */
      readonly problem?: string;
      /** The call is answered, its run goes on; how it ends is told in a note about `run` and the call's id, or to a call that ends it. */
      readonly background?: true;
      /** Length of the whole output, which the store keeps under the call's id. */
      readonly wholeChars: number;
      readonly durationMs: number;
    }
  /** A run in the background, whose call was answered before, has ended. */
  | {
      readonly type: 'tool/ended';
      readonly call: string;
      /** Absent where the process that ran it is gone. */
      readonly title?: string;
      /** The model ended it by a call, whose result tells how: no note does. */
      readonly told?: true;
      readonly status: ToolStatus;
      readonly display?: Display;
      readonly wholeChars: number;
      /** Of the whole run. */
      readonly durationMs: number;
    }
  /** Something goes on in the background, has ended, or has put out more. */
  | { readonly type: 'tasks/changed'; readonly transient: true }
  /** These results have left the requests to make room; the texts are kept here, so that the same bytes are sent for ever. */
  | { readonly type: 'results/pruned'; readonly results: readonly PrunedResult[] }
  /** What a call did to files. It comes before the call's `tool/finished`. */
  | { readonly type: 'files/changed'; readonly call: string; readonly files: readonly ChangedFile[] }
  /** What a call put into history or took to others. It may come after the call's `tool/finished`, from a run in the background. */
  | { readonly type: 'deeds/done'; readonly call: string; readonly deeds: readonly Deed[] }
  /**
   * Files were put back to what they were before turn `to`, or such a restore was taken back (`undoes`: the `seq` of its
   * event). `files` says what that changed, so a restore is a checkpoint like any other.
   */
  | {
      readonly type: 'files/restored';
      readonly to: string;
      readonly undoes?: number;
      readonly files: readonly ChangedFile[];
      /** Paths of them that are hidden from the agent, so that it is not told. */
      readonly untold?: readonly string[];
    }
  /** The conversation goes on from before turn `to`: that turn and all later ones are out of it. */
  | { readonly type: 'conversation/rewound'; readonly to: string }
  /** The latest rewinding of the conversation that still holds is taken back. */
  | { readonly type: 'conversation/restored' }
  | { readonly type: 'todos/changed'; readonly todos: readonly Todo[] }
  | { readonly type: 'mode/changed'; readonly mode: Mode }
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warning' | 'error';
      readonly text: string;
      readonly action?: Action;
    }
  /** The countdown before the next attempt. */
  | {
      readonly type: 'retry/waiting';
      readonly attempt: number;
      readonly attempts: number;
      readonly delayMs: number;
      readonly reason: string;
      readonly transient: true;
    }
  | { readonly type: 'turn/finished'; readonly end: TurnEnd; readonly usage: Usage; readonly durationMs: number };

/** Where and when: `seq` counts every event of a session, `time` is epoch milliseconds. */
export interface EventStamp {
  readonly seq: number;
  readonly time: number;
  readonly session: string;
  readonly turn: string;
  readonly agent: string;
}

export type AgentEvent = EventStamp & EventBody;
export type EventType = EventBody['type'];
export type EventOf<T extends EventType> = Extract<AgentEvent, { readonly type: T }>;

/** The agent that talks with the person; sub-agents have names of their own. */
export const MAIN_AGENT = 'main';

export function isTransient(event: EventBody): boolean {
  return 'transient' in event;
}
