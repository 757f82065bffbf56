// Where a text that was not found would most likely be, and how the file differs there: the useful half of a refusal.
import { distance } from 'fastest-levenshtein';
import { lineText, type TextView } from './lines';

export interface NearPlace {
  /** 0-based index of the first line. */
  readonly first: number;
  readonly lines: number;
}

const MAX_PLACES = 3;
/** Beyond these the search for a similar line gives up: the message must not cost more than the edit. */
const MAX_LINES_COMPARED = 20_000;
const MAX_LINE_CHARS = 300;
const MIN_SIMILARITY = 0.6;
/** Shorter lines are braces that stand anywhere. */
const MIN_VOTING_CHARS = 3;

/** Best first; empty when nothing in the file resembles the text. */
export function nearestPlaces(view: TextView, oldText: string): readonly NearPlace[] {
  const wanted = oldText.replace(/^\n+|\n+$/g, '').split('\n');
  const byVotes = placesByVotes(view, wanted);
  if (byVotes.length > 0) return byVotes;
  const similar = mostSimilarLine(view, wanted);
  return similar === undefined ? [] : [similar];
}

/** Each line of the file that also stands in the text votes for where the text would start; long lines count for more. */
function placesByVotes(view: TextView, wanted: readonly string[]): NearPlace[] {
  const positions = new Map<string, number[]>();
  for (const [at, line] of wanted.entries()) {
    const key = squeeze(line);
    if (key.length >= MIN_VOTING_CHARS) positions.set(key, [...(positions.get(key) ?? []), at]);
  }
  const votes = new Map<number, number>();
  for (const at of view.lines.keys()) {
    const key = squeeze(lineText(view, at));
    for (const offset of positions.get(key) ?? []) {
      const first = Math.max(0, at - offset);
      votes.set(first, (votes.get(first) ?? 0) + key.length);
    }
  }
  const ranked = [...votes].sort(([a, votesA], [b, votesB]) => votesB - votesA || a - b);
  const best = ranked[0]?.[1] ?? 0;
  return ranked
    .filter(([, count]) => count * 2 > best)
    .slice(0, MAX_PLACES)
    .map(([first]) => ({ first, lines: wanted.length }));
}

function mostSimilarLine(view: TextView, wanted: readonly string[]): NearPlace | undefined {
  const longest = wanted.reduce((best, line, at) => (line.length > (wanted[best]?.length ?? 0) ? at : best), 0);
  const key = squeeze(wanted[longest] ?? '')
    .toLowerCase()
    .slice(0, MAX_LINE_CHARS);
  let best = { at: -1, similarity: MIN_SIMILARITY };
  for (let at = 0; at < Math.min(view.lines.length, MAX_LINES_COMPARED); at++) {
    const line = squeeze(lineText(view, at)).toLowerCase();
    if (line.length > key.length * 2 || line.length * 2 < key.length) continue;
    const similarity = 1 - distance(key, line) / Math.max(key.length, line.length, 1);
    if (similarity > best.similarity) best = { at, similarity };
  }
  return best.at === -1 ? undefined : { first: Math.max(0, best.at - longest), lines: wanted.length };
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}
