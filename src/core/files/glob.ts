// Globs as ignore files have them, in bounded time: a model writes them, and a regular expression made of one could hang the host (S89).

/**
 * `*` and `?` stay within a name, `**` spans folders, `[a-z]`, `[!a]` and `{a,b}` as usual, `\` takes the next character as it
 * is. Without `/` a glob counts at any depth; with one it counts from the folder that paths are relative to. `x/` is all that
 * is in x. Paths have `/` between names and none at the start.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const fromHere = glob.replace(/^(?:\.\/)+/, '/');
  const whole = fromHere.endsWith('/') ? `${fromHere}**` : fromHere;
  const anchored = whole.includes('/') ? whole.replace(/^\//, '') : `**/${whole}`;
  const alternatives = expandBraces(anchored).map((each) => each.split('/').map(compileName));
  return (path) => {
    const names = path.split('/').map((name) => [...name]);
    return alternatives.some((parts) => fitsPath(parts, names));
  };
}

type Token = { readonly kind: 'run' | 'one' } | { readonly kind: 'set'; fits(unit: string): boolean };
type Part = 'folders' | readonly Token[];

function fitsPath(parts: readonly Part[], names: readonly (readonly string[])[]): boolean {
  // reached[n]: the parts so far fit exactly the first n names.
  let reached = names.map(() => false);
  reached.unshift(true);
  for (const [at, part] of parts.entries()) {
    const isLast = at === parts.length - 1;
    const next = reached.map(() => false);
    for (let n = 0; n < reached.length; n++) {
      if (part === 'folders') next[n] = reached[n] === true && !isLast;
      if (n === 0) continue;
      if (part === 'folders') next[n] ||= next[n - 1] === true || reached[n - 1] === true;
      else next[n] = reached[n - 1] === true && fitsName(part, names[n - 1] ?? []);
    }
    reached = next;
  }
  return reached[names.length] === true;
}

/** Goes back to the last run only, since an earlier one can never do better: at most names × tokens steps. */
function fitsName(tokens: readonly Token[], units: readonly string[]): boolean {
  let token = 0;
  let unit = 0;
  let run = -1;
  let runUnit = 0;
  while (unit < units.length) {
    const current = tokens[token];
    if (current?.kind === 'run') {
      run = token++;
      runUnit = unit;
    } else if (current && (current.kind === 'one' || fitsSet(current, units[unit] ?? ''))) {
      token++;
      unit++;
    } else if (run !== -1) {
      token = run + 1;
      unit = ++runUnit;
    } else return false;
  }
  return tokens.slice(token).every(({ kind }) => kind === 'run');
}

function fitsSet(token: Token, unit: string): boolean {
  return token.kind === 'set' && token.fits(unit);
}

function compileName(name: string): Part {
  if (name === '**') return 'folders';
  const units = [...name];
  const tokens: Token[] = [];
  for (let at = 0; at < units.length; at++) {
    const unit = units[at] ?? '';
    const set = unit === '[' ? readSet(units, at) : undefined;
    if (unit === '*') tokens.push({ kind: 'run' });
    else if (unit === '?') tokens.push({ kind: 'one' });
    else if (set) {
      tokens.push(set.token);
      at = set.end;
    } else tokens.push(literal(unit === '\\' ? (units[++at] ?? '\\') : unit));
  }
  return tokens;
}

function literal(expected: string): Token {
  return { kind: 'set', fits: (unit) => unit === expected };
}

/** Undefined when the bracket is never closed: then it stands for itself. */
function readSet(units: readonly string[], start: number): { readonly token: Token; readonly end: number } | undefined {
  const isNegated = units[start + 1] === '!' || units[start + 1] === '^';
  const first = start + (isNegated ? 2 : 1);
  // A bracket in first place stands for itself.
  const end = units.indexOf(']', first + 1);
  if (end === -1) return undefined;
  const members = units.slice(first, end);
  const ranges: (readonly [string, string])[] = [];
  for (let at = 0; at < members.length; at++) {
    const from = members[at] ?? '';
    const to = members[at + 1] === '-' ? members[at + 2] : undefined;
    ranges.push([from, to ?? from]);
    if (to !== undefined) at += 2;
  }
  const fits = (unit: string) => ranges.some(([from, to]) => unit >= from && unit <= to) !== isNegated;
  return { token: { kind: 'set', fits }, end };
}

/** More alternatives than these and the braces stand for themselves. */
const MAX_ALTERNATIVES = 256;

function expandBraces(glob: string): readonly string[] {
  const done: string[] = [];
  const waiting = [glob];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const group = firstGroup(next);
    if (!group) done.push(next);
    else {
      const [head, tail] = [next.slice(0, group.start), next.slice(group.end + 1)];
      waiting.push(...group.options.map((option) => head + option + tail));
    }
    if (done.length + waiting.length > MAX_ALTERNATIVES) return [glob];
  }
  return done;
}

/** The first balanced `{…}` with a comma in it. */
function firstGroup(
  glob: string,
): { readonly start: number; readonly end: number; readonly options: readonly string[] } | undefined {
  for (let start = glob.indexOf('{'); start !== -1; start = glob.indexOf('{', start + 1)) {
    if (glob[start - 1] === '\\') continue;
    const commas = [start];
    let depth = 0;
    for (let at = start; at < glob.length; at++) {
      if (glob[at] === '\\') at++;
      else if (glob[at] === '{') depth++;
      else if (glob[at] === ',' && depth === 1) commas.push(at);
      else if (glob[at] === '}' && --depth === 0) {
        if (commas.length === 1) break;
        const options = commas.map((comma, index) => glob.slice(comma + 1, commas[index + 1] ?? at));
        return { start, end: at, options };
      }
    }
  }
  return undefined;
}
