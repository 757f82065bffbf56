// The markdown parser, made on first use: no HTML, and links only where `links` allows them, so nothing has to be cleaned afterwards.
import Parser, { type MarkdownIt, type Token } from 'markdown-it';
import { parseLink } from './links';

export type { Token };
/** Link definitions of a whole text, shared by its blocks. */
export type References = Record<string, { readonly title: string; readonly href: string }>;

/** A longer text is shown as plain text: parsing must never freeze the panel. Source: [S89]. */
export const MARKDOWN_MAX_CHARS = 200_000;
/** More elements than a person reads are not worth their time: such a text, or such a block, is shown as it was written. */
export const MARKDOWN_MAX_BLOCKS = 2_000;
export const BLOCK_MAX_TOKENS = 3_000;
/** Characters that may begin or end something. With more of them in one block, finding out which do takes too long. */
const BLOCK_MAX_MARKS = 10_000;
const MARK = /[[\]!*_`~<&\\:]/g;
const FENCE = /^\s*(?:```|~~~)/;

let parser: MarkdownIt | undefined;

function makeParser(): MarkdownIt {
  const made = new Parser({ html: false, linkify: true, breaks: false });
  made.validateLink = (href) => parseLink(href) !== undefined;
  // Bare words such as `app.ts` are files, not sites.
  made.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  return made;
}

/** The tokens of one block, or of a whole text. */
export function parseMarkdown(text: string, references: References = {}): Token[] {
  parser ??= makeParser();
  return parser.parse(text, { references: { ...references } });
}

/** Only where blocks begin and end: no emphasis, no links. */
export function parseBlocks(text: string): { readonly tokens: readonly Token[]; readonly references: References } {
  parser ??= makeParser();
  const env: { references?: References } = {};
  const tokens: Token[] = [];
  parser.block.parse(text, parser, env, tokens);
  return { tokens, references: env.references ?? {} };
}

/** Whether a block is worth parsing; in a fence nothing has to be found. */
export function isParsable(block: string): boolean {
  if (block.length <= BLOCK_MAX_MARKS || FENCE.test(block)) return true;
  return (block.match(MARK)?.length ?? 0) <= BLOCK_MAX_MARKS;
}
