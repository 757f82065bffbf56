// A text as its lines that are not blank, and these as one stream of ink: places are looked up in it natively, in one pass.
import { foldInk } from './fold';

/** Of a run of lines. */
export interface Ink {
  /** Number of the first line. */
  readonly base: number;
  /** Per line; empty for a blank one. */
  readonly lines: readonly string[];
  /** Numbers of the lines that are not blank. */
  readonly filled: readonly number[];
  /** Where each of those starts in `stream`; one more entry says where the last one ends. */
  readonly starts: readonly number[];
  readonly stream: string;
}

/** `text` is whole lines, from line number `base` on, with `\n` as the only line ending. */
export function inkOf(text: string, base = 0): Ink {
  const lines = foldInk(text).split('\n');
  const filled: number[] = [];
  const starts: number[] = [];
  let at = 0;
  for (let line = 0; line < lines.length; line++) {
    const { length } = lines[line] ?? '';
    if (length === 0) continue;
    filled.push(base + line);
    starts.push(at);
    at += length;
  }
  starts.push(at);
  return { base, lines, filled, starts, stream: lines.join('') };
}

/** Ink of the filled line at a position. */
export function filledInk({ base, lines, filled }: Ink, position: number): string {
  return lines[(filled[position] ?? 0) - base] ?? '';
}

/** Position of the filled line that starts at an offset of the stream; undefined when none does. */
export function filledAt({ starts }: Ink, offset: number): number | undefined {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return starts[low] === offset ? low : undefined;
}
