// What a command that does not only read may change, and which scripts it runs, where it stands.
import { posix } from 'node:path';
import { touchedByName } from './named';
import { runsAt } from './parts';
import { pathsFrom, type Places } from './places';
import { changedBy } from './risks';
import type { Touched } from './types';
import type { Word } from './words';

type Runs = ReturnType<typeof runsAt>;

export interface Changes extends Runs {
  readonly touches: readonly Touched[];
  /** Why some of it cannot be told. */
  readonly doubts: readonly string[];
}

/** `texts` are the words of `words`, without quotes. */
export function changesAt(texts: readonly string[], words: readonly Word[], places: Places): Changes {
  const wordOfPath = (path: string): Word =>
    words.find(({ text }) => text === path) ?? {
      text: path,
      isHome: path.startsWith('~/'),
      isGlob: /[*?[]/.test(path),
    };
  const changed = changedBy(texts);
  const named = touchedByName(words, places, (path) => changed.some((one) => one.path === path));
  const doubts = named.lost === undefined ? [] : [`What it names cannot be told (${named.lost}).`];
  const touches = changed.flatMap(({ op, path }): Touched[] => {
    const word = wordOfPath(path);
    const paths = pathsFrom(places, { ...word, text: path });
    if (!paths) doubts.push(`What it changes cannot be told (${path}).`);
    const known = paths ?? (path === '' ? [] : [posix.normalize(path)]);
    return known.map((one) => ({ op, path: one, isImplied: true, ...(word.isGlob ? { isGlob: true } : {}) }));
  });
  return { touches: [...named.touched, ...touches], doubts, ...runsAt(texts, places, wordOfPath) };
}
