// What a repository's history looks like from outside, as a port: told by plumbing that only reads.
import type { Path } from './host';

export interface HistoryState {
  /** Undefined before the first commit. */
  readonly commit: string | undefined;
  /** Undefined where no branch is checked out. */
  readonly branch: string | undefined;
  /** The commit of each remote branch as it is known here, by its name: `origin/main`. */
  readonly remotes: ReadonlyMap<string, string>;
}

export interface Commit {
  /** Abbreviated. */
  readonly hash: string;
  /** The first line of its message. */
  readonly subject: string;
}

/** Runs nothing that the repository configures (S13). Never throws. */
export interface History {
  /** Of the repository that the folder lies in; undefined where there is none, or no Git. */
  state(folder: Path, signal: AbortSignal): Promise<HistoryState | undefined>;
  /** Those that `to` has and `from` has not, the latest first. */
  commits(
    folder: Path,
    range: { readonly from?: string; readonly to: string; readonly max: number },
  ): Promise<readonly Commit[]>;
  /** Those of these remote branches that a push from here has moved last, as far as that is noted: a fetch moves them too. */
  pushed(folder: Path, remotes: readonly string[]): Promise<readonly string[]>;
}
