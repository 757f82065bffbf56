// Where programs are looked for: never in a workspace and never relative to wherever one happens to stand (S12).
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, posix, win32 } from 'node:path';
import { contains } from '../core/files/names';
import type { Path } from '../core/host';
import { currentPlatform } from './platform';

/** Whether a folder lies in the workspace, links followed. */
export type IsOurs = (folder: Path) => boolean;

export const inNoWorkspace: IsOurs = () => false;

export function inWorkspace(roots: readonly Path[]): IsOurs {
  const platform = currentPlatform();
  const all = [...new Set(roots.flatMap((root) => [root, real(root)]))];
  return (folder) =>
    [folder, real(folder)].some((path) => all.some((root) => isAbsolute(root) && contains(root, path, platform)));
}

function real(path: Path): Path {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

export interface Folders {
  readonly outside: readonly Path[];
  /** Those in the workspace. What is relative or empty stands for wherever a program is started, and is in neither. */
  readonly inside: readonly Path[];
}

export function foldersOf(list: string, isOurs: IsOurs): Folders {
  const folders = list.split(delimiter).filter(isAbsolute);
  return { outside: folders.filter((folder) => !isOurs(folder)), inside: folders.filter(isOurs) };
}

export interface Machine {
  readonly os: NodeJS.Platform;
  readonly isProgram: (path: Path) => boolean;
}

const THIS_MACHINE: Machine = { os: process.platform, isProgram };

/**
 * The absolute path of a program that a setting names; undefined where there is none. A name alone is looked for in `folders`,
 * on Windows too, where the system itself would look into the current folder first; a path is taken from `cwd`.
 */
export function findProgram(
  command: string,
  { folders, cwd, extensions = '' }: { folders: readonly Path[]; cwd: Path; extensions?: string | undefined },
  { os, isProgram: isThere }: Machine = THIS_MACHINE,
): Path | undefined {
  const style = os === 'win32' ? win32 : posix;
  const named = os === 'win32' ? spellings(command, extensions) : [command];
  const isName = style.basename(command) === command && !(os === 'win32' && command.includes(':'));
  const places = isName ? folders.map((folder) => (name: string) => style.join(folder, name)) : [absolute];
  function absolute(name: string): Path {
    return style.isAbsolute(name) ? name : style.resolve(cwd, name);
  }
  for (const place of places) {
    const found = named.map(place).find(isThere);
    if (found !== undefined) return found;
  }
  return undefined;
}

const USUAL_EXTENSIONS = '.COM;.EXE;.BAT;.CMD';

/** A name with an ending is tried as it is first. */
function spellings(command: string, extensions: string): readonly string[] {
  const endings = (extensions || USUAL_EXTENSIONS).split(';').filter((ending) => ending.startsWith('.'));
  const isWhole = endings.some((ending) => command.toLowerCase().endsWith(ending.toLowerCase()));
  return [...(isWhole ? [command] : []), ...endings.map((ending) => command + ending.toLowerCase())];
}

function isProgram(path: Path): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
