// Review: what the agent has changed and the person has neither kept nor undone yet. Plain data; the surfaces are the editor's.
import type { EditOrigin, Path, Splice } from '../host';

/** A run of changed lines. Lines are 0-based; a range without lines lies before its `start`. */
export interface ReviewHunk {
  /** Stays the same while lines above it come and go. */
  readonly id: string;
  /** In the text as it is now: [start, end). */
  readonly start: number;
  readonly end: number;
  /** In the baseline: [baseStart, baseEnd). */
  readonly baseStart: number;
  readonly baseEnd: number;
  /** The calls that wrote it, latest last; never empty. */
  readonly origins: readonly EditOrigin[];
}

export interface ReviewedFile {
  readonly path: Path;
  readonly change: 'created' | 'edited' | 'deleted' | 'moved';
  /** What it was called in the baseline, where it was moved. */
  readonly from?: Path;
  /** Lines. */
  readonly added: number;
  readonly removed: number;
  /** The sessions whose calls are in it. */
  readonly sessions: readonly string[];
}

/** What has to be done to the file so that hunks, or all of it, are as in the baseline. It holds for the text `before` alone. */
export type UndoPlan =
  | { readonly kind: 'edit'; readonly path: Path; readonly before: string; readonly splices: readonly Splice[] }
  /** The agent made it. */
  | { readonly kind: 'remove'; readonly path: Path; readonly before: string }
  /** The agent deleted it. */
  | { readonly kind: 'recreate'; readonly path: Path; readonly text: string }
  | {
      readonly kind: 'move';
      readonly path: Path;
      readonly to: Path;
      readonly before: string;
      readonly splices: readonly Splice[];
    };

/** What a person rejected, for the model. */
export interface Rejection {
  readonly session: string;
  readonly path: Path;
  readonly calls: readonly string[];
  /** Unified diff of what was taken back, bounded. */
  readonly diff: string;
  /** What each hunk was, as a hash: the person may take this back too. */
  readonly hunks: readonly string[];
}

/** All files under review in a window. Nothing throws for a path that is not under review. */
export interface Reviews {
  /** By path: in the order of the latest change a file would move away while it is being reviewed. */
  files(): readonly ReviewedFile[];
  /** Sorted, never touching each other; none for a file that the agent deleted. */
  hunks(path: Path): readonly ReviewHunk[];
  /** The text from before the agent, with the person's own later edits in it; undefined when not under review; of a file that the agent made, what the person added. */
  baseline(path: Path): string | undefined;
  /** Under review, or it was until a moment ago and is again when that is taken back: `personChanged` should hear of it. */
  isFollowed(path: Path): boolean;
  /** Who wrote that 0-based line of the text as it is now; undefined when it was not the agent. */
  originOf(path: Path, line: number): EditOrigin | undefined;

  /** An agent's change took effect. `before` or `after` undefined: the file was or is not there. */
  agentChanged(change: {
    readonly path: Path;
    readonly before: string | undefined;
    readonly after: string | undefined;
    readonly origin: EditOrigin;
    readonly movedTo?: Path;
  }): void;
  /** The person (or anything but the agent) changed the text: where no change of the agent's is touched, the baseline follows. */
  personChanged(path: Path, after: string | undefined): void;
  personMoved(path: Path, to: Path): void;
  /** A restore or an undo put this text there: the baseline stays, what equals it is no hunk any more. */
  restored(path: Path, after: string | undefined): void;

  /** The change is the person's now. Without `hunks`: the whole file. */
  keep(path: Path, hunks?: readonly string[]): void;
  /** Changes nothing: after the plan was carried out, `restored` tells so. Without `hunks`: the whole file. */
  planUndo(
    path: Path,
    hunks?: readonly string[],
  ): { readonly plan: UndoPlan; readonly rejections: readonly Rejection[] } | undefined;

  /** What was rejected is under review again: the editor's undo has brought it back. */
  isBack(rejection: Rejection): boolean;

  /** With the paths concerned. Returns the way to unsubscribe. */
  subscribe(listener: (paths: readonly Path[]) => void): () => void;
}
