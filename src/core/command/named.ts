// Paths among the words of a program of which nobody knows what it does with them: by themselves, or in the value of an option.
import { posix } from 'node:path';
import { pathsFrom, type Places } from './places';
import type { Touched } from './types';
import type { Word } from './words';

/** Their first argument is a script, full of slashes. */
const SCRIPTED = /^(g|m|n)?awk$|^(sed|perl)$/;
/** These change nothing by its name; what Git changes where it is named is known. */
const READERS =
  /^(git|test|\[|less|more|grep|egrep|fgrep|rg|find|fd|diff|sort|head|tail|wc|cat|file|man|xargs|zcat|zgrep)$/;
/** Nobody means these by what they hold. */
const STREAM = /^\/dev\/(null|tty|std(in|out|err)|fd\/\d+)$/;
/** An address is no path, but for one of a file. */
const ADDRESS = /(?!file:)\b[a-z][\w+.-]*:\/\/[^\s,]*/gi;
/** `html:/a`, `x=../y`, `@list`. */
const SEPARATORS = /[=:,@]/;
/** `-F.env`, `-p/tmp`, `-C../x`. */
const GLUED = /^-[A-Za-z](.+)$/s;

/** `words`: the program with its arguments. `lost`: one of which nobody can tell where it leads. */
export function touchedByName(
  words: readonly Word[],
  places: Places,
  isKnown: (path: string) => boolean,
): { readonly touched: readonly Touched[]; readonly lost?: string } {
  const named = READERS.test(words[0]?.text ?? '') ? 'reads' : 'may change';
  const touched: Touched[] = [];
  let lost: string | undefined;
  for (const word of namedIn(words)) {
    const { text = '', isGlob } = word;
    if (isKnown(text)) continue;
    const paths = pathsFrom(places, word);
    if (!paths) lost = text;
    // Most likely there.
    touched.push(
      ...(paths ?? [posix.normalize(text)]).map(
        (path) => ({ op: 'read', path, named, ...(isGlob && { isGlob }) }) as const,
      ),
    );
  }
  return { touched, ...(lost === undefined ? {} : { lost }) };
}

/** Without the program itself, each once. */
function namedIn([program, ...args]: readonly Word[]): readonly Word[] {
  const script = SCRIPTED.test(program?.text ?? '') ? args.find(({ text }) => !text?.startsWith('-')) : undefined;
  const named = new Map<string, Word>();
  for (const word of args) {
    if (word.text === undefined || word === script) continue;
    const text = word.text.replace(ADDRESS, '').replace(/\bfile:\/\//gi, '');
    const isWhole = text === word.text;
    const glued = GLUED.exec(text)?.[1];
    for (const part of [text, ...text.split(SEPARATORS), ...(glued === undefined ? [] : [glued])]) {
      if (!isPath(part) || named.has(part)) continue;
      const isItself = isWhole && part === text;
      named.set(part, { text: part, isGlob: isItself && word.isGlob, isHome: part.startsWith('~/') || part === '~' });
    }
  }
  return [...named.values()];
}

/** A text with blanks is a message, most often, or a pattern. */
function isPath(part: string): boolean {
  if (/[\s|^$()<>;"']/.test(part) || part.startsWith('-') || STREAM.test(part)) return false;
  return /^[.~]|\/|^id_\w|\.[a-z][\w-]{0,15}$|^((gnu)?make|rake|just|jenkins)file$/i.test(part);
}
