// Comments and prose: where other words may mean the same line.
import { areOpposites, isPart } from './words';

const MIN_WORD_SIMILARITY = 0.4;

/** Files whose lines are sentences. */
export function isProseFile(path: string): boolean {
  return /\.(md|mdx|markdown|txt|rst|adoc|tex)$/i.test(path);
}

/** Both are sentences, or parts of one: words enough, and nothing that code ends with. */
export function isRewordedSentence(old: string, file: string): boolean {
  return isSentence(old) && isSentence(file) && isReworded(old, file);
}

const MIN_WORDS = 3;

function isSentence(line: string): boolean {
  return sentenceWords(line).length >= MIN_WORDS && !/[;{}]\s*$|[^=]=[^=]|^(\t| {4})/.test(line);
}

/** Both are comments, or the same code with comments behind it, that share enough words. */
export function isRewordedComment(old: string, file: string): boolean {
  const [left, right] = [splitComment(old), splitComment(file)];
  if (!left || left.marker !== right?.marker) return false;
  if (left.code.replace(/\s+/g, '') !== right.code.replace(/\s+/g, '')) return false;
  return isReworded(left.words, right.words) || left.words.trim() === right.words.trim();
}

/** Nothing but a comment, or the part of one that its marker shows. */
export function isComment(line: string): boolean {
  return splitComment(line)?.code === '';
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

/** Worded differently, but no twin: of two that differ in an opposite, a number or the ending of a name, each has its own place. */
function isReworded(old: string, file: string): boolean {
  const [a, b] = [sentenceWords(old), sentenceWords(file)];
  const [onlyOld, onlyFile] = [without(a, b), without(b, a)];
  const shared = a.length - onlyOld.length;
  if (a.length === 0 || b.length === 0 || (2 * shared) / (a.length + b.length) < MIN_WORD_SIMILARITY) return false;
  return !onlyOld.some((word) => onlyFile.some((other) => isTwinWord(word, other)));
}

function isTwinWord(word: string, other: string): boolean {
  if (/^\d/.test(word) && /^\d/.test(other)) return true;
  return (
    areOpposites(word, other) ||
    (word.length >= MIN_PART_CHARS && other.length >= MIN_PART_CHARS && isPart(word, other))
  );
}

/** Shorter words are parts of many others. */
const MIN_PART_CHARS = 4;

const MAX_WORDS = 200;

function sentenceWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).slice(0, MAX_WORDS);
}

/** What the others leave over, each of them counted once. */
function without(words: readonly string[], others: readonly string[]): string[] {
  const rest = [...others];
  return words.filter((word) => {
    const at = rest.indexOf(word);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}
