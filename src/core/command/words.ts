// From an argument as it is written to the word that the program gets.

export interface Word {
  /** Absent where it is not literal: what the program gets is known to nobody before it runs. */
  readonly text?: string;
  /** Has an unquoted `*`, `?` or `[`: it may stand for several words, or for itself. */
  readonly isGlob: boolean;
  /** Begins with an unquoted `~`, which the shell replaces. */
  readonly isHome: boolean;
}

const NOT_LITERAL: Word = { isGlob: false, isHome: false };

/** `source` is one argument with its quotes. */
export function wordOf(source: string): Word {
  let text = '';
  let quote: '' | "'" | '"' = '';
  let isGlob = false;
  for (let at = 0; at < source.length; at++) {
    const char = source[at] ?? '';
    const next = source[at + 1] ?? '';
    if (quote === "'") {
      if (char === "'") quote = '';
      else text += char;
      continue;
    }
    if (char === '`' || (char === '$' && !/^["|) ]?$/.test(next))) return NOT_LITERAL;
    if (quote === '"') {
      if (char === '"') quote = '';
      else if (char === '\\' && /^["\\$`]$/.test(next)) text += source[++at] ?? '';
      else text += char;
      continue;
    }
    if (char === '"' || char === "'") quote = char;
    else if (char === '\\') text += source[++at] ?? '';
    else if (char === '{' && !/^\{[\w@/^~-]*\}/.test(source.slice(at))) return NOT_LITERAL;
    else {
      isGlob ||= /[*?[]/.test(char);
      text += char;
    }
  }
  return { text, isGlob, isHome: source.startsWith('~') };
}
