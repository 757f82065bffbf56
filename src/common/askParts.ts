// The order in which a person reads the parts of a command: a long one must not bury what it is about.
import type { AskPart } from './asks';

const ORDER: readonly AskPart['verdict'][] = ['asks', 'allowed', 'reads'];

const rankOf = ({ verdict, notes }: AskPart) =>
  ORDER.indexOf(verdict) - (verdict === 'asks' && notes.length > 0 ? 1 : 0);

/** What asks comes first, and of that what there is something to say of; else as it is written. */
export function riskiestFirst(parts: readonly AskPart[]): readonly AskPart[] {
  return [...parts].sort((a, b) => rankOf(a) - rankOf(b));
}
