// Whether a script of sed only prints. Its commands `w`, `r`, `e`, `i\`, and the flags `w` and `e` of `s` write files, read them or run programs.

/** False for whatever is not known to print only. */
export function onlyPrints(script: string): boolean {
  let at = 0;
  const eat = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const found = pattern.exec(script)?.[0];
    if (found === undefined) return undefined;
    at += found.length;
    return found;
  };
  while (at < script.length) {
    if (eat(/[\s;{}]+/y) !== undefined) continue;
    if (eat(ADDRESS) !== undefined && eat(/\s*,\s*/y) !== undefined && eat(SECOND_ADDRESS) === undefined) return false;
    eat(/\s*!?\s*/y);
    if (eat(/[{}]/y) !== undefined) continue;
    const command = eat(PRINTING) ?? eat(SUBSTITUTION);
    if (command === undefined || eat(/\s*(?:$|(?=[;\n}]))/y) === undefined) return false;
  }
  return true;
}

/** Up to where the delimiter is the end of it. It may not stand in brackets, where some seds take it for itself and others do not. */
const pattern = (mark: string) => {
  const brackets = `\\[\\^?\\]?(?:[^${mark}\\]\\n\\\\]|\\\\[^${mark}\\]\\n])*\\]`;
  return `(?:[^${mark}\\[\\\\\\n]|\\\\.|${brackets})*`;
};
const ADDRESS = new RegExp(`(?:\\d+(?:~\\d+)?|\\$|/${pattern('/')}/[IM]*)`, 'y');
const SECOND_ADDRESS = new RegExp(`(?:[+~]?\\d+|\\$|/${pattern('/')}/[IM]*)`, 'y');
const PRINTING = /(?:[dDgGhHnNpPx=]|[lqQ] *\d*)/y;
/** With the delimiters that are in use. */
const SUBSTITUTION = new RegExp(
  ['/', '|', '#', ',', '@', ':', '!']
    .map((mark) => (mark === '|' ? '\\|' : mark))
    .map((mark) => `[sy]${mark}${pattern(mark)}${mark}(?:[^${mark}\\\\\\n]|\\\\.)*${mark}[gpiI\\d]*`)
    .join('|'),
  'y',
);
