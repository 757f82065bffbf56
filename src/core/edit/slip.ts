// Slips of the pen: one name mistyped, and nothing that could be a name of its own.
import { foldTypography } from './fold';

const MAX_DISTANCE = 2;
const MIN_NAME_CHARS = 4;

/** Both lines are the same but for one name, which is the file's name mistyped by the model. `text` is the whole file. */
export function isSlip(old: string, file: string, text: string): boolean {
  const [left, right] = [tokensOf(old), tokensOf(file)];
  if (left.length !== right.length) return false;
  const differing = left.flatMap((token, at) => (token === right[at] ? [] : [at]));
  const [at] = differing;
  if (differing.length !== 1 || at === undefined) return false;
  const [typed, meant] = [left[at] ?? '', right[at] ?? ''];
  if (!isName(typed) || !isName(meant) || digitsOf(typed) !== digitsOf(meant)) return false;
  // A name that only goes on is another name, and what stands in quotes is a value.
  if (typed.startsWith(meant) || meant.startsWith(typed) || isQuoted(left, at)) return false;
  if (editDistance(typed, meant) > MAX_DISTANCE || isOpposite(typed, meant)) return false;
  return !hasWord(text, typed);
}

function tokensOf(line: string): string[] {
  return foldTypography(line).match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];
}

function isQuoted(tokens: readonly string[], at: number): boolean {
  return [`'`, '"', '`'].some((quote) => tokens.slice(0, at).filter((token) => token === quote).length % 2 === 1);
}

function isName(token: string): boolean {
  return /^[\p{L}_$]/u.test(token) && token.length >= MIN_NAME_CHARS;
}

function digitsOf(token: string): string {
  return token.replace(/\D/g, '');
}

function hasWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + word.length] ?? ' '];
    if (!/[\p{L}\p{N}_$]/u.test(before) && !/[\p{L}\p{N}_$]/u.test(after)) return true;
  }
  return false;
}

/** Words that stand for each other in twins: a name that differs in one of them is another name. */
const OPPOSITES: readonly (readonly [string, string])[] = [
  ['get', 'set'],
  ['min', 'max'],
  ['start', 'end'],
  ['begin', 'end'],
  ['first', 'last'],
  ['next', 'prev'],
  ['left', 'right'],
  ['top', 'bottom'],
  ['up', 'down'],
  ['in', 'out'],
  ['input', 'output'],
  ['on', 'off'],
  ['add', 'remove'],
  ['push', 'pop'],
  ['push', 'pull'],
  ['read', 'write'],
  ['load', 'store'],
  ['open', 'close'],
  ['show', 'hide'],
  ['lock', 'unlock'],
  ['encode', 'decode'],
  ['enable', 'disable'],
  ['true', 'false'],
  ['old', 'new'],
  ['src', 'dst'],
  ['from', 'to'],
  ['before', 'after'],
  ['client', 'server'],
  ['request', 'response'],
  ['row', 'col'],
  ['width', 'height'],
  ['pre', 'post'],
  ['inc', 'dec'],
  ['head', 'tail'],
  ['even', 'odd'],
  ['lower', 'upper'],
  ['local', 'global'],
  ['public', 'private'],
  ['sync', 'async'],
  ['import', 'export'],
];

function isOpposite(left: string, right: string): boolean {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length !== b.length) return true;
  return a.some((word, at) => {
    const other = b[at] ?? '';
    return (
      word !== other &&
      OPPOSITES.some(([one, two]) => (word === one && other === two) || (word === two && other === one))
    );
  });
}

/** `getHTTPName` as get, http, name. */
function wordsOf(name: string): string[] {
  return (name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{N}+|[^\p{L}\p{N}_$]+/gu) ?? []).map((word) =>
    word.toLowerCase(),
  );
}

/** Insertions, deletions, replacements and swaps of neighbours; gives up, with a large number, when lengths differ too much. */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_DISTANCE || a.length > MAX_NAME_CHARS) return Infinity;
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

const MAX_NAME_CHARS = 100;
