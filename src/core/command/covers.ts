// Which commands a rule covers, and which rules to offer for one.
import type { Effect } from '../permission/types';
import { wordsToName } from './exact';
import type { CommandLine, SimpleCommand } from './types';

/** The exact text of the whole command. */
export function coversWhole(pattern: string, command: string): boolean {
  return !isPrefix(pattern) && command.trim() === pattern.trim();
}

/**
 * `git status:*` covers commands that begin with these words; a pattern without `:*` the command of exactly this text. An allow
 * rule covers no command of which only the exact text may be allowed; to be denied or asked for, its name by any path is enough.
 */
export function coversCommand(pattern: string, { text, words, onlyExact }: SimpleCommand, effect: Effect): boolean {
  if (!isPrefix(pattern)) {
    if (text.trim() === pattern.trim()) return true;
    return effect !== 'allow' && pattern.trim() === words.join(' ');
  }
  const prefix = pattern.slice(0, -2).trim().split(/\s+/);
  if (effect === 'allow') {
    const isNamed = onlyExact === undefined && words.length > 0 && prefix.length >= wordsToName(words);
    return isNamed && prefix.every((word, at) => words[at] === word);
  }
  // What is not written out may be anything, so its own text is looked at as well.
  const spelled = words.length > 0 ? words : text.replace(/["'\\]/g, '').split(/\s+/);
  return [spelled, [nameOf(spelled[0] ?? ''), ...spelled.slice(1)]].some((form) => begins(form, prefix));
}

/** Options that stand before a sub-command are passed over: `git -C x push` begins with `git push` too. */
function begins(words: readonly string[], prefix: readonly string[]): boolean {
  let at = 0;
  for (const word of prefix) {
    while (
      at > 0 &&
      at < words.length &&
      words[at] !== word &&
      (words[at]?.startsWith('-') || words[at - 1]?.startsWith('-'))
    )
      at++;
    if (words[at] !== word) return false;
    at++;
  }
  return true;
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
