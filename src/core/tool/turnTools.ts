// What the calls of one turn work with: built by the loop once per turn, read by `runToolCall` and `MessageCalls`.
import type { ImageBlock } from '../../common/blocks';
import type { Display } from '../../common/display';
import type { EventBody, ToolStatus } from '../../common/events';
import type { Recorder } from '../checkpoint/recorder';
import type { Hooks } from '../hooks/hooks';
import type { Asker, Host } from '../host';
import type { Outputs } from '../output/outputs';
import type { Permissions } from '../permission/permissions';
import type { Background } from './background';
import type { Gate } from './gate';
import type { Inputs } from './inputs';
import type { ToolContext } from './tool';
import type { Toolset } from './toolset';

export interface TurnTools {
  readonly host: Host;
  readonly toolset: Toolset;
  /** May be shared by all sessions: it only caches compiled schemas. */
  readonly inputs: Inputs;
  /** One per agent, kept between its turns. */
  readonly gate: Gate;
  readonly permissions: Pick<Permissions, 'decide' | 'confirm'>;
  readonly hooks: Hooks;
  /** One per session. */
  readonly outputs: Outputs;
  /** One per session: what calls do to files by themselves is noted here. */
  readonly recorder: Pick<Recorder, 'note' | 'tellUnseen'>;
  /** One per session: takes over what Stop lets go on. */
  readonly background: Background;
  readonly asker: Asker;
  /** Aborts when the person stops the turn. */
  readonly signal: AbortSignal;
  /** Must not throw. Called in the order in which things happen. */
  emit(event: EventBody): void;
  /** Called when a call's turn in the gate has come, so that mode and folder are the current ones. Passes `signal` on as `ctx.signal`. */
  contextFor(call: string, signal: AbortSignal): ToolContext;
}

/** What became of one call. There is exactly one per call, whatever happened. */
export interface ToolResult {
  readonly call: string;
  readonly status: ToolStatus;
  /** For the model; never empty. */
  readonly text: string;
  readonly images: readonly ImageBlock[];
  /** Bounded to DISPLAY_MAX_CHARS. */
  readonly display?: Display;
  /** For people, where it is not what the model is told: why it did not go well. */
  readonly problem?: string;
  /** Notes for the model that follow the results. */
  readonly context: readonly string[];
  /** Only points to an earlier result, which would be the same again. */
  readonly repeats?: true;
  /** The run goes on; how it ends is told in a note. */
  readonly background?: true;
  /** Characters of the whole output, which `Outputs` keeps under the call's id. */
  readonly wholeChars: number;
  /** From the start of the run to its end, without the wait for a person; 0 when it did not run. */
  readonly durationMs: number;
}
