// Finds what must be read-only or hidden inside a sandbox: one walk over the workspace, and one look at the home folder.
import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile, readlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Path } from '../../core/host';
import { protectionOf } from '../../core/permission/protected';
import { currentPlatform } from '../platform';
import { PRIVATE_FOLDERS, type Reach } from './bubblewrap';

export type Places = Pick<Reach, 'pinned' | 'readOnly' | 'hiddenFiles' | 'hiddenFolders'> & {
  /** What takes effect without anybody starting it, and where it leads if it is a link. What a command makes anew is set aside. */
  readonly automatic: ReadonlyMap<Path, string>;
  /** Folders that Git keeps repositories in. */
  readonly repositories: readonly Path[];
};

/** Nothing in here takes effect by itself, and there is far too much of it. */
const SKIPPED = new Set(['node_modules', '.venv', 'venv', '__pycache__']);

/** Build manifests are protected too, but only who builds runs them: new ones stay. */
const MANIFEST =
  /(^|\/)(package\.json|lefthook\.ya?ml|setup\.py|conftest\.py|build\.rs|\.?justfile|makefile|gnumakefile|rakefile|jenkinsfile|gradlew(\.bat)?|mvnw(\.cmd)?|gradle-wrapper\.(jar|properties)|\.pnp\.[cm]?js|\.pnp\.loader\.mjs|pnpm-workspace\.yaml|directory\.build\.(props|targets|rsp)|[^/]*\.bazelrc|\.(gitlab-ci|travis|drone|woodpecker|appveyor)\.ya?ml|(azure|bitbucket)-pipelines\.ya?ml|\.gitattributes|\.gitmodules)$|\/\.(github|gitea|forgejo|circleci|buildkite|woodpecker)(\/|$)/i;

/** What of a repository can run commands, or says where that stands; commits need the rest. */
const GIT_PARTS = [
  ...['config', 'config.worktree', 'hooks', 'modules', 'worktrees', 'commondir'],
  ...['info/attributes', 'objects/info/alternates'],
];

const ABOVE_GIT_PARTS = ['info', 'objects', 'objects/info'];

const MOST_PLACES = 2_000;
export const WALK_MAX_MS = 3_000;

export interface WalkOptions {
  readonly maxMs: number;
  /** What the person hides from the agent. */
  readonly leavesOut: (path: Path) => boolean | Promise<boolean>;
}

/** Undefined when the workspace is too large to be sure of it. */
export async function placesIn(roots: readonly Path[], { maxMs, leavesOut }: WalkOptions): Promise<Places | undefined> {
  const platform = currentPlatform();
  const places = {
    pinned: new Set<Path>(),
    readOnly: [] as Path[],
    hiddenFiles: [] as Path[],
    hiddenFolders: [] as Path[],
    automatic: new Map<Path, string>(),
    repositories: [] as Path[],
  };
  const endsAtMs = performance.now() + maxMs;
  let isWhole = true;

  const pinAbove = (path: Path, root: Path) => {
    for (let above = dirname(path); above.length > root.length; above = dirname(above)) places.pinned.add(above);
  };
  const protect = async (path: Path, root: Path, isLink: boolean) => {
    if (!MANIFEST.test(path)) {
      places.automatic.set(path, isLink ? await readlink(path).catch(() => '') : '');
      pinAbove(path, root);
    }
    // A mount would lie over what the link leads to.
    if (!isLink) places.readOnly.push(path);
  };
  const hide = (path: Path, entry: Dirent) => {
    if (!entry.isSymbolicLink()) (entry.isDirectory() ? places.hiddenFolders : places.hiddenFiles).push(path);
  };
  const repository = async (folder: Path, root: Path) => {
    places.repositories.push(folder);
    if (folder !== root) places.pinned.add(folder);
    for (const part of GIT_PARTS) {
      const path = join(folder, part);
      const found = await lstat(path).catch(() => undefined);
      if (found) await protect(path, root, found.isSymbolicLink());
    }
    for (const part of ABOVE_GIT_PARTS) {
      const path = join(folder, part);
      if ((await lstat(path).catch(() => undefined))?.isDirectory()) places.pinned.add(path);
    }
  };
  const walk = async (folder: Path, root: Path): Promise<void> => {
    const count = places.readOnly.length + places.hiddenFiles.length + places.hiddenFolders.length;
    if (performance.now() > endsAtMs || count > MOST_PLACES) isWhole = false;
    if (!isWhole) return;
    const entries = await entriesOf(folder);
    const below: Promise<void>[] = [];
    if (isBare(entries)) {
      // Without its HEAD it is none.
      places.automatic.set(join(folder, 'HEAD'), '');
      below.push(repository(folder, root));
    }
    for (const entry of entries) {
      const path = join(folder, entry.name);
      const protection = protectionOf('write', path, platform);
      const isFolder = entry.isDirectory();
      if (await leavesOut(path)) {
        hide(path, entry);
        pinAbove(path, root);
      } else if (isFolder && entry.name.toLowerCase() === '.git') {
        places.automatic.set(path, '');
        below.push(repository(path, root));
      } else if (protection === 'secret') hide(path, entry);
      else if (protection !== undefined) below.push(protect(path, root, entry.isSymbolicLink()));
      else if (isFolder && !SKIPPED.has(entry.name)) below.push(walk(path, root));
    }
    await Promise.all(below);
  };
  for (const root of roots) await walk(root, root);
  return isWhole ? { ...places, pinned: [...places.pinned] } : undefined;
}

