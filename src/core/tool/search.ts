// The search among tools that no request describes: by words of their names, hints and descriptions, best first.
import type { ToolEntry } from './tool';

type Searched = Pick<ToolEntry, 'name' | 'searchHint' | 'description' | 'server'>;

/** What a word is worth by where it stands. */
const NAME_WEIGHT = 10;
const HINT_WEIGHT = 5;
const DESCRIPTION_WEIGHT = 2;
/** Shorter beginnings and parts of words say nothing. */
const PART_MIN_CHARS = 3;
/** Every tool of a server has it in its name. */
const COMMON_PART = 'mcp';

/** Tools that have one of the words at least, and every word that is written with a `+`; those of equal rank by name. */
export function rankTools<T extends Searched>(query: string, tools: readonly T[]): T[] {
  const terms = query.split(/[\s,]+/).filter(Boolean);
  const required = terms.filter((term) => term.startsWith('+')).flatMap(wordsOf);
  const words = terms.flatMap(wordsOf);
  return tools
    .map((tool) => ({ tool, worth: worthOf(tool) }))
    .filter(({ worth }) => required.every((word) => worth(word) > 0))
    .map(({ tool, worth }) => ({ tool, total: words.reduce((sum, word) => sum + worth(word), 0) }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || (a.tool.name < b.tool.name ? -1 : 1))
    .map(({ tool }) => tool);
}

function worthOf({ name, searchHint, server = '', description }: Searched): (word: string) => number {
  const fields: readonly (readonly [number, readonly string[]])[] = [
    [NAME_WEIGHT, wordsOf(name)],
    [HINT_WEIGHT, wordsOf(`${searchHint} ${server}`)],
    [DESCRIPTION_WEIGHT, wordsOf(description)],
  ];
  return (word) => Math.max(...fields.map(([weight, texts]) => weight * closest(word, texts)));
}

function closest(word: string, texts: readonly string[]): number {
  return Math.max(0, ...texts.map((text) => closeness(word, text)));
}

function closeness(word: string, text: string): number {
  if (word === text) return 1;
  if (Math.min(word.length, text.length) < PART_MIN_CHARS) return 0;
  if (text.startsWith(word) || word.startsWith(text)) return 0.5;
  return text.includes(word) ? 0.25 : 0;
}

/** `createIssue`, `create_issue` and `create issue` are the same words. A letter alone is none. */
function wordsOf(text: string): string[] {
  const words = text
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return [...new Set(words)].filter((word) => (word.length > 1 || /\p{N}/u.test(word)) && word !== COMMON_PART);
}
