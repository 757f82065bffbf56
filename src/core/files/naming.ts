// How results name files, and what to suggest for a name that is not there.
import { distance } from 'fastest-levenshtein';
import { tellable } from '../access/hidden';
import { isProblem, type Host, type Path } from '../host';
import { contains, styleOf } from './names';
import { showPath, type PathContext, type ResolvedPath } from './paths';

/** For the model: as it can send it back, so relative only where that leads to the same file again. */
export function pathFromCwd(path: Path, { host, cwd }: PathContext): string {
  if (!contains(cwd(), path, host.platform)) return path;
  return styleOf(host.platform).relative(cwd(), path).replaceAll('\\', '/') || '.';
}

/** For sentences. */
export function placeFromCwd(path: Path, ctx: PathContext): string {
  const relative = pathFromCwd(path, ctx);
  return relative === '.' ? 'the current folder' : relative;
}

export function placesFromCwd(paths: readonly Path[], ctx: PathContext): string {
  const [only, other] = paths;
  return only !== undefined && other === undefined ? placeFromCwd(only, ctx) : 'the folders of the workspace';
}

/** For the panel, which opens files by it. */
export function pathForDisplay({ path, shown, root }: ResolvedPath): string {
  return root ? shown : path;
}

export function pathInRoots(path: Path, host: Pick<Host, 'roots' | 'platform'>): string {
  return showPath(path, host.roots(), host.platform);
}

const MAX_SUGGESTIONS = 3;
const MAX_CANDIDATES = 20;

/** The objection to a path where nothing is, with the names that are most likely meant [O26]. Looks only inside the workspace. */
export async function missingFile(
  resolved: ResolvedPath,
  ctx: PathContext & { readonly host: Pick<Host, 'search' | 'settings'>; readonly signal: AbortSignal },
): Promise<{ readonly objection: string }> {
  const fault = await faultOf(resolved, ctx);
  if (fault !== undefined) return { objection: fault };
  const similar = resolved.root ? await similarPaths(resolved.path, resolved.root.path, ctx) : [];
  const advice =
    similar.length === 0
      ? 'Look for it with glob or ls.'
      : `Did you mean ${similar.map((path) => pathFromCwd(path, ctx)).join(' or ')}?`;
  return { objection: `${resolved.shown} does not exist. ${advice}` };
}

/** What keeps anything from being at a free path: a file in place of a folder, a circle of links, a name too long, no access. */
export async function faultOf({ path, shown }: ResolvedPath, ctx: PathContext): Promise<string | undefined> {
  const { host } = ctx;
  // Listing opens nothing where there is nothing.
  const found = await host.files.list(path);
  if (isProblem(found) && (found.problem === 'denied' || found.problem === 'failed')) {
    return found.message.replaceAll(path, shown);
  }
  const style = styleOf(host.platform);
  const dirname = (of: Path) => style.dirname(of);
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const stat = await host.files.stat(folder);
    if (stat?.kind === 'directory') return undefined;
    if (stat) return `${shown} does not exist: ${placeFromCwd(folder, ctx)} is a file, not a folder.`;
  }
  return undefined;
}

async function similarPaths(
  path: Path,
  root: Path,
  { host, signal }: Parameters<typeof missingFile>[1],
): Promise<readonly Path[]> {
  const style = styleOf(host.platform);
  const name = style.basename(path);
  const entries = await host.files.list(style.dirname(path));
  const beside = isProblem(entries)
    ? []
    : nearest(
        name,
        // The name itself is there too when it is a link that leads nowhere.
        entries.map((entry) => entry.name).filter((each) => each !== name),
      );
  const elsewhere = await host.search.files(
    // The name itself, else one with another ending.
    { pattern: `**/{${escapeGlob(name)},${escapeGlob(stemOf(name))}.*}`, path: root, maxFiles: MAX_CANDIDATES },
    signal,
  );
  const found = 'paths' in elsewhere ? elsewhere.paths : [];
  const namesakes = found.filter((each) => style.basename(each) === name);
  const kin = found.filter((each) => stemOf(style.basename(each)) === stemOf(name));
  const paths = [
    ...beside.map((each) => style.join(style.dirname(path), each)),
    ...(namesakes.length > 0 ? namesakes : kin),
  ];
  return (await tellable(paths, host)).slice(0, MAX_SUGGESTIONS);
}

/** Names with another ending or case, or at most a third of the letters different. */
function nearest(name: string, names: readonly string[]): string[] {
  const stem = (text: string) => stemOf(text).toLowerCase();
  return names
    .map((other) => ({
      other,
      steps: stem(other) === stem(name) ? 0 : stepsBetween(name.toLowerCase(), other.toLowerCase()),
    }))
    .filter(({ steps }) => steps <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.steps - b.steps || (a.other < b.other ? -1 : 1))
    .slice(0, MAX_SUGGESTIONS)
    .map(({ other }) => other);
}

/** Without its ending; a name that begins with its only dot has none. */
function stemOf(name: string): string {
  return name.replace(/(.)\.[^.]*$/, '$1');
}

/** Letters in another order are one slip, not two. */
function stepsBetween(a: string, b: string): number {
  const letters = (text: string) => [...text].sort().join('');
  return letters(a) === letters(b) ? 1 : distance(a, b);
}

function escapeGlob(name: string): string {
  return name.replace(/[*?[\]{}()!+@|\\]/g, '\\$&');
}
