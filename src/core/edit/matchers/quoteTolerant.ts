// Matcher: the same text in other typography: curly quotes, dashes, no-break blanks, composed accents [E10].
import { foldTypography, isTelling } from '../fold';
import { agree, blockPlace, type Matcher, type Place } from '../matcher';
import { mergeLine } from '../mergeLine';
import { hasSameBlanks, isLineForLine } from '../pairs';
import type { Search } from '../search';

export const quoteTolerant: Matcher = {
  name: 'quoteTolerant',
  find(search) {
    const lines = search
      .alignments()
      .filter((alignment) => isLineForLine(alignment) && hasSameBlanks(alignment, 'without edges'))
      .filter((alignment) => agree(search, alignment, (line) => foldTypography(line).trimEnd()))
      .map((alignment) => blockPlace(search, alignment));
    return lines.length > 0 ? lines : fragmentsOf(search);
  },
};

/** A part of one line. Folding one character for one keeps its offsets. */
function fragmentsOf({ file, wanted }: Search): Place[] {
  const { oldText, newText } = wanted;
  const { lf } = file.view;
  const old = foldEach(oldText);
  if (oldText.includes('\n') || !isTelling(oldText)) return [];
  const folded = foldEach(lf);
  const places: Place[] = [];
  for (let at = folded.indexOf(old); at !== -1; at = folded.indexOf(old, at + 1)) {
    const end = at + oldText.length;
    const write = () => {
      const [, head = '', body = '', tail = ''] = /^(\s*)(.*?)(\s*)$/s.exec(newText) ?? [];
      const merged = newText.includes('\n') ? undefined : mergeLine(oldText.trim(), body, lf.slice(at, end).trim());
      return merged === undefined ? undefined : head + merged + tail;
    };
    places.push({ start: at, end, similarity: 0.99, write });
  }
  return places;
}

function foldEach(text: string): string {
  return text
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c\u201d\u201e\u201f]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u00a0\u202f]/g, ' ');
}