/** Git takes such a folder for a repository wherever it stands. */
function isBare(entries: readonly Dirent[]): boolean {
  return ['HEAD', 'objects', 'refs'].every((name) => entries.some((entry) => entry.name === name));
}

/** Empty where a folder cannot be read, and then nothing inside the sandbox can read it either. */
async function entriesOf(folder: Path): Promise<readonly Dirent[]> {
  return readdir(folder, { withFileTypes: true }).catch(() => []);
}

/** Keys and passwords by their usual names, in the person's folder and where programs keep their settings. */
export async function secretsAtHome(home: Path): Promise<Pick<Reach, 'hiddenFiles' | 'hiddenFolders'>> {
  const platform = currentPlatform();
  const hiddenFiles: Path[] = [];
  const hiddenFolders: Path[] = [];
  for (const folder of [home, ...['.config', '.docker', '.local/share'].map((name) => join(home, name))]) {
    for (const entry of await entriesOf(folder)) {
      const path = join(folder, entry.name);
      const isSecret = protectionOf('read', path, platform) === 'secret' || KEPT_BY_PROGRAMS.test(path);
      if (isSecret && entry.isDirectory()) hiddenFolders.push(path);
      if (isSecret && entry.isFile()) hiddenFiles.push(path);
    }
  }
  return { hiddenFiles, hiddenFolders };
}

/** Keyrings, browsers’ and editors’ stores of sessions, shells’ histories. */
const KEPT_BY_PROGRAMS =
  /\/(keyrings|\.mozilla|\.password-store|\.(bash|zsh|python|psql|node_repl)_history)$|\.config\/(google-chrome|chromium|BraveSoftware|Code|Code - [^/]+|VSCodium|op)$/;

/** Sockets that programs outside listen on: reaching them (a container service, an editor) would be a way out. */
export async function listeningSockets(roots: readonly Path[]): Promise<readonly Path[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  const paths = new Set(table.split('\n').flatMap((line) => /^(?:\S+\s+){7}(\/.*)$/.exec(line)?.[1] ?? []));
  const found = await Promise.all(
    [...paths].map(async (path) => {
      if (isGone(path) && !roots.some((root) => path.startsWith(`${root}/`))) return [];
      return (await lstat(path).catch(() => undefined))?.isSocket() ? [path] : [];
    }),
  );
  return found.flat();
}

/** Not there inside anyway. */
function isGone(path: Path): boolean {
  return PRIVATE_FOLDERS.some((folder) => path.startsWith(`${folder}/`) || path.startsWith(`/var${folder}/`));
}
