// Cuts streaming markdown into top-level blocks, so that only the last one is parsed and drawn again when text arrives.
import { parseBlocks } from './parser';

export interface Blocks {
  /** Source of the blocks that no further text can change. Together with `live` they are the whole text. */
  readonly settled: readonly string[];
  /** What is still growing; may hold more than one block. */
  readonly live: string;
  /** Characters of `settled`. */
  readonly settledChars: number;
}

export const NO_BLOCKS: Blocks = { settled: [], live: '', settledChars: 0 };

/** Goes on from `before` when `text` begins as it did, else starts anew. */
export function growBlocks(before: Blocks, text: string): Blocks {
  const isLonger = text.length >= before.settledChars + before.live.length;
  const { settled, settledChars } = isLonger && text.startsWith(before.live, before.settledChars) ? before : NO_BLOCKS;
  const tail = text.slice(settledChars);
  const blocks = cutBlocks(tail);
  if (blocks.length === 0) return { settled, live: tail, settledChars };
  const chars = blocks.reduce((sum, block) => sum + block.length, 0);
  return {
    settled: [...settled, ...blocks],
    live: tail.slice(chars),
    settledChars: settledChars + chars,
  };
}

/**
 * The blocks that are followed by the start of another one. A last line without its end decides nothing:
 * `-` may become a rule, a heading's underline or a list.
 */
function cutBlocks(text: string): string[] {
  const { tokens } = parseBlocks(text);
  const starts = tokens.flatMap(({ level, nesting, map }) => (level === 0 && nesting >= 0 && map ? [map[0]] : []));
  const lines = lineStarts(text);
  const lastWholeLine = lines.length - 2;
  const cuts = starts.slice(1).filter((line) => line <= lastWholeLine);
  let from = 0;
  return cuts.map((line) => {
    const to = lines[line] ?? text.length;
    const block = text.slice(from, to);
    from = to;
    return block;
  });
}

/** Where each line begins; the last entry is the line after the last line feed, which may be empty. */
function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return starts;
}
