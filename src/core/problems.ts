// The port for what language services find wrong in files. Only an editor has it.
import type { Path } from './host';

export interface Problem {
  readonly path: Path;
  /** 0-based. */
  readonly line: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
  readonly code?: string;
  /** Who says so: "ts", "eslint". */
  readonly source?: string;
}

export interface Problems {
  /** To be called before these files are changed; problems in them are told by the paths as they are given here. Never rejects. */
  watch(paths: readonly Path[]): Promise<ProblemWatch>;
}

export interface Settled {
  /** All errors and warnings that are known now. */
  readonly problems: readonly Problem[];
  /** The files of which something was told since they were changed; what is known of the others is what was known before. */
  readonly looked: ReadonlySet<Path>;
}

export interface ProblemWatch {
  /** All errors and warnings that were known when the watch began. */
  readonly before: readonly Problem[];
  /**
   * Once the language services have looked at the files again: waited for by event, within limits; not at all where they never
   * said anything of such files. Resolves at once when `signal` aborts. Never rejects.
   */
  settled(signal: AbortSignal): Promise<Settled>;
  /** Where nobody wants to know any more. */
  dispose(): void;
}
