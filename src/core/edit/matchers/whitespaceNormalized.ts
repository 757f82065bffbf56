// Matcher: the same words and signs, laid out differently: runs of blanks, blank lines, joined lines, quote style, line ends [E4].
import { blanksIn, foldWords } from '../fold';
import { blockPlace, isLongEnough, type Matcher } from '../matcher';
import { indentationOf, pairsOf } from '../pairs';
import type { Alignment } from '../align';
import type { Search } from '../search';

export const whitespaceNormalized: Matcher = {
  name: 'whitespaceNormalized',
  find(search) {
    if (!isLongEnough(search)) return [];
    const places = candidatesOf(search)
      .filter((alignment) => hasSameWords(search, alignment))
      .filter((alignment) => indentationOf(pairsOf(search, alignment)) !== undefined);
    return places.map((alignment) => blockPlace(search, alignment));
  },
};

/** Places with the same ink, and those that differ from it in nothing but commas and semicolons at line ends. */
function candidatesOf(search: Search): readonly Alignment[] {
  const same = search.alignments();
  if (same.length > 0) return same;
  return search
    .windows()
    .filter(({ differing }) => differing.length === 0)
    .map((window) => search.alignWindow(window));
}

function hasSameWords(search: Search, { segments }: Alignment): boolean {
  const { old } = search.block();
  const words = (lines: readonly string[]) => withoutEnd(foldWords(lines.join('\n'), blanksIn(search.file.path)));
  return segments.every(({ isBlank, oldFrom, oldTo, fileFrom, fileTo }) => {
    if (isBlank) return true;
    const file = Array.from({ length: fileTo - fileFrom }, (_, at) => search.fileLine(fileFrom + at));
    return words(old.slice(oldFrom, oldTo)) === words(file);
  });
}

function withoutEnd(line: string): string {
  return line.replace(/[;,]$/, '');
}
