// What stays in memory of an output that may be a gigabyte: its two ends and its size.

export interface Excerpt {
  /** The first characters; the whole output when `chars` is not more. */
  readonly head: string;
  /** The last characters; overlaps `head` in a short output. */
  readonly tail: string;
  readonly chars: number;
  readonly newlines: number;
}

/** Collects an excerpt of at least `keepChars` at each end. */
export class ExcerptCollector {
  private head = '';
  private tail = '';
  private chars = 0;
  private newlines = 0;

  constructor(private readonly keepChars: number) {}

  push(text: string): void {
    this.chars += text.length;
    this.newlines += countNewlines(text);
    if (this.head.length < this.keepChars) this.head += text.slice(0, this.keepChars - this.head.length);
    this.tail += text.slice(-this.keepChars);
    if (this.tail.length > 2 * this.keepChars) this.tail = this.tail.slice(-this.keepChars);
  }

  excerpt(): Excerpt {
    const { head, chars, newlines } = this;
    return { head, tail: this.tail.slice(-this.keepChars), chars, newlines };
  }
}

export function excerptOf(text: string): Excerpt {
  return { head: text, tail: text, chars: text.length, newlines: countNewlines(text) };
}

export function countNewlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++;
  return count;
}
