// Where a command may stand when it runs: `cd` moves it, or fails and leaves it where it was.
import { posix } from 'node:path';
import type { Touched } from './types';
import type { Word } from './words';

/** Folders relative to where the whole command starts, '' that one itself; absolute, or from home, once `cd` has led there. */
export type Places = readonly string[];

export const START: Places = [''];
/** More than any honest command has; each path would be judged from all of them. */
export const PLACES_MAX = 8;

/** After a command, when it succeeded and in any case. */
export interface After {
  readonly success: Places;
  readonly any: Places;
}

export function union(a: Places, b: Places): Places {
  return [...new Set([...a, ...b])];
}

/** Where a path leads from each place. Undefined where that cannot be told by its text: `..` after a name that may be a link, a tilde of somebody's. */
export function pathsFrom(
  places: Places,
  { text, isHome }: Pick<Word, 'text' | 'isHome'>,
): readonly string[] | undefined {
  if (text === undefined || text === '') return undefined;
  if (isHome) return /^~(\/|$)/.test(text) && !climbs(text) ? [text] : undefined;
  if (climbs(text)) return undefined;
  if (text.startsWith('/')) return [text];
  if (text.startsWith('..') && places.some((place) => place !== '')) return undefined;
  return places.map((place) => literal(place === '' ? text : posix.join(place, text)));
}

/** The kernel resolves `link/..` where the link leads, not where its name stands. */
function climbs(text: string): boolean {
  return /[^./][^/]*\/+(?:\.\/+)*\.\.(?:\/|$)|(?:^|\/)\.\.[^/]+\/+\.\.(?:\/|$)/.test(text);
}

/** What would be taken for home or an address by whoever resolves it is a name here. */
function literal(path: string): string {
  return /^~|^[a-z][a-z0-9+.-]*:/i.test(path) ? `./${path}` : path;
}

/** Undefined where one of the paths cannot be told. */
export function touchedFrom(
  places: Places,
  touched: readonly Touched[],
  words: readonly Word[],
): readonly Touched[] | undefined {
  const all: Touched[] = [];
  for (const one of touched) {
    const isHome = words.some((word) => word.isHome && word.text === one.path);
    const paths = pathsFrom(places, { text: one.path, isHome });
    if (!paths) return undefined;
    all.push(...paths.map((path) => ({ ...one, path })));
  }
  return all;
}
