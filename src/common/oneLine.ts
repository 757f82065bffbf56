// Texts of the model's or of a prompt where there is one line for them: bounded, with nothing in it that people do not see.
import { replaceBetweenSequences } from './invisible';

const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}]+/gu;

export function oneLine(text: string, maxChars: number): string {
  const seen = replaceBetweenSequences(text, (part) => part.replace(UNSEEN, ' '))
    .replace(/\s+/g, ' ')
    .trim();
  const characters = [...seen];
  return characters.length > maxChars ? `${characters.slice(0, maxChars - 1).join('')}…` : seen;
}
