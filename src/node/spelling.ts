// Another spelling of one name: where a file system folds case, a file is found under its new name before it has it.
import { lstat, readdir } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { Path } from '../core/host';
import { isTaken } from './files';

/** One entry of a folder, as it is asked for. */
export interface Entry {
  readonly path: Path;
  readonly dev: bigint;
  readonly ino: bigint;
}

/** `names` are those that the folder lists: two names of one file (hard links) are both in it, two spellings of one name are not. */
export function isOtherSpelling(from: Entry, to: Entry, names: readonly string[]): boolean {
  const isSameFile = from.dev === to.dev && from.ino === to.ino;
  const [old, now] = [basename(from.path), basename(to.path)];
  const isSameName = old !== now && fold(old) === fold(now) && dirname(from.path) === dirname(to.path);
  return isSameFile && isSameName && !names.includes(now);
}

function fold(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase();
}

/** Both paths with their folders' links resolved. False too where nothing is at `to`. */
export async function isRespelled(from: Path, to: Path): Promise<boolean> {
  if (dirname(from) !== dirname(to) || fold(basename(from)) !== fold(basename(to))) return false;
  try {
    const [a, b, names] = await Promise.all([
      lstat(from, { bigint: true }),
      lstat(to, { bigint: true }),
      readdir(dirname(to)),
    ]);
    return isOtherSpelling({ path: from, dev: a.dev, ino: a.ino }, { path: to, dev: b.dev, ino: b.ino }, names);
  } catch {
    return false;
  }
}

/** Something other than the file itself is at `to`. */
export async function isTakenFor(from: Path, to: Path): Promise<boolean> {
  return (await isTaken(to)) && !(await isRespelled(from, to));
}
