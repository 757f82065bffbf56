// Texts without what a model mistypes unseen: the form in which quotes, dashes, blanks and accents of one kind are equal.

/** `[typographic, plain]`. Each class is folded or left as a whole. */
export const TYPOGRAPHY: readonly (readonly [RegExp, string])[] = [
  [/[\u2018\u2019\u201a\u201b\u2032\u00b4]/g, "'"],
  [/[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb]/g, '"'],
  [/[\u2010-\u2015\u2212]/g, '-'],
  [/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' '],
  [/\u2026/g, '...'],
  [/[\u200b-\u200d\u2060\ufeff]/g, ''],
];

/** Composed accents, plain quotes, dashes and blanks. Line breaks stay where they are. */
export function foldTypography(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text;
  return TYPOGRAPHY.reduce((folded, [typographic, plain]) => folded.replace(typographic, plain), text.normalize('NFC'));
}

/** The classes that are quotes. */
export const QUOTES: readonly RegExp[] = TYPOGRAPHY.slice(0, 2).map(([typographic]) => typographic);

/** Characters that are seen, without those that only lay a text out, one quote for all: equal ink is the loosest equality. */
export function foldInk(text: string): string {
  return foldTypography(text)
    .replace(/[^\S\n]+/g, '')
    .replace(/["`]/g, "'");
}

/** As ink, but a blank between two words stays a blank, so that `a b` is not `ab`. */
export function foldWords(text: string): string {
  return foldTypography(text)
    .trim()
    .replace(/["`]/g, "'")
    .replace(/\s+/g, ' ')
    .replace(/(?<![\p{L}\p{N}_]) | (?![\p{L}\p{N}_])/gu, '');
}

/** Ink of a line without a comma or semicolon at its end. */
export function foldLineEnd(ink: string): string {
  const last = ink.charCodeAt(ink.length - 1);
  return last === COMMA || last === SEMICOLON ? ink.slice(0, -1) : ink;
}

const COMMA = 44;
const SEMICOLON = 59;

/** A line of braces and blanks stands anywhere; one with three word characters says something. */
export function isTelling(text: string): boolean {
  return /[\p{L}\p{N}_][^\n]*?[\p{L}\p{N}_][^\n]*?[\p{L}\p{N}_]/u.test(text);
}

export function isBlank(line: string): boolean {
  return !/\S/.test(line);
}

export function trimBlanks(line: string): string {
  return line.replace(/^[ \t]+|\s+$/g, '');
}
