// What a matcher of the cascade is: it finds places of the original text, and says what each would become.
import type { TextView } from './lines';

/** What the model asked for, with `\n` as the only line ending. */
export interface Wanted {
  readonly oldText: string;
  readonly newText: string;
}

/** Offsets count in the view's `lf`. Nothing outside of [start, end) can change. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** What stands there afterwards: the new text, moved to the place's own indentation where that differs. */
  readonly text: string;
  /** 0 to 1: how much of the old text is there as it was written. */
  readonly similarity: number;
}

export interface Matcher {
  /** Names the stage in results. */
  readonly name: string;
  /** Every place, in text order; they may overlap. */
  find(view: TextView, wanted: Wanted): readonly Place[];
}
