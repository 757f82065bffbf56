// Which files below the roots a command may change: as Git tells them, else by a bounded walk. Links are named, never followed.
import { lstat, readdir } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { listRepository, type Asked, type Tracked } from './gitListing';

export interface Listing {
  /** By absolute path; with what Git knows of the file, where it is tracked. */
  readonly files: ReadonlyMap<string, Tracked | undefined>;
  /** Listings with equal rules leave the same out, as long as no `.gitignore` has changed. */
  readonly rules: string;
  /** For the person. */
  readonly unseen: readonly string[];
}

/** Source: design section 6. */
export const MAX_FILES = 20_000;
/** The rules of a listing that is not complete: whatever it lacks may have been there all the same. */
export const FULL = 'full';
const MAX_REPOSITORIES = 50;

/** What other programs write and can write again, where there is no Git that knows better. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  ...['node_modules', 'dist', 'build', 'target', 'out', 'venv', '.venv', 'coverage', '__pycache__'],
  ...['.git', '.hg', '.svn', '.jj'],
]);

export interface ListOptions extends Asked {
  /** And as many folders, so that one of nothing but folders comes to an end too. */
  readonly maxFiles: number;
}

export async function listFiles(roots: readonly string[], options: ListOptions): Promise<Listing> {
  const { maxFiles, signal } = options;
  const files = new Map<string, Tracked | undefined>();
  const unseen: string[] = roots.flatMap((root) =>
    isAbsolute(root) ? [] : [`${root} is not a folder on this machine: what commands change there is not known.`],
  );
  const rules: string[] = [];
  const waiting = roots.filter((root) => isAbsolute(root));
  const listed = new Set<string>();
  let isFull = false;
  const add = (found: ReadonlyMap<string, Tracked | undefined>): void => {
    for (const [path, tracked] of found) {
      if (files.size < maxFiles) files.set(path, tracked ?? files.get(path));
      else isFull ||= !files.has(path);
    }
  };
  for (let folder = waiting.shift(); folder !== undefined && !isFull; folder = waiting.shift()) {
    if (listed.has(folder) || signal.aborted) continue;
    listed.add(folder);
    if (listed.size > MAX_REPOSITORIES) {
      unseen.push(
        `There are more than ${MAX_REPOSITORIES} repositories: what commands change in the others is not known.`,
      );
      break;
    }
    const isRoot = roots.includes(folder);
    const repository = isRoot || (await hasGit(folder)) ? await listRepository(folder, options) : undefined;
    const found = repository ?? (await walk(folder, maxFiles, signal));
    rules.push(found.rules);
    waiting.push(...found.nested.map((path) => resolve(path)));
    add(found.files);
    isFull ||= found.isFull === true;
  }
  if (isFull) {
    unseen.push(
      `There are more than ${maxFiles} files: what commands change in those beyond is not known and cannot be taken back.`,
    );
  }
  return { files, rules: isFull ? FULL : rules.join('\n'), unseen };
}

async function hasGit(folder: string): Promise<boolean> {
  return lstat(join(folder, '.git')).then(
    () => true,
    () => false,
  );
}

interface Walk {
  readonly files: ReadonlyMap<string, undefined>;
  readonly nested: readonly string[];
  readonly rules: string;
  readonly isFull: boolean;
}

/** Level by level, so that a large folder does not hide what stands beside it. */
async function walk(top: string, maxFiles: number, signal: AbortSignal): Promise<Walk> {
  const files = new Map<string, undefined>();
  const nested: string[] = [];
  const waiting = [top];
  for (let at = 0; at < waiting.length; at++) {
    if (files.size > maxFiles || at > maxFiles) break;
    if (signal.aborted) break;
    const folder = waiting[at] ?? top;
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    if (folder !== top && entries.some(({ name }) => name === '.git')) {
      nested.push(folder);
      continue;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, entry.name);
      if (entry.isFile() || entry.isSymbolicLink()) files.set(path, undefined);
      else if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) waiting.push(path);
    }
  }
  const isFull = files.size > maxFiles || waiting.length > maxFiles;
  return { files, nested, rules: `walk ${top}`, isFull };
}
