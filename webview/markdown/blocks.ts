// Cuts streaming markdown into top-level blocks, so that only the last one is parsed and drawn again when text arrives.
import { parseBlocks, type Token } from './parser';

const LINE_ENDS = /\r\n?|\n/g;
const TITLE_START = /^[ \t]*["'(]/;

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
  const lines = lineStarts(text);
  const lastWholeLine = lines.length - 2;
  // The parser knows one kind of line end; the lines it counts are the same.
  const { tokens } = parseBlocks(text.replace(LINE_ENDS, '\n'));
  const blocks = tokens.filter(({ level, nesting, map }) => level === 0 && nesting >= 0 && map);
  const cuts = blocks.flatMap((block, index) => {
    const before = blocks[index - 1];
    if (!before || decidedOn(block) > lastWholeLine) return [];
    return mayContinue(before, text.slice(lines[startOf(block)]), startOf(block)) ? [] : [startOf(block)];
  });
  let from = 0;
  return cuts.map((line) => {
    const to = lines[line] ?? text.length;
    const block = text.slice(from, to);
    from = to;
    return block;
  });
}

function startOf({ map }: Token): number {
  return map?.[0] ?? 0;
}

/** The last line that was looked at to see that a block begins: of a table the one under its head. */
function decidedOn(block: Token): number {
  return block.type === 'table_open' ? startOf(block) + 1 : startOf(block);
}

/** What looks like text right under a link's definition is its title as soon as the quote is closed, on whatever line. */
function mayContinue({ type, map }: Token, next: string, nextLine: number): boolean {
  return type === 'reference_definition' && map?.[1] === nextLine && TITLE_START.test(next);
}

/** Where each line begins; the last entry is the line after the last line's end, which may be empty. */
function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(LINE_ENDS), ({ 0: end, index }) => index + end.length)];
}
