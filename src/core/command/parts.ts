// What can be told from the words of one command alone.
import { criticalReason } from './critical';
import { pathsFrom, type Places } from './places';
import type { Reads } from './programs/spec';
import { scriptsOf, type Recipes } from './scripts';
import type { Touched } from './types';
import { wordOf, type Word } from './words';

export function criticalIn(words: readonly string[]): string | undefined {
  // After any of its words a program may begin: sudo, xargs, timeout with options.
  for (let at = 0; at < Math.min(words.length, 12); at++) {
    // Its own `rm` and `mv` take what it can give back.
    if (at === 1 && words[0] === 'git') continue;
    const found = criticalReason(words.slice(at));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Without quotes; what stands for something else is left as it is written. */
export function bare(source: string): string {
  return wordOf(source).text ?? source.replace(/["'\\]/g, '');
}

/** Undefined where it cannot be told. */
export function folderOf(
  words: readonly Word[],
  places: Places,
): { readonly places: Places; readonly touched: readonly Touched[] } | undefined {
  const args = words.slice(1).filter(({ text }) => text !== '--' && text !== '-P' && text !== '-L');
  const [folder] = args;
  if (args.length !== 1 || folder?.text === undefined || folder.isGlob || folder.text.startsWith('-')) return undefined;
  const paths = pathsFrom(places, folder);
  return paths && { places: paths, touched: paths.map((path) => ({ op: 'read', path })) };
}

/** Patterns that name no file the program reads are replaced by names all the same. */
export function globsBeside(known: Reads, program: readonly Word[]): readonly Touched[] {
  const globs = program.filter(({ text, isGlob }) => isGlob && !known.some(({ path }) => path === text));
  return globs.map(({ text = '' }) => ({ op: 'read', path: text, isGlob: true, isWord: true }));
}

/** What is run where the command stands; `unbound`: words that may name one more script. */
export function runsAt(
  texts: readonly string[],
  places: Places,
  wordOfPath: (path: string) => Word,
): { readonly scripts: readonly string[]; readonly recipes: readonly Recipes[]; readonly unbound: readonly string[] } {
  const { files, recipes, unknown } = scriptsOf(texts);
  const unbound = unknown === undefined ? [] : [unknown];
  const leadsTo = (path: string): readonly string[] => {
    const word = wordOfPath(path);
    const paths = word.isGlob ? undefined : pathsFrom(places, word);
    if (!paths) unbound.push(path);
    return paths ?? [];
  };
  const at = (folder: string) => (folder === '' ? places : leadsTo(folder));
  return {
    scripts: files.flatMap(leadsTo),
    recipes: recipes.flatMap(({ folder, names }) => at(folder).map((one) => ({ folder: one, names }))),
    unbound,
  };
}
