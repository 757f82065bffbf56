// The parts of a file in which a block can stand at all: around its rarest words, so that a long file is never folded whole.
import { foldTypography, hasDisguised, isBlank } from './fold';
import type { Ink } from './ink';
import { lazy } from './lazy';
import { lineAt, lineCount, type TextView } from './lines';

/** Lines of the file, half-open. */
export interface Region {
  readonly from: number;
  readonly to: number;
}

export function regionText({ lf, lfStarts }: TextView, { from, to }: Region): string {
  return lf.slice(lfStarts[from], lfStarts[to]);
}

/** So many lines of a block are looked for by a word of theirs: more than may differ where a place is still accepted. */
const ANCHOR_LINES = 5;
const MIN_WORD_CHARS = 4;
/** A word in more places than these singles nothing out. */
const MAX_OCCURRENCES = 200;
const SHORT_FILE_LINES = 2000;

/** A word of the block, and where it stands in `lf`; undefined where that are too many places. */
interface Anchor {
  readonly word: string;
  readonly offsets: () => readonly number[] | undefined;
}

/** The longest plain word of each of the lines with the longest ones. */
export function anchorsOf(view: TextView, { filled }: Ink, old: readonly string[]): readonly Anchor[] {
  const words = filled
    .map((line) => longestWord(foldTypography(old[line] ?? '')))
    .filter((word) => word.length >= MIN_WORD_CHARS);
  const longest = [...new Set(words.sort((a, b) => b.length - a.length))].slice(0, ANCHOR_LINES);
  return longest.map((word) => ({ word, offsets: lazy(() => offsetsOf(view, word)) }));
}

function longestWord(line: string): string {
  return (line.match(/\w+/g) ?? []).reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}

function offsetsOf({ lf }: TextView, word: string): readonly number[] | undefined {
  const offsets: number[] = [];
  for (let at = lf.indexOf(word); at !== -1; at = lf.indexOf(word, at + word.length)) {
    if (offsets.length === MAX_OCCURRENCES) return undefined;
    offsets.push(at);
  }
  return offsets;
}

/**
 * Where every place with as many filled lines lies that has one of the anchors at the same position. In text order, apart
 * from each other.
 */
export function regionsNear(view: TextView, block: Ink, anchors: readonly Anchor[]): readonly Region[] {
  const offsets = anchors.flatMap((anchor) => anchor.offsets() ?? []);
  const isSingled = anchors.some((anchor) => anchor.offsets() !== undefined);
  // In a short file the rest of the block may still say where it would have been.
  const isNowhere = offsets.length === 0 && lineCount(view) <= SHORT_FILE_LINES;
  return isSingled && !isNowhere ? joined(regionsAround(view, block, offsets)) : [wholeOf(view)];
}

/**
 * Where every place with the words of the block lies, in the same way: around the anchor that stands in the fewest places
 * and beside all others, since a plain word stands in every reading of its line. Undefined where no anchor says that.
 */
export function regionsHolding(view: TextView, block: Ink, anchors: readonly Anchor[]): readonly Region[] | undefined {
  const rarest = rarestOf(anchors);
  if (!rarest || hasDisguised(view.lf)) return undefined;
  const holdsAll = (region: Region) => {
    const text = regionText(view, region);
    return anchors.every(({ word }) => text.includes(word));
  };
  return joined(regionsAround(view, block, rarest).filter(holdsAll));
}

function rarestOf(anchors: readonly Anchor[]): readonly number[] | undefined {
  let rarest: readonly number[] | undefined;
  for (const anchor of anchors) {
    const offsets = anchor.offsets();
    if (offsets && (!rarest || offsets.length < rarest.length)) rarest = offsets;
    if (rarest && rarest.length <= 1) return rarest;
  }
  return rarest;
}

/** The parts around so many places may be as long as the file. */
function regionsAround(view: TextView, block: Ink, offsets: readonly number[]): readonly Region[] {
  const lines = [...new Set(offsets.map((offset) => lineAt(view, offset)))];
  if (lines.length * 2 * block.lines.length > lineCount(view)) return [wholeOf(view)];
  return lines.sort((a, b) => a - b).map((line) => around(view, line, block));
}

function wholeOf(view: TextView): Region {
  return { from: 0, to: lineCount(view) };
}

/** Far enough both ways for the block to reach past the line, in lines and in ink. */
function around(view: TextView, line: number, block: Ink): Region {
  const reach = (step: -1 | 1) => {
    let [at, lines, ink] = [line, 0, 0];
    while (at >= 0 && at < lineCount(view) && (lines <= block.filled.length || ink <= block.stream.length)) {
      const length = inkLength(view, at);
      if (length > 0) lines++;
      ink += length;
      at += step;
    }
    return at;
  };
  const blanks = block.lines.length;
  return { from: Math.max(0, reach(-1) + 1 - blanks), to: Math.min(lineCount(view), reach(1) + blanks) };
}

/** Characters of a line that are seen. */
function inkLength({ lf, lfStarts }: TextView, line: number): number {
  const end = lfStarts[line + 1] ?? lf.length;
  let length = 0;
  for (let at = lfStarts[line] ?? end; at < end; at++) {
    const code = lf.charCodeAt(at);
    if (code > SPACE && (code <= LAST_ASCII || !isBlank(lf.charAt(at)))) length++;
  }
  return length;
}

const SPACE = 0x20;
const LAST_ASCII = 0x7f;

function joined(regions: readonly Region[]): Region[] {
  const out: Region[] = [];
  for (const region of regions) {
    const last = out.at(-1);
    if (last && region.from <= last.to) out[out.length - 1] = { from: last.from, to: Math.max(last.to, region.to) };
    else out.push(region);
  }
  return out;
}
