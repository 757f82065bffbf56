// The parts of a file in which a block can stand at all: around its rarest words, so that a long file is never folded whole.
import { foldTypography } from './fold';
import type { Ink } from './ink';
import { lineAt, lineCount, lineText, type TextView } from './lines';

/** Lines of the file, half-open. */
export interface Region {
  readonly from: number;
  readonly to: number;
}

/** So many lines of a block are looked for by a word of theirs: more than may differ where a place is still accepted. */
const ANCHOR_LINES = 5;
const MIN_WORD_CHARS = 4;
/** A word in more places than these singles nothing out. */
const MAX_OCCURRENCES = 200;
const SHORT_FILE_LINES = 2000;

/**
 * In text order, apart from each other. Every place with the ink of the block lies whole in one of them, and so does every
 * place with as many filled lines that has one of the block's rare words at the same position.
 */
export function regionsOf(view: TextView, block: Ink, old: readonly string[]): readonly Region[] {
  const lines = new Set<number>();
  let isSingled = false;
  for (const word of anchorsOf(block, old)) {
    const found = linesWith(view, word);
    if (!found) continue;
    isSingled = true;
    for (const line of found) lines.add(line);
  }
  // In a short file the rest of the block may still say where it would have been. The parts around so many lines would be as long as the file.
  const isMuch = lines.size * 2 * block.lines.length > lineCount(view);
  const isNowhere = lines.size === 0 && lineCount(view) <= SHORT_FILE_LINES;
  if (!isSingled || isMuch || isNowhere) return [{ from: 0, to: lineCount(view) }];
  return joined([...lines].sort((a, b) => a - b).map((line) => around(view, line, block)));
}

/** Undefined for a word that stands in too many of them. */
function linesWith(view: TextView, word: string): readonly number[] | undefined {
  const lines: number[] = [];
  for (let at = view.lf.indexOf(word); at !== -1; at = view.lf.indexOf(word, at + word.length)) {
    if (lines.length === MAX_OCCURRENCES) return undefined;
    lines.push(lineAt(view, at));
  }
  return lines;
}

/** The longest plain word of each of the lines with the longest ones. A plain word stands in every reading of its line. */
function anchorsOf({ filled }: Ink, old: readonly string[]): string[] {
  const words = filled
    .map((line) => longestWord(foldTypography(old[line] ?? '')))
    .filter((word) => word.length >= MIN_WORD_CHARS);
  return [...new Set(words.sort((a, b) => b.length - a.length))].slice(0, ANCHOR_LINES);
}

function longestWord(line: string): string {
  return (line.match(/\w+/g) ?? []).reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

/** Far enough both ways for the block to reach past the line, in lines and in ink. */
function around(view: TextView, line: number, block: Ink): Region {
  const reach = (step: -1 | 1) => {
    let [at, lines, ink] = [line, 0, 0];
    while (at >= 0 && at < lineCount(view) && (lines <= block.filled.length || ink <= block.stream.length)) {
      const { length } = lineText(view, at).replace(/\s+/g, '');
      if (length > 0) lines++;
      ink += length;
      at += step;
    }
    return at;
  };
  const blanks = block.lines.length;
  return { from: Math.max(0, reach(-1) + 1 - blanks), to: Math.min(lineCount(view), reach(1) + blanks) };
}

function joined(regions: readonly Region[]): Region[] {
  const out: Region[] = [];
  for (const region of regions) {
    const last = out.at(-1);
    if (last && region.from <= last.to) out[out.length - 1] = { from: last.from, to: Math.max(last.to, region.to) };
    else out.push(region);
  }
  return out;
}
