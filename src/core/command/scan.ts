// What the characters of a command give away before anybody parses it: whatever could hide something from a parser or from a reader.

/** Beyond it a command is not looked at: parsing takes more than its length (10,000 characters take 0.2 s). Source: security S15. */
export const COMMAND_MAX_CHARS = 10_000;

/** Control (but line feed and tab), bidirectional, invisible and tag characters, and blanks that are none to a shell (S85). */
const HIDING =
  /[\p{Cf}\p{Zl}\p{Zp}\p{Co}\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u115f\u1160\u3164\uffa0\u2800]|\p{Variation_Selector}/u;
/** Nobody writes as many for a reason (S84). */
const PADDING = /[ \t]{40}|\n{10}/;

/** In words for people; empty when the text is as it seems. */
export function scan(text: string): string[] {
  if (text.length > COMMAND_MAX_CHARS) return ['It is too long to be understood.'];
  const doubts = [
    ...(HIDING.test(text) ? ['It holds characters that cannot be seen.'] : []),
    ...(PADDING.test(text) ? ['It holds a long run of blanks, which can push its end out of sight.'] : []),
  ];
  return [...doubts, ...unquoted(text)];
}

/**
 * Walks the quotes of the text. The grammar does not see all that bash runs inside of double quotes and words (S04), so an
 * expansion of any kind is a doubt wherever it may stand.
 */
function unquoted(text: string): string[] {
  const doubts = new Set<string>();
  let quote: '' | "'" | '"' = '';
  let isWordStart = true;
  for (let at = 0; at < text.length; at++) {
    const char = text[at] ?? '';
    const next = text[at + 1] ?? '';
    if (quote === "'") {
      if (char === "'") quote = '';
      continue;
    }
    if (char === '\\') {
      if (next === '\n' || next === '\r') doubts.add('A line is continued with a backslash.');
      if (next === '') doubts.add('It ends with a backslash.');
      at++;
      isWordStart = false;
      continue;
    }
    if (char === '`') doubts.add('It runs a command inside another (`…`).');
    if (char === '$' && !isPlainDollar(quote, next))
      doubts.add(
        next === '('
          ? 'It runs a command inside another ($(…)).'
          : `It uses a variable or an expansion ($${isShown(next) ? next : ''}…).`,
      );
    if (quote === '"') {
      if (char === '"') quote = '';
      continue;
    }
    if (char === '#' && isWordStart) {
      const end = text.indexOf('\n', at);
      if (end === -1) break;
      at = end;
      continue;
    }
    if (char === '"' || char === "'") quote = char;
    else if (char === '{') {
      if (!isPlainBrace(text.slice(at))) doubts.add('It uses braces.');
    } else if (char === '(' || char === ')') doubts.add('It uses parentheses.');
    isWordStart = /[\s;&|<>]/.test(char);
  }
  if (quote !== '') doubts.add('A quote is not closed.');
  return [...doubts];
}

/** `{}` and `stash@{0}` are themselves; with a comma or two dots braces stand for several words. */
function isPlainBrace(rest: string): boolean {
  return /^\{[\w@/^~-]*\}/.test(rest) && !/^\{[^}]*\}[^\s]*[,{]/.test(rest);
}

/** The end of a regular expression, most often: before these a dollar stands for itself. */
function isPlainDollar(quote: string, next: string): boolean {
  return quote === '"' ? /^["|) ]$/.test(next) : next === '' || /^[ |]$/.test(next);
}

function isShown(char: string): boolean {
  return /^[\w!?*@#{'"[-]$/.test(char);
}
