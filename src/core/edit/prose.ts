// Comments and prose: where other words may mean the same line.
const MIN_WORD_SIMILARITY = 0.4;

/** Files whose lines are sentences. */
export function isProseFile(path: string): boolean {
  return /\.(md|mdx|markdown|txt|rst|adoc|tex)$/i.test(path);
}

/** Both are sentences, or parts of one: words enough, and nothing that code ends with. */
export function isRewordedSentence(old: string, file: string): boolean {
  return isSentence(old) && isSentence(file) && wordSimilarity(old, file) >= MIN_WORD_SIMILARITY;
}

const MIN_WORDS = 3;

function isSentence(line: string): boolean {
  return wordsOf(line).length >= MIN_WORDS && !/[;{}]\s*$|[^=]=[^=]|^(\t| {4})/.test(line);
}

/** Both are comments, or the same code with comments behind it, that share enough words. */
export function isRewordedComment(old: string, file: string): boolean {
  const [left, right] = [splitComment(old), splitComment(file)];
  if (!left || left.marker !== right?.marker) return false;
  if (left.code.replace(/\s+/g, '') !== right.code.replace(/\s+/g, '')) return false;
  return wordSimilarity(left.words, right.words) >= MIN_WORD_SIMILARITY;
}

interface Commented {
  readonly code: string;
  readonly marker: string;
  readonly words: string;
}

const WHOLE_LINE = /^\s*(\/\/+!?|\/\*+!?|\*+|#+|--+|<!--+|;+|%+|"""|'''|\{#|\(\*)(?=\s|\/|$)(.*)$/;
const SLASHED = /^\s*(\/\/+)(.*)$/;
const BEHIND_CODE = /^(.*\S)\s+(\/\/|#|--|\/\*|<!--)\s(.*)$/;

function splitComment(line: string): Commented | undefined {
  const [, marker, words] = WHOLE_LINE.exec(line) ?? SLASHED.exec(line) ?? [];
  if (marker !== undefined && words !== undefined) return { code: '', marker: marker[0] ?? '', words };
  const [, code, behind, rest] = BEHIND_CODE.exec(line) ?? [];
  if (code === undefined || behind === undefined || rest === undefined) return undefined;
  return { code, marker: behind[0] ?? '', words: rest };
}

/** Dice coefficient of the words. */
function wordSimilarity(left: string, right: string): number {
  const [a, b] = [wordsOf(left), wordsOf(right)];
  if (a.length === 0 || b.length === 0) return 0;
  const rest = [...b];
  const shared = a.filter((word) => {
    const at = rest.indexOf(word);
    if (at !== -1) rest.splice(at, 1);
    return at !== -1;
  }).length;
  return (2 * shared) / (a.length + b.length);
}

const MAX_WORDS = 200;

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, MAX_WORDS);
}
