// What goes on besides the conversation, or has lately ended: the same list for the panel and the model [X06].
import type { ToolStatus } from './events';

export interface Task {
  /** The call that started it; its output is stored under this id. */
  readonly id: string;
  readonly kind: 'run';
  /** For people: "Start the server". */
  readonly title: string;
  readonly state: 'running' | 'ended';
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Epoch milliseconds; set once it has ended. */
  readonly endedAt?: number;
  /** How it ended; set once it has. */
  readonly status?: ToolStatus;
  /** Of a command that has ended; null where a signal ended it. */
  readonly exitCode?: number | null;
  /** The last lines that it has put out, at most TAIL_MAX_CHARS. */
  readonly tail: string;
  /** What it has put out before them. */
  readonly moreChars: number;
}

export const TAIL_MAX_CHARS = 1_500;
