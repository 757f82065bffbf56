// Which commands a rule covers, and which rules to offer for one.
import type { Effect } from '../permission/types';
import { wordsToName } from './exact';
import type { CommandLine, SimpleCommand } from './types';

/** The exact text of the whole command; a star in it stands for itself. */
export function coversWhole(pattern: string, command: string): boolean {
  return !isPrefix(pattern) && [pattern, literal(pattern)].some((text) => text.trim() === command.trim());
}

/**
 * `git status:*` covers commands that begin with these words, `git * main` and `make test-*` those that fit: a star alone stands
 * for any number of words, one in a word for a part of it. A pattern without either covers the command of exactly this text. An
 * allow rule names its program and covers no command of which only the exact text may be allowed; to be denied or asked for, its
 * name by any path is enough.
 */
export function coversCommand(pattern: string, { text, words, onlyExact }: SimpleCommand, effect: Effect): boolean {
  if (coversWhole(pattern, text)) return true;
  if (!isPrefix(pattern) && !STAR.test(pattern))
    return effect !== 'allow' && literal(pattern.trim()) === words.join(' ');
  const names = (isPrefix(pattern) ? `${pattern.trim().slice(0, -2)} *` : pattern).trim().split(/\s+/);
  if (effect === 'allow') {
    const said = names.findIndex((name) => name === '*');
    const isNamed = !STAR.test(names[0] ?? '') && (said === -1 ? names.length : said) >= wordsToName(words);
    return isNamed && onlyExact === undefined && words.length > 0 && fits(words, names);
  }
  // What is not written out may be anything, so its own text is looked at as well.
  const spelled = words.length > 0 ? words : plainly(text).split(/\s+/);
  return [spelled, [nameOf(spelled[0] ?? ''), ...spelled.slice(1)]].some((form) =>
    fits(form, names, { skips: 'options' }),
  );
}

/** `skips`: options that stand before a sub-command are passed over, so that `git -C x push` fits `git push` too. */
function fits(
  words: readonly string[],
  names: readonly string[],
  { skips, word = 0, name = 0 }: { readonly skips?: 'options'; readonly word?: number; readonly name?: number } = {},
): boolean {
  const more = skips && { skips };
  const wanted = names[name];
  if (wanted === undefined) return word === words.length;
  if (wanted === '*') {
    if (name === names.length - 1) return true;
    return words.slice(word).some((_, at) => fits(words, names, { ...more, word: word + at, name: name + 1 }));
  }
  const found = words[word];
  if (found === undefined) return false;
  if (matches(wanted, found) && fits(words, names, { ...more, word: word + 1, name: name + 1 })) return true;
  const isOption = found.startsWith('-') || words[word - 1]?.startsWith('-');
  return word > 0 && skips === 'options' && isOption === true && fits(words, names, { skips, word: word + 1, name });
}

const STAR = /(?<!\\)\*/;

function matches(name: string, word: string): boolean {
  const parts = name.split(/(?<!\\)\*/).map(literal);
  if (parts.length === 1) return parts[0] === word;
  let at = 0;
  return parts.every((part, index) => {
    const found = index === parts.length - 1 ? Math.max(at, word.length - part.length) : word.indexOf(part, at);
    const isThere = found >= at && word.startsWith(part, found) && (index > 0 || found === 0);
    at = found + part.length;
    return isThere;
  });
}

/** A pattern that stands for nothing but this text. */
export function exactly(command: string): string {
  return command.replaceAll('*', '\\*');
}

function literal(pattern: string): string {
  return pattern.replaceAll('\\*', '*');
}

/** Without what the shell takes away: quotes, and characters written by their number. */
function plainly(text: string): string {
  return text
    .replace(/\$'((?:[^'\\]|\\.)*)'/gs, (_, inner: string) =>
      inner.replace(/\\x([\da-f]{1,2})|\\([0-7]{1,3})/gi, (_all, hex?: string, octal?: string) =>
        String.fromCharCode(hex === undefined ? parseInt(octal ?? '', 8) : parseInt(hex, 16)),
      ),
    )
    .replace(/["'\\]/g, '');
}

function isPrefix(pattern: string): boolean {
  return pattern.trimEnd().endsWith(':*');
}

function nameOf(program: string): string {
  return program.slice(program.lastIndexOf('/') + 1);
}

/** Programs of which the first so many words say what they do (S22). */
const SUGGESTED: readonly (readonly [program: RegExp, sub: RegExp, words: number])[] = [
  [
    /^git$/,
    /^(add|commit|checkout|switch|restore|stash|fetch|pull|push|merge|rebase|branch|tag|cherry-pick|revert|mv|rm)$/,
    2,
  ],
  [/^(npm|pnpm|yarn)$/, /^(test|t|start|build|lint|ci|install)$/, 2],
  [/^(npm|pnpm|yarn|bun)$/, /^run$/, 3],
  [/^cargo$/, /^(build|test|check|clippy|fmt|bench|doc)$/, 2],
  [/^go$/, /^(build|test|vet|fmt|mod)$/, 2],
  [/^dotnet$/, /^(build|test|restore|format)$/, 2],
  [/^(mvn|gradle|\.\/gradlew|\.\/mvnw)$/, /^(test|build|compile|check|verify|package)$/, 2],
  [/^(make|just|task)$/, /^[\w.-]+$/, 2],
  [/^(pytest|tsc|eslint|prettier|jest|vitest|mocha|ruff|black|mypy|rubocop|rspec|phpunit)$/, /^/, 1],
  [/^(mkdir|touch)$/, /^/, 1],
];

/** Rules by first words that would let commands like this one pass, the narrowest first. None where something in it needs a person each time. */
export function suggestPrefixes(line: CommandLine): readonly string[] {
  const acting = line.commands.filter(({ readsOnly }) => !readsOnly);
  const [only] = acting;
  if (!only || acting.length > 1 || only.onlyExact !== undefined || line.doubts.length > 0) return [];
  const [program = '', sub = ''] = only.words;
  const found = SUGGESTED.find(([name, second]) => name.test(program) && second.test(sub));
  if (!found || only.words.length < found[2] || only.words.slice(0, found[2]).some((word) => /[\s()*:]/.test(word)))
    return [];
  return [`${only.words.slice(0, found[2]).join(' ')}:*`];
}
