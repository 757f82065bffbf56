// Slips of the pen: one name mistyped, and nothing that could be a name of its own.
import { foldTypography } from './fold';
import { areOpposites, isPart, wordsOf } from './words';

/** One slip in a word; two in a long one. */
const LONG_WORD_CHARS = 8;
const MIN_WORD_CHARS = 4;

/** Both lines are the same but for one word of one name, mistyped by the model. `text` is the whole file. */
export function isSlip(old: string, file: string, text: string): boolean {
  const [left, right] = [tokensOf(old), tokensOf(file)];
  if (left.length !== right.length) return false;
  const differing = left.flatMap((token, at) => (token === right[at] ? [] : [at]));
  const [at] = differing;
  if (differing.length !== 1 || at === undefined) return false;
  const [typed, meant] = [left[at] ?? '', right[at] ?? ''];
  // What stands in quotes is a value, and a name that the file has elsewhere is no slip.
  if (!isMistyped(typed, meant) || isQuoted(left, at) || countWord(text, typed) > 0) return false;
  // Where a name is given, `modal` is no slip of `model`: what shows one is that the file uses the name.
  return countWord(text, meant) > 1 || !(at === 0 || isName(left[at - 1] ?? ''));
}

function tokensOf(line: string): string[] {
  return foldTypography(line).match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
}

/** Numbers are values. */
function isName(token: string): boolean {
  return /^[\p{L}_$]/u.test(token);
}

function isMistyped(typed: string, meant: string): boolean {
  const [a, b] = [wordsOf(typed), wordsOf(meant)];
  if (!isName(typed) || !isName(meant) || a.length !== b.length) return false;
  const differing = a.flatMap((word, at) => (word === b[at] ? [] : [{ word, other: b[at] ?? '' }]));
  const [pair] = differing;
  if (differing.length !== 1 || !pair) return false;
  const { word, other } = pair;
  if (/\P{L}/u.test(word + other)) return false;
  const shorter = Math.min(word.length, other.length);
  // Who mistypes gets both ends right, and a word that goes on, or has something before it, is another word.
  const hasSameEnds = word[0] === other[0] && word.at(-1) === other.at(-1);
  if (shorter < MIN_WORD_CHARS || !hasSameEnds || isPart(word, other) || areOpposites(word, other)) return false;
  return editDistance(word, other) <= (shorter >= LONG_WORD_CHARS ? 2 : 1);
}

function isQuoted(tokens: readonly string[], at: number): boolean {
  return [`'`, '"', '`'].some((quote) => tokens.slice(0, at).filter((token) => token === quote).length % 2 === 1);
}

function countWord(text: string, word: string): number {
  let count = 0;
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + word.length] ?? ' '];
    if (!/[\p{L}\p{N}_$]/u.test(before) && !/[\p{L}\p{N}_$]/u.test(after)) count++;
  }
  return count;
}

/** Insertions, deletions, replacements and swaps of neighbours. */
function editDistance(a: string, b: string): number {
  if (a.length > MAX_WORD_CHARS || b.length > MAX_WORD_CHARS) return Infinity;
  let before: number[] = [];
  let above = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let best = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (before[j - 2] ?? 0) + 1);
      row.push(best);
    }
    [before, above] = [above, row];
  }
  return above[b.length] ?? Infinity;
}

const MAX_WORD_CHARS = 100;
