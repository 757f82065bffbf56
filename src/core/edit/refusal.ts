// Why an edit is refused, worded for the model: what is wrong, where the true text is, what to send instead.
import { lineAt, lineCount, lineText, type TextView } from './lines';
import type { Place } from './matcher';
import type { Search } from './search';
import { nearestPlaces, type NearPlace } from './nearest';

export type RefusalKind = 'empty' | 'same' | 'missing' | 'ambiguous' | 'unclear' | 'overlap';

export interface Refusal {
  readonly ok: false;
  readonly kind: RefusalKind;
  readonly reason: string;
}

const MAX_PLACES_LISTED = 10;
const MAX_EXCERPT_LINES = 12;
const MAX_DIFFERENCES = 3;
const MAX_SHOWN_CHARS = 200;

export function refuseEmpty(): Refusal {
  const reason =
    'old_string is empty or only blanks, so it names no place. Give the lines to replace; to insert, give the line beside the place and repeat it in new_string; to replace the whole file, use write.';
  return { ok: false, kind: 'empty', reason };
}

export function refuseSame(): Refusal {
  const reason =
    'Nothing would change: what new_string gives is there already (line endings are kept as the file has them).';
  return { ok: false, kind: 'same', reason };
}

export function refuseOverlap(): Refusal {
  const reason =
    'Two of the edits touch the same text. All edits are located in the text as it was before the call; join these two into one.';
  return { ok: false, kind: 'overlap', reason };
}

export function refuseAmbiguous(view: TextView, places: readonly Place[]): Refusal {
  const lines = places.slice(0, MAX_PLACES_LISTED).map(({ start }) => lineAt(view, start));
  const listed = lines.map((at) => `  line ${at + 1}: ${visible(lineText(view, at))}`);
  const more = places.length - lines.length;
  const reason = [
    `old_string stands in ${places.length} places, and it is not certain which one is meant:`,
    ...listed,
    ...(more > 0 ? [`  … and ${more} more`] : []),
    'Add lines before or after it until it is the only one, or set replace_all to change every one.',
  ].join('\n');
  return { ok: false, kind: 'ambiguous', reason };
}

/** Found, but what would have to stand there is a guess. */
export function refuseUnclear(view: TextView, { start, end }: Pick<Place, 'start' | 'end'>): Refusal {
  const lines = `lines ${lineAt(view, start) + 1}–${lineAt(view, Math.max(start, end - 1)) + 1}`;
  const reason = `old_string is indented differently from the file (${lines}), and no single rule says how new_string would have to be indented there. Copy these lines exactly, indentation included, and indent new_string to match.`;
  return { ok: false, kind: 'unclear', reason };
}

export function refuseMissing(search: Search): Refusal {
  const { view } = search.file;
  const { oldText } = search.wanted;
  const places = nearestPlaces(search);
  const reason = [
    'old_string is not in the file.',
    ...hints(oldText),
    ...places.slice(0, 1).flatMap((place) => describe(view, oldText, place)),
    ...(places.length > 1
      ? [
          `Also similar: line ${places
            .slice(1)
            .map(({ first }) => first + 1)
            .join(', ')}.`,
        ]
      : []),
    ...(places.length === 0 ? ['Nothing similar was found in it. Read the file again.'] : []),
  ].join('\n');
  return { ok: false, kind: 'missing', reason };
}

/** Slips that show in the text itself. */
function hints(oldText: string): string[] {
  const lines = oldText.split('\n').filter((line) => line.trim() !== '');
  const isNumbered = lines.length > 0 && lines.every((line) => /^\s*\d+(\t|→|\|)/.test(line));
  const isEscaped = lines.length === 1 && /\\[nt]/.test(oldText);
  return [
    ...(isNumbered ? ['Its lines begin with line numbers: leave out what `read` puts before the text.'] : []),
    ...(isEscaped ? ['It holds \\n or \\t as two characters: send real line breaks and tabs if those are meant.'] : []),
  ];
}

function describe(view: TextView, oldText: string, { first, lines }: NearPlace): string[] {
  const wanted = oldText.replace(/^\n+|\n+$/g, '').split('\n');
  const count = Math.min(lines, lineCount(view) - first, MAX_EXCERPT_LINES);
  const file = Array.from({ length: count }, (_, at) => lineText(view, first + at));
  const differing = file.flatMap((line, at) => (line === wanted[at] ? [] : [at]));
  return [
    `The nearest place is at line ${first + 1} (→ is a tab, · a blank at a line's start or end):`,
    ...file.map((line, at) => `${String(first + at + 1).padStart(6)}  ${visible(line)}`),
    ...differing
      .slice(0, MAX_DIFFERENCES)
      .map(
        (at) =>
          `Line ${first + at + 1}: the file has \`${visible(file[at] ?? '')}\`, old_string has \`${visible(wanted[at] ?? '')}\`.`,
      ),
    ...(differing.length > MAX_DIFFERENCES ? [`${differing.length - MAX_DIFFERENCES} more lines differ.`] : []),
    'Copy the text from the file exactly and try again.',
  ];
}

/** Blanks that decide about a match and that nobody sees. */
function visible(line: string): string {
  const marked = line
    .replace(/^[ \t]+|[ \t]+$/g, (blanks) => blanks.replaceAll(' ', '·'))
    .replaceAll('\t', '→')
    .replaceAll('\u00a0', '⍽');
  return marked.length > MAX_SHOWN_CHARS ? `${marked.slice(0, MAX_SHOWN_CHARS)}…` : marked;
}
