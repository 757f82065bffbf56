// What one turn of one agent works with: built by the session for each prompt, read by the loop.
import type { EventBody } from '../../common/events';
import type { ReadState } from '../files/readState';
import type { Host } from '../host';
import type { ModelInfo, Provider } from '../provider/types';
import type { TurnTools } from '../tool/turnTools';
import type { Conversation } from './conversation';
import type { Note } from './notes';
import type { Head } from './prompt';

export interface Turn {
  readonly host: Host;
  readonly provider: Provider;
  readonly model: ModelInfo;
  readonly head: Head;
  /** Has folded every event that was emitted so far. */
  readonly conversation: Conversation;
  readonly tools: TurnTools;
  readonly reads: ReadState;
  /** Aborts when the person stops the turn. */
  readonly signal: AbortSignal;
  /** Must not throw. */
  emit(event: EventBody): void;
  /** What the model has not been told yet. */
  dueNotes(at: { readonly isTurnStart: boolean }): readonly Note[];
}
