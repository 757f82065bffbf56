// Takes out of a result what people do not see in it and a model reads: text spelled in tags, direction marks, zero-width letters (S91).
import { replaceBetweenSequences } from '../../common/invisible';

const HIDDEN = /[\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\u{e0000}-\u{e007f}]/gu;

/** The text for the model, and how many characters are gone. The same text when there are none. */
export function withoutHidden(text: string): { readonly text: string; readonly count: number } {
  let count = 0;
  if (text.search(HIDDEN) === -1) return { text, count };
  const take = (): string => {
    count++;
    return '';
  };
  return { text: replaceBetweenSequences(text, (part) => part.replace(HIDDEN, take)), count };
}
