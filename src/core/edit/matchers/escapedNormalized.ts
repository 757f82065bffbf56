// Matcher: a text that was escaped once too often, as in JSON; the new text is unescaped too where it shows the same [E6].
import type { Matcher, Place } from '../matcher';
import { searchFor, type Wanted } from '../search';

/** `stages`: how the unescaped text is looked for. */
export function escapedNormalized(stages: readonly Matcher[]): Matcher {
  return {
    name: 'escapedNormalized',
    find({ file, wanted }) {
      for (const reading of readingsOf(wanted)) {
        const search = searchFor(file, reading);
        for (const stage of stages) {
          const places = stage.find(search);
          if (places.length > 0) return places.map(asEscaped);
        }
      }
      return [];
    },
  };
}

function asEscaped(place: Place): Place {
  return { ...place, similarity: Math.min(place.similarity, MAX_SIMILARITY) };
}

const MAX_SIMILARITY = 0.95;

/** The whole text as the inside of a JSON string, or only its quotes. */
function readingsOf({ oldText, newText }: Wanted): Wanted[] {
  const readings: Wanted[] = [];
  if (isEscapedWhole(oldText)) {
    readings.push({ oldText: unescapeAll(oldText), newText: isEscapedWhole(newText) ? unescapeAll(newText) : newText });
  }
  if (hasOnlyEscapedQuotes(oldText)) {
    const isSame = hasOnlyEscapedQuotes(newText);
    readings.push({ oldText: unescapeQuotes(oldText), newText: isSame ? unescapeQuotes(newText) : newText });
  }
  return readings;
}

/** One line that holds line breaks as two characters. */
function isEscapedWhole(text: string): boolean {
  return !text.trimEnd().includes('\n') && /\\[nrt"]/.test(text);
}

function hasOnlyEscapedQuotes(text: string): boolean {
  return /\\["'`]/.test(text) && !/(?<!\\)"/.test(text);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '' };

function unescapeAll(text: string): string {
  return text.replace(/\\([ntr"'`\\$/])/g, (_, sign: string) => ESCAPES[sign] ?? sign);
}

function unescapeQuotes(text: string): string {
  return text.replace(/\\(["'`])/g, '$1');
}
