// One form that secrets have in texts.

export interface Form {
  /** Tried first where the whole pattern would be slow on texts that hold none. */
  readonly marks?: RegExp;
  /**
   * Global, with the group `secret` and, where something comes before it, the group `before`. May not take more than linear time:
   * what repeats without a bound must not be entered again at each of its characters.
   */
  readonly pattern: RegExp;
  /** Absent: every match is one. */
  readonly isSecret?: (found: Found) => boolean;
}

export interface Found {
  readonly secret: string;
  readonly before: string;
  /** The whole text, and where the secret begins and ends in it. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}
