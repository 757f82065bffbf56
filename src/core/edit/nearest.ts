// Where a text that was not found would most likely be: the useful half of a refusal.
import { pairSimilarity } from './drift';
import { foldInk } from './fold';
import { lineAt, lineCount, lineText } from './lines';
import type { Search } from './search';

export interface NearPlace {
  /** 0-based index of the first line. */
  readonly first: number;
  readonly lines: number;
}

const MAX_PLACES = 3;
/** The message must not cost more than the edit: so many places of a word are looked at. */
const MAX_LINES_COMPARED = 1000;
const MIN_WORD_CHARS = 4;
const MIN_SIMILARITY = 0.6;

/** Best first; empty when nothing in the file resembles the text. */
export function nearestPlaces(search: Search): readonly NearPlace[] {
  const { old, ink } = search.block();
  const lines = old.length;
  const windows = search.windows().slice(0, MAX_PLACES);
  const [best] = windows;
  if (best) {
    return windows
      .filter(({ differing }) => differing.length <= (ink.filled.length + best.differing.length) / 2)
      .map((window) => ({ first: Math.max(0, search.alignWindow(window).from), lines }));
  }
  const similar = mostSimilarLine(search);
  return similar === undefined ? [] : [{ first: similar, lines }];
}

/** Where the block would start if its longest line stood at the most similar line that has one of its words. */
function mostSimilarLine({ block, file: { view } }: Search): number | undefined {
  const { old } = block();
  const longest = old.reduce((best, line, at) => (line.length > (old[best]?.length ?? 0) ? at : best), 0);
  const key = foldInk(old[longest] ?? '').toLowerCase();
  let best = { first: undefined as number | undefined, similarity: MIN_SIMILARITY };
  const compared = new Set<number>();
  for (const word of wordsOf(old[longest] ?? '')) {
    for (let at = view.lf.indexOf(word); at !== -1; at = view.lf.indexOf(word, at + word.length)) {
      const line = lineAt(view, at);
      if (compared.size >= MAX_LINES_COMPARED) return best.first;
      if (compared.has(line)) continue;
      compared.add(line);
      const similarity = pairSimilarity(key, foldInk(lineText(view, line)).toLowerCase());
      if (similarity > best.similarity) best = { first: Math.max(0, line - longest), similarity };
    }
  }
  if (best.first !== undefined || lineCount(view) > MAX_LINES_COMPARED) return best.first;
  // A short text, whose one word may be the mistyped one.
  for (let line = 0; line < lineCount(view); line++) {
    const other = foldInk(lineText(view, line)).toLowerCase();
    if (other.length > 2 * key.length || key.length > 2 * other.length) continue;
    const similarity = pairSimilarity(key, other);
    if (similarity > best.similarity) best = { first: Math.max(0, line - longest), similarity };
  }
  return best.first;
}

/** The longest first: they stand in the fewest places. */
function wordsOf(line: string): string[] {
  return [...new Set(line.match(/\w+/g) ?? [])]
    .filter((word) => word.length >= MIN_WORD_CHARS)
    .sort((a, b) => b.length - a.length);
}
