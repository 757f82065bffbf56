// Matcher: the old text exactly as written, line endings aside [E1].
import { placesOf } from './multiOccurrence';
import type { Matcher } from '../matcher';

export const simple: Matcher = {
  name: 'simple',
  // Overlapping places count too: with two of them it is not certain which one is meant.
  find: (search) => placesOf(search, 1),
};
