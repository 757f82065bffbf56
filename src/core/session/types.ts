// A session as its owners see it: the panel bridge, the headless runner, the tests.
import type { Ask, AskAnswer } from '../../common/asks';
import type { Todo } from '../../common/display';
import type { AgentEvent, TurnEnd } from '../../common/events';
import type { Mode } from '../../common/modes';
import type { Task } from '../../common/tasks';
import type { Transcript } from '../../common/transcript';
import type { RowChange } from '../../common/rows';
import type { Note } from '../agent/notes';
import type { Checkpoints, SnapshotChange } from '../checkpoint/types';
import type { Asker, EditOrigin, Host } from '../host';
import type { OutputMemory } from '../output/memory';
import type { OutputReader } from '../output/types';
import type { StartProgram } from '../program';
import type { Provider } from '../provider/types';
import type { SessionIndex } from '../sessions/sessionIndex';
import type { Tool } from '../tool/tool';
import type { StandingPrompt } from './history';

/** Tools that come from elsewhere than the extension. */
export interface ConnectedTools {
  /** What is there now, by name: the same array while nothing has changed. */
  tools(): readonly Tool[];
  /** For the person: what did not come, and why. */
  readonly problems: readonly string[];
}

export interface SessionOptions {
  readonly host: Host;
  readonly tools: readonly Tool[];
  /**
   * Called once, before the session's first request, and should take a few seconds at most. What is known then may be part of
   * each request; what comes later is found by search.
   */
  readonly connected?: () => Promise<ConnectedTools>;
  /** Called before each turn, so that a new key or endpoint counts from the next prompt on. */
  readonly provider: () => Promise<Provider>;
  readonly asker: Asker;
  /** Shared by the sessions of a window, so that all their outputs together stay bounded; one of its own where absent. */
  readonly outputMemory?: OutputMemory;
  /** The window's index of sessions, told after each turn; without it a list of sessions looks for itself. */
  readonly index?: Pick<SessionIndex, 'note'>;
  /** Starts the person’s hooks. */
  readonly start: StartProgram;
  /**
   * What the model should know of things outside the session, such as a rejected change: told with the next request, once, and
   * again when that was rewound away, where it is about `REVIEW_NOTE`.
   */
  readonly news?: (session: string) => readonly Note[];
  /** Told of what commands have changed, when it is recorded. */
  readonly onCommandChanges?: (changes: readonly SnapshotChange[], origin: EditOrigin) => void;
  /**
   * Keeps a rule in the person's own `permission.allow`, after they have seen and chosen it; false where that failed, which is
   * then told. Nothing is offered for longer than the session where absent. Never rejects.
   */
  readonly keepRule?: (rule: string) => Promise<boolean>;
  /** The setting `permission.mode` when absent. */
  readonly mode?: Mode;
  /** Overrides the setting `model`. */
  readonly model?: string;
  /** Goes on with a stored session: transcript and conversation are there again; grants, mode and read records are not. */
  readonly resume?: string;
}

export interface Session {
  readonly id: string;
  readonly transcript: Transcript;
  readonly outputs: OutputReader;
  readonly checkpoints: Checkpoints;
  isRunning(): boolean;
  mode(): Mode;
  setMode(mode: Mode): void;
  todos(): readonly Todo[];
  /** What answers, as people read it; `isDemo` once the provider is known. */
  model(): {
    readonly label: string;
    readonly isDemo: boolean;
    readonly contextTokens: number;
    readonly contextWindow: number;
  };
  /**
   * Called with every event, transient ones too, in order, after it was folded into the transcript, and with what the fold
   * changed there. Returns the way to unsubscribe.
   */
  subscribe(listener: (event: AgentEvent, changes: readonly RowChange[]) => void): () => void;
  /**
   * Runs one turn. Never rejects: what goes wrong is an event. A prompt during a turn is refused with `busy`, one in a session
   * that is only read with `readonly`.
   */
  prompt(text: string): Promise<TurnEnd | 'busy' | 'readonly'>;
  stop(): void;
  /** What goes on in the background, and what has ended there since the last prompt. */
  tasks(): readonly Task[];
  /** Answers a running call while its run goes on; the newest one where none is named. `full`: too many go on already. */
  continueInBackground(call?: string): 'released' | 'none' | 'full';
  /** Ends one run and nothing else, in the background or not; the newest one that a call waits for where none is named. False when there is none. */
  stopRun(call?: string): boolean;
  /** Those that the conversation holds, oldest first. */
  prompts(): readonly StandingPrompt[];
  /**
   * The conversation goes on from before that turn, one of `prompts`. False while a turn runs, and for a turn that is none of
   * them. What is allowed and the mode stay; runs in the background go on.
   */
  rewind(turn: string): boolean;
  /** Takes back the latest rewinding that no prompt has followed. False when there is none, and while a turn runs. */
  undoRewind(): boolean;
  readonly canUndoRewind: boolean;
  /** What it is called: the title it was given, else its first prompt on one line. `by` is absent where nobody gave it one. */
  title(): { readonly text: string; readonly by?: 'model' | 'person' };
  /** The person's title outranks the model's, which is then dropped. False where the session is only read. */
  rename(title: string, by: 'model' | 'person'): boolean;
  /** False where the session is only read. */
  archive(archived: boolean): boolean;
  /** Set where nothing can be said in it, as a sentence for the person: it is shown as it was found, and its file is left alone. */
  readonly readOnlyBecause: string | undefined;
  /** Resolves when everything said so far is on disk. */
  flush(): Promise<void>;
  /** Stops what runs; resolves when its turn has ended and that is on disk. */
  close(): Promise<void>;
  dispose(): void;
}

/** A queue of asks that a panel answers: the interactive `Asker`. */
export interface AskQueue extends Asker {
  /** False when nobody waits for that ask any more: the answer is dropped. */
  answer(ask: string, answer: AskAnswer): boolean;
  readonly pending: number;
  /** The ask as it was asked, texts of any length included; undefined when nobody waits for it any more. */
  waiting(ask: string): Ask | undefined;
}
