// What a command puts into history or takes to others: known before it runs by its words, and after it by looking.

export type DeedKind = 'commit' | 'push' | 'pullRequest';

/** What a run turned out to have done. */
export type Deed =
  | {
      readonly kind: 'commit';
      /** Abbreviated, as Git does. */
      readonly hash: string;
      readonly subject: string;
      /** Absent where no branch is checked out. */
      readonly branch?: string;
    }
  /** `ref` is the remote branch as Git knows it here, `origin/main`. */
  | { readonly kind: 'push'; readonly ref: string }
  /** As the program printed it. */
  | { readonly kind: 'pullRequest'; readonly url: string };
