// What a shell command prints, told by its program: decides what may be left out of a long output.

/** `source`: texts as they are. `search`: findings. `log`: what builds, tests and installers tell. `other`: unknown. */
export type OutputKind = 'source' | 'search' | 'log' | 'other';

/** Source: [B07]. */
const KINDS: Readonly<Record<Exclude<OutputKind, 'other'>, readonly string[]>> = {
  source: ['cat', 'head', 'tail', 'sed -n', 'git diff', 'git show'],
  search: ['grep', 'rg', 'ag', 'find', 'fd'],
  log: [
    ...['npm', 'pnpm', 'yarn', 'bun', 'cargo', 'go', 'make', 'mvn', 'gradle', 'pip', 'pytest'],
    ...['vitest', 'jest', 'tsc', 'docker'],
  ],
};

const KIND_OF = new Map(
  Object.entries(KINDS).flatMap(([kind, programs]) => programs.map((program) => [program, kind as OutputKind])),
);

/** Programs that print nothing of their own. */
const SILENT = /^(?:cd|export|set|unset|source|mkdir|sleep|true)$/;
/** What stands before the program that matters. */
const WRAPPERS = /^(?:\w+=\S*|sudo|env|time|nice|npx|bunx|timeout|-\S+|\d+[smh]?)$/;

/** The last segment of a pipe decides; of several commands all must agree. Text that a real shell would have to take apart is `other`. */
export function outputKindOf(command: string): OutputKind {
  const plain = command.replace(/\d?>&\d/g, ' ');
  if (/[`$(){}<>\\]/.test(plain) || (/['"]/.test(plain) && /[|;&\n]/.test(plain))) return 'other';
  const segments = plain.split(/&&|\|\||[;&\n]/).map((pipe) => pipe.split('|').at(-1) ?? '');
  const kinds = segments.flatMap(kindsOf);
  const [first] = kinds;
  return first !== undefined && kinds.every((kind) => kind === first) ? first : 'other';
}

function kindsOf(segment: string): OutputKind[] {
  const words = segment.trim().split(/\s+/);
  const start = words.findIndex((word) => !WRAPPERS.test(word));
  const program = nameOf(words[start] ?? '');
  if (program === '' || SILENT.test(program)) return [];
  const argument = words[start + 1] ?? '';
  if (/^python3?$/.test(program) && argument === '-m') return kindsOf(words.slice(start + 2).join(' '));
  return [KIND_OF.get(program) ?? KIND_OF.get(`${program} ${argument}`) ?? 'other'];
}

/** `./gradlew`, `node_modules/.bin/tsc` and `pip3` are the programs that they stand for. */
function nameOf(word: string): string {
  const name = word.slice(word.lastIndexOf('/') + 1);
  return name === 'gradlew' || name === 'mvnw' ? name.slice(0, -1) : name.replace(/^pip3$/, 'pip');
}
