// What Git is told to look at: paths, patterns of its own, and words that change what they mean.
import picomatch from 'picomatch';
import { posix } from 'node:path';
import type { Touched } from '../types';
import type { Word } from '../words';
import { readOf } from './spec';

/** `:(top,glob)rest`, `:!rest`, `:/rest`. */
const MAGIC = /^:(?:\(([^)]*)\)|([!^/]+):?)/;

/** It says by a sign in front what it means, so it is no `REVISION:path`. */
export function isMagic({ text = '' }: Word): boolean {
  return MAGIC.test(text);
}

/** A plain path, so that nothing but it and what lies in it is shown. */
export function isPlainPath({ text, isGlob }: Word): boolean {
  return text !== undefined && !isGlob && !/^:|[*?[\\]|^\.\/*$/.test(text);
}

/** The paths that are named. What is excluded takes away from the others and names nothing. */
export function namedBy(word: Word): readonly Touched[] {
  const { text = '' } = word;
  const [magic = '', words = '', signs = ''] = MAGIC.exec(text) ?? [];
  if (/[!^]/.test(signs) || words.split(',').includes('exclude')) return [];
  const path = text.slice(magic.length);
  if (path === '') return [];
  if (word.isGlob || !/[*?[]/.test(path)) return [readOf({ ...word, text: path })];
  return secretsMeant(path).map((secret) => readOf({ text: secret, isGlob: false, isHome: false }));
}

/** Of what holds secrets each usual form. */
const SECRETS = [
  '.env',
  '.env.local',
  'prod.env',
  'server.pem',
  'server.key',
  'cert.p12',
  'id_rsa',
  '.npmrc',
  '.netrc',
];

/** Git itself makes names of a pattern. One that would fit a secret, and not just anything, is judged as if that were there. */
function secretsMeant(pattern: string): readonly string[] {
  const fits = picomatch(posix.basename(pattern), { dot: true, nocase: true, posix: true });
  if (fits('a') || fits('a.txt')) return [];
  const folder = posix.dirname(pattern);
  const found = SECRETS.find((name) => fits(name));
  return found === undefined ? [] : [/[*?[]/.test(folder) ? found : posix.join(folder, found)];
}
