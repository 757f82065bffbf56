// Matcher: every exact occurrence, for an edit that asks for all of them [E9].
import type { Matcher, Place } from '../matcher';
import type { Search } from '../search';

export const multiOccurrence: Matcher = {
  name: 'multiOccurrence',
  find: (search) => placesOf(search, search.wanted.oldText.length),
};

/** `step`: how far after the start of a place the next one may start. */
export function placesOf({ file, wanted }: Search, step: number): readonly Place[] {
  const { lf } = file.view;
  const { oldText, newText } = wanted;
  const write = () => newText;
  const places: Place[] = [];
  for (let at = lf.indexOf(oldText); at !== -1; at = lf.indexOf(oldText, at + step)) {
    places.push({ start: at, end: at + oldText.length, similarity: 1, write });
  }
  return places;
}
