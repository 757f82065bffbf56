// One line that the model changed, in the file's own form: three versions of it, merged word by word.
import { diffArrays } from 'diff';
import { foldTypography } from './fold';

/** Longer lines are not compared word by word. */
const MAX_CHARS = 2000;

/**
 * What the model changed between `old` and `fresh`, made in `file`. Undefined when `old` and `file` do not consist of the
 * same words, so that it is not known what the change would mean there. Blanks at both ends are the caller's business.
 */
export function mergeLine(old: string, fresh: string, file: string): string | undefined {
  if (old.length + fresh.length + file.length > MAX_CHARS) return undefined;
  const [before, after, theirs] = [tokensOf(old), tokensOf(fresh), tokensOf(file)];
  if (before.length !== theirs.length || !before.every(({ key }, at) => key === theirs[at]?.key)) return undefined;
  const keys = (tokens: readonly Token[]) => tokens.map(({ text }) => text);
  let [oldAt, newAt, lastKept] = [0, 0, -2];
  let merged = '';
  for (const { added, removed, value } of diffArrays(keys(before), keys(after))) {
    for (const word of value) {
      if (removed) {
        oldAt++;
        continue;
      }
      const gap = after[newAt++]?.gap ?? '';
      if (added) {
        merged += gap + word;
        continue;
      }
      const mine = theirs[oldAt];
      // The blank before a word is the file's where the word before it stayed too, and the model left the blank alone.
      const isUntouched = lastKept === oldAt - 1 && gap === before[oldAt]?.gap;
      merged += (isUntouched ? (mine?.gap ?? '') : gap) + (mine?.text ?? word);
      lastKept = oldAt++;
    }
  }
  return merged.trimStart();
}

interface Token {
  readonly text: string;
  /** Blanks before it. */
  readonly gap: string;
  /** Equal for the same word in other typography. */
  readonly key: string;
}

function tokensOf(line: string): Token[] {
  return Array.from(line.matchAll(/(\s*)([\p{L}\p{N}\p{M}_]+|[^\s\p{L}\p{N}\p{M}_])/gu), ([, gap = '', text = '']) => ({
    text,
    gap,
    key: foldTypography(text).replace(/["`]/, "'"),
  }));
}
