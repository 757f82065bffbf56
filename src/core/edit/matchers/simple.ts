// Matcher: the old text exactly as written, line endings aside [E1].
import type { Matcher, Place } from '../matcher';

export const simple: Matcher = {
  name: 'simple',
  find({ lf }, { oldText, newText }) {
    const places: Place[] = [];
    // Overlapping places count too: with two of them it is not certain which one is meant.
    for (let at = lf.indexOf(oldText); at !== -1; at = lf.indexOf(oldText, at + 1)) {
      places.push({ start: at, end: at + oldText.length, text: newText, similarity: 1 });
    }
    return places;
  },
};
