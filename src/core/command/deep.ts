// What a command that reads whole folders would come upon in them without naming it: secrets, and what is hidden from the agent.
import { hiddenBelow } from '../access/hidden';
import { contains, locatePath, styleOf } from '../files/paths';
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
  const matches = namesOf(touched.onlyNames);
  const secrets: Path[] = [];
  /** Whether it is hidden; a secret is kept. */
  const look = (path: Path, isFolder: boolean): boolean => {
    if (!isFolder && !matches(path)) return false;
    if (hidden.mayLeaveOut && hidden.leavesOut(path)) return true;
    if (secrets.length < FOUND_MAX && protectionOf('read', path, platform) === 'secret') secrets.push(path);
    return false;
  };
  const tops = starts.map(({ path }) => path);
  const seen = touched.keepsIgnored ? await searched(tops, look, host) : await walked(tops, touched, look, host);
  if (seen === 'too much') return undefined;
  return seen.hidden === undefined ? secrets : [seen.hidden];
}

type Look = (path: Path, isFolder: boolean) => boolean;
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
    const leavesOut = (path: Path): boolean => {
      const names = style.relative(top, path).split(/[/\\]/);
      const isLooked = !names.some((name) => name.startsWith('.') || LEFT_OUT.has(name));
      if (first === undefined && isLooked && look(path, false)) first = path;
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
      if (isLink && !touched.followsLinks) continue;
      const isFolder = kind === 'directory';
      if (look(path, isFolder)) return { hidden: path };
      if (isLink) {
        const { real, root, isHidden } = await locatePath(path, host);
        if (!root || isHidden || look(real, isFolder)) return { hidden: path };
        if (!isFolder || known.has(real)) continue;
        known.add(real);
        waiting.push(real);
      } else if (isFolder && !LEFT_OUT.has(name) && !known.has(path)) {
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
