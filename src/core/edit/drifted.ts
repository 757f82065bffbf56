// Places of a block of which some lines read differently in the file: each of those is checked, and no other place may come close.
import { isNear, type Window } from './drift';
import { blockPlace, type Place } from './matcher';
import { indentationOf, pairsOf } from './pairs';
import type { Search } from './search';

export interface Tolerance {
  readonly maxLines: number;
  /** Whether a line of the old text, by its number, means a line of the file that reads differently. */
  readonly isSame: (oldLine: number, file: string) => boolean;
}

/** Two places this alike are a guess. */
const MARGIN = 0.15;

/** All that qualify, and with them every place that comes close to the best: more than one means that it is not certain. */
export function driftedPlaces(search: Search, { maxLines, isSame }: Tolerance): readonly Place[] {
  const { ink: block } = search.block();
  const near = search
    .windows()
    .filter((window) => window.differing.length > 0 && window.differing.length <= maxLines && isNear(block, window))
    .filter(({ ink, first, differing }) =>
      differing.every((at) => isSame(block.filled[at] ?? 0, search.fileLine(ink.filled[first + at] ?? 0))),
    )
    .filter((window) => indentationOf(pairsOf(search, search.alignWindow(window))) !== undefined);
  if (near.length === 0) return [];
  const best = near.reduce((highest, { similarity }) => Math.max(highest, similarity()), 0);
  return search
    .windows()
    .filter((window) => near.includes(window) || window.similarity() > best - MARGIN)
    .sort((a, b) => startOf(a) - startOf(b))
    .map((window) => blockPlace(search, search.alignWindow(window)));
}

function startOf({ ink, first }: Window): number {
  return ink.filled[first] ?? 0;
}
