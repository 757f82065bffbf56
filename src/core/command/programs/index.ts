// What is known of programs by their names.
import type { Word } from '../words';
import { FILES } from './files';
import { git } from './git';
import { PACKAGES } from './versions';
import { SEARCHES } from './search';
import type { Judge, Reads } from './spec';
import { TEXTS } from './text';

const KNOWN: ReadonlyMap<string, Judge> = new Map(
  Object.entries({ ...FILES, ...TEXTS, ...SEARCHES, ...PACKAGES, git }),
);

/** What the program reads with these arguments; undefined when it may do more than read. A name with a folder is not the program that is known (S12). */
export function readsOf([program, ...args]: readonly Word[]): Reads | undefined {
  const name = program?.text;
  if (name === undefined || program?.isGlob || args.some(({ text }) => text === undefined)) return undefined;
  if (name === 'command') return args[0]?.text === '-v' && args.length > 1 ? [] : undefined;
  return KNOWN.get(name)?.(args);
}
