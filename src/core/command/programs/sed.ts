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

const ADDRESS = /(?:\d+(?:~\d+)?|\$|\/(?:[^/\\\n]|\\.)*\/[IM]*)/y;
const SECOND_ADDRESS = /(?:[+~]?\d+|\$|\/(?:[^/\\\n]|\\.)*\/[IM]*)/y;
const PRINTING = /(?:[dDgGhHnNpPx=]|[lqQ] *\d*)/y;
/** With the delimiters that are in use. */
const SUBSTITUTION = new RegExp(
  ['/', '|', '#', ',', '@', ':', '!']
    .map((mark) => (mark === '|' ? '\\|' : mark))
    .map((mark) => `[sy]${mark}(?:[^${mark}\\\\\\n]|\\\\.)*${mark}(?:[^${mark}\\\\\\n]|\\\\.)*${mark}[gpiI\\d]*`)
    .join('|'),
  'y',
);
