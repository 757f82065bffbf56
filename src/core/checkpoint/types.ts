// What is kept so that a prompt's changes can be taken back: the ports, and what a session offers.
import type { ChangedFile } from '../../common/changes';
import type { Path } from '../host';

/** One prompt, and the files that its turn has changed. */
export interface Checkpoint {
  readonly turn: string;
  readonly prompt: string;
  /** Epoch milliseconds. */
  readonly time: number;
  readonly files: readonly Path[];
}

/**
 * `ready`: as the agent left it. `changed`: the person or another program has changed it since; it is kept unless chosen.
 * `lost`: what it was is not known or not kept any more. `same`: it is already as it would be.
 */
export type RestoreState = 'ready' | 'changed' | 'lost' | 'same';

export interface RestoreFile {
  readonly path: Path;
  readonly effect: 'restore' | 'remove' | 'recreate';
  readonly state: RestoreState;
  /** Why it is lost, or what the person should know of it. */
  readonly reason?: string;
}

export interface RestorePreview {
  readonly turn: string;
  readonly files: readonly RestoreFile[];
}

export type RestoreOutcome =
  | { readonly ok: true; readonly files: readonly ChangedFile[]; readonly kept: readonly RestoreFile[] }
  /** Nothing was changed. */
  | { readonly ok: false; readonly reason: string };

/** A session's checkpoints. None of it rejects. */
export interface Checkpoints {
  /** One a prompt, oldest first; those of prompts that changed no file too. */
  list(): readonly Checkpoint[];
  /** What putting the files back to before that turn would do. */
  preview(turn: string): Promise<RestorePreview>;
  /**
   * All or nothing; a checkpoint itself. `include`: those in state `changed` that are restored all the same. `leave`: those in
   * state `ready` that stay as they are.
   */
  restore(turn: string, include: readonly Path[], leave?: readonly Path[]): Promise<RestoreOutcome>;
  /** Takes the latest restore back, and then the one before it. `include` as above. */
  undo(include: readonly Path[]): Promise<RestoreOutcome>;
  readonly canUndo: boolean;
}

/** What a command does not announce: the files below the roots, looked at before it and compared after it. */
export interface Snapshots {
  /** Never rejects: what could not be looked at is in `unseen`, in words for the person. */
  take(roots: readonly Path[], signal: AbortSignal): Promise<Snapshot>;
  /** These were changed by somebody who tells so himself: snapshots that wait to be compared take them as they are now. Never rejects. */
  refresh(paths: readonly Path[]): Promise<void>;
}

export interface Snapshot {
  readonly unseen: readonly string[];
  /** What it was taken for goes on while others change files: those who do not tell so are the person, for now. */
  goesOn(): void;
  /** What is different now, which other snapshots that wait to be compared then take as it is; to be called once. Never rejects; nothing when the signal has aborted. */
  changes(signal: AbortSignal): Promise<readonly SnapshotChange[]>;
}

export interface SnapshotChange {
  readonly path: Path;
  readonly change: 'created' | 'edited' | 'deleted';
  /** The bytes from before and the file's mode; absent for what was not there, or was not kept: `lost` says why. */
  readonly before?: { readonly bytes: Uint8Array; readonly mode?: number };
  readonly lost?: string;
}
