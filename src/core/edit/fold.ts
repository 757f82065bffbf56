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

/** Whether plain words can be written otherwise in a text: with a character inside that nobody sees, or a sign for `K`. */
export function hasDisguised(text: string): boolean {
  return /[\u200b-\u200d\u2060\ufeff\u212a]/.test(text);
}

/** The classes that are quotes. */
export const QUOTES: readonly RegExp[] = TYPOGRAPHY.slice(0, 2).map(([typographic]) => typographic);

/** Characters that are seen, without those that only lay a text out, one quote for all: equal ink is the loosest equality. */
export function foldInk(text: string): string {
  return foldTypography(text)
    .replace(/[^\S\n]+/g, '')
    .replace(/["`]/g, "'");
}

/** How much a blank says beside a sign: in some files it parts words, elsewhere it mostly lays out. */
export type Blanks = 'part words' | 'lay out';

/** As ink, but a blank that means something stays one: `a b` is not `ab`, `.a .b` not `.a.b`, `- -a` not `--a`. */
export function foldWords(text: string, blanks: Blanks): string {
  const folded = foldTypography(text).trim().replace(/["`]/g, "'").replace(/\s+/g, ' ');
  if (blanks === 'part words') return folded;
  return folded
    .replace(/(?<=[\p{L}\p{N}_)\]*'}]) (?=[.#:[-][\p{L}\p{N}_])|(?<=([-+/&|])) (?=\1)/gu, KEPT_BLANK)
    .replace(/(?<![\p{L}\p{N}_]) | (?![\p{L}\p{N}_])/gu, '');
}

const KEPT_BLANK = '\u2423';

/** Files in which `a= b` is not `a=b`. */
export function blanksIn(path: string): Blanks {
  return /\.(sh|bash|zsh|fish|ps1|bat|cmd|mk|ya?ml|env)$|(^|\/)(Makefile|Dockerfile)$/i.test(path)
    ? 'part words'
    : 'lay out';
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
