// What a command that reads or lists whole folders would come upon in them without naming it: secrets, and what is hidden from the agent.
import { hiddenBelow } from '../access/hidden';
import { IGNORE_FILE } from '../access/ignoreFile';
import { contains, foldPath, styleOf } from '../files/names';
import { locatePath } from '../files/paths';
import { isProblem, type Host, type Path } from '../host';
import { protectionOf } from '../permission/protected';
import type { Touched } from './types';

export type DeepHost = Pick<Host, 'roots' | 'platform' | 'files' | 'settings' | 'search'>;

/** Entries looked at; beyond it nobody knows what there is. */
const ENTRIES_MAX = 30_000;
/** One is enough to ask; these are shown. */
const FOUND_MAX = 20;

/**
 * Repositories and installed packages hold certificates and examples of keys whose names say nothing: they are not looked into,
 * though the command reads them.
 */
const LEFT_OUT: ReadonlySet<string> = new Set(['.git', 'node_modules', 'site-packages', '.venv', 'venv']);

/**
 * At most 20 paths; of what is hidden only the first, since it decides alone. Undefined: there is too much to look at.
 * Outside of the workspace only its folders are looked for: the rest asks anyway.
 */
export async function comesUpon(folder: Path, touched: Touched, host: DeepHost): Promise<readonly Path[] | undefined> {
  if ((await host.files.stat(folder))?.kind !== 'directory') return [];
  const { platform } = host;
  const start = await locatePath(folder, host);
  const below = host
    .roots()
    .filter(({ path }) => [start.path, start.real].some((top) => contains(top, path, platform)));
  const starts = start.root ? [start] : await Promise.all(below.map(({ path }) => locatePath(path, host)));
  const hidden = await hiddenBelow(starts, host);
  const tops = starts.map(({ path }) => path);
  if (touched.onlyNamed && !hidden.mayLeaveOut && !(await holdsIgnoreFile(tops, touched, host))) return [];
  const matches = namesOf(touched.onlyNames);
  const secrets: Path[] = [];
  /** Whether it is hidden; a secret is kept. */
  const look = async (path: Path, isFolder: boolean): Promise<boolean> => {
    if (!isFolder && !matches(path)) return false;
    if (await hidden.leavesOut(path)) return true;
    if (touched.onlyNamed) return false;
    if (secrets.length < FOUND_MAX && protectionOf('read', path, platform) === 'secret') secrets.push(path);
    return false;
  };
  const seen = touched.keepsIgnored ? await searched(tops, look, host) : await walked(tops, touched, look, host);
  if (seen === 'too much') return undefined;
  return seen.hidden === undefined ? secrets : [seen.hidden];
}

/** Whether something in the workspace may be hidden, now or in what is no longer there. */
export async function mayHide(host: DeepHost): Promise<boolean> {
  const starts = await Promise.all(host.roots().map(({ path }) => locatePath(path, host)));
  const { mayLeaveOut } = await hiddenBelow(starts, host);
  if (mayLeaveOut) return true;
  return holdsIgnoreFile(
    starts.map(({ path }) => path),
    { isDeep: true },
    host,
  );
}

/** In folders too large to look through nothing is taken to be hidden: people hide from the top. */
async function holdsIgnoreFile(
  tops: readonly Path[],
  { isDeep }: Pick<Touched, 'isDeep'>,
  { files, platform }: DeepHost,
): Promise<boolean> {
  const style = styleOf(platform);
  let entriesLeft = ENTRIES_MAX;
  let level = [...tops];
  while (level.length > 0 && entriesLeft > 0) {
    const next: Path[] = [];
    for (let at = 0; at < level.length && entriesLeft > 0; at += LISTED_AT_ONCE) {
      const some = level.slice(at, at + LISTED_AT_ONCE);
      for (const [index, entries] of (await Promise.all(some.map(async (folder) => files.list(folder)))).entries()) {
        if (isProblem(entries)) continue;
        entriesLeft -= entries.length;
        if (entries.some(({ name }) => foldPath(name, platform) === IGNORE_FILE)) return true;
        const folders = entries.filter(
          ({ name, kind, isLink }) => kind === 'directory' && !isLink && !LEFT_OUT.has(name),
        );
        next.push(...folders.map(({ name }) => style.join(some[index] ?? '', name)));
      }
    }
    level = isDeep ? next : [];
  }
  return false;
}

const LISTED_AT_ONCE = 16;

type Look = (path: Path, isFolder: boolean) => Promise<boolean>;
/** `hidden`: the first that is hidden or leads out of the workspace. */
type Seen = { readonly hidden?: Path } | 'too much';

/** Beyond it a search counts as too much to look at. */
const LOOK_MS = 10_000;

/** What ripgrep looks into by itself: no file that is ignored, and none whose name begins with a dot. */
async function searched(tops: readonly Path[], look: Look, { search, platform }: DeepHost): Promise<Seen> {
  const style = styleOf(platform);
  const late = AbortSignal.timeout(LOOK_MS);
  let first: Path | undefined;
  for (const top of tops) {
    const leavesOut = async (path: Path): Promise<boolean> => {
      const names = style.relative(top, path).split(/[/\\]/);
      const isLooked = !names.some((name) => name.startsWith('.') || LEFT_OUT.has(name));
      if (first === undefined && isLooked && (await look(path, false))) first = path;
      return true;
    };
    const found = await search.files({ pattern: '**', path: top, maxFiles: 1, leavesOut }, late);
    if ('problem' in found || late.aborted) return 'too much';
    if (first !== undefined) return { hidden: first };
  }
  return {};
}

/** Level by level. Links are followed where the command does, and what leads out of the workspace counts as found. */
async function walked(tops: readonly Path[], touched: Touched, look: Look, host: DeepHost): Promise<Seen> {
  const style = styleOf(host.platform);
  const waiting = [...tops];
  const known = new Set(waiting);
  let entriesLeft = ENTRIES_MAX;
  for (let folder = waiting.shift(); folder !== undefined; folder = waiting.shift()) {
    const entries = await host.files.list(folder);
    if (isProblem(entries)) continue;
    entriesLeft -= entries.length;
    if (entriesLeft < 0) return 'too much';
    for (const { name, kind, isLink } of entries) {
      const path = style.join(folder, name);
      if (isLink && !touched.followsLinks) {
        // Where it leads is shown with its name.
        if (touched.onlyNamed && (await locatePath(path, host)).isHidden) return { hidden: path };
        continue;
      }
      const isFolder = kind === 'directory';
      if (await look(path, isFolder)) return { hidden: path };
      if (isLink) {
        const { real, root, isHidden } = await locatePath(path, host);
        if (!root || isHidden || (await look(real, isFolder))) return { hidden: path };
        if (!isFolder || known.has(real)) continue;
        known.add(real);
        waiting.push(real);
      } else if (isFolder && touched.isDeep && !LEFT_OUT.has(name) && !known.has(path)) {
        known.add(path);
        waiting.push(path);
      }
    }
  }
  return {};
}

/** Only the plainest patterns are taken at their word; others may mean anything. */
function namesOf(patterns: readonly string[] | undefined): (path: Path) => boolean {
  if (!patterns?.every((pattern) => /^\*\.[\w.]+$/.test(pattern))) return () => true;
  const endings = patterns.map((pattern) => pattern.slice(1).toLowerCase());
  return (path) => endings.some((ending) => path.toLowerCase().endsWith(ending));
}
