// What the model has read and still has before it: the ground for "read before you edit" and for answering a repeated read with a pointer.
import type { Path } from '../host';

/** Of what was shown but cannot be told from another version of itself, since it is too large. */
export const VERSION_NOT_KNOWN = 'not known';

export interface ReadRecord {
  /** Version of the text that the model knows. */
  readonly version: string;
  /** 1-based first line and number of lines of what was shown; absent for an edit of our own [R02]. */
  readonly window?: { readonly offset: number; readonly limit: number };
  /** 1-based lines that the model knows by now, where they are not the whole text. */
  readonly known?: { readonly first: number; readonly last: number };
  /** Something of it was shown shortened only, as long lines are: not enough to write all of it anew. */
  readonly isCut?: true;
  /** The calls whose results show what the model knows of the text, the latest last; empty where it wrote the text itself. */
  readonly calls: readonly string[];
  /** All those results are still part of the requests [R03]. */
  readonly inContext: boolean;
}

/** Keyed by real path. One per agent. */
export class ReadState {
  private readonly records = new Map<Path, ReadRecord>();

  get(path: Path): ReadRecord | undefined {
    return this.records.get(path);
  }

  set(path: Path, record: ReadRecord): void {
    this.records.set(path, record);
  }

  forget(path: Path): void {
    this.records.delete(path);
  }

  /** The results of these calls have left the requests [R03]. The version stays known, so an exact edit is still one. */
  markPruned(calls: ReadonlySet<string>): void {
    for (const [path, record] of this.records) {
      if (record.calls.some((call) => calls.has(call))) this.records.set(path, { ...record, inContext: false });
    }
  }

  /** After compaction, rewind, resume or a fork nothing counts as read [R04]. */
  clear(): void {
    this.records.clear();
  }
}
