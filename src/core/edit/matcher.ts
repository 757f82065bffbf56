// What a matcher of the cascade is: it finds places of the original text, and each can say what it would become.
import type { Alignment } from './align';
import { isBlank } from './fold';
import { lineEol } from './lines';
import { mergeBlock } from './merge';
import { pairsOf } from './pairs';
import { pairSimilarity } from './drift';
import type { Search } from './search';

/** Offsets count in the view's `lf`. Nothing outside of [start, end) can change. */
export interface Place {
  readonly start: number;
  readonly end: number;
  /** 0 to 1: how much of the old text is there as it was written. */
  readonly similarity: number;
  /** What stands there afterwards; undefined when that is not certain. */
  readonly write: () => string | undefined;
}

export interface Matcher {
  /** Names the stage in results. */
  readonly name: string;
  /** Every place, in text order; they may overlap. */
  find(search: Search): readonly Place[];
}

/** The place of a block of lines, written as a three-way merge. */
export function blockPlace(search: Search, alignment: Alignment): Place {
  const { view } = search.file;
  const { oldEndsLine, newEndsLine } = search.block();
  const last = alignment.to - 1;
  const takesEol = oldEndsLine && lineEol(view, last) !== '';
  const start = view.lfStarts[alignment.from] ?? 0;
  const end = takesEol ? (view.lfStarts[alignment.to] ?? 0) : (view.lfStarts[last] ?? 0) + search.fileLine(last).length;
  const write = () => {
    const lines = mergeBlock(search, alignment);
    if (!lines) return undefined;
    const endsLine = lines.length > 0 && (takesEol || (newEndsLine && !oldEndsLine));
    return lines.join('\n') + (endsLine ? '\n' : '');
  };
  return { start, end, similarity: similarityOf(search, alignment), write };
}

function similarityOf(search: Search, alignment: Alignment): number {
  let [alike, size] = [0, 0];
  for (const { old, file } of pairsOf(search, alignment)) {
    const length = Math.max(old.length, file.length);
    size += length;
    alike += old === file ? length : length * Math.min(0.99, pairSimilarity(old, file));
  }
  const { segments } = alignment;
  for (const { isBlank, oldFrom, oldTo, fileFrom, fileTo } of segments) {
    if (isBlank) size += Math.abs(oldTo - oldFrom - (fileTo - fileFrom));
  }
  return size === 0 ? 1 : alike / size;
}

/** Whether a block is long enough to be found by more than its exact words: one short line stands in many places. */
export function isLongEnough(search: Search): boolean {
  const { ink } = search.block();
  return ink.stream.length >= MIN_INK_CHARS;
}

const MIN_INK_CHARS = 10;

/** Whether the lines of an alignment are equal by a rule, blank lines aside. */
export function agree(search: Search, alignment: Alignment, fold: (line: string) => string): boolean {
  return pairsOf(search, alignment).every(({ old, file }) => isBlank(old) || fold(old) === fold(file));
}
