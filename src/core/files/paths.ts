// The one way from what a model wrote to a path. What is judged, shown and used is the same resolved value.
import { IGNORE_FILE } from '../access/ignoreFile';
import { IgnoreTree } from '../access/ignoreTree';
import type { Host, Path, Platform, Root } from '../host';
import { contains, placeIn, styleOf } from './names';

export interface ResolvedPath {
  /** Absolute and normalised, links not resolved. */
  readonly path: Path;
  /** Links resolved: what is read or written. */
  readonly real: Path;
  /** For people and the model: relative to its root (root's name first if there are several), absolute when outside. */
  readonly shown: string;
  /** The workspace folder it lies in by name and by real path; absent when either lies outside. */
  readonly root?: Root;
  /** Where it lies in the folders of the workspace, `/` between names: by its name, and by where links lead when that is elsewhere. */
  readonly places: readonly string[];
  /** The person hides it from the agent, by its name or by where links lead: for the agent it is not there. */
  readonly isHidden?: true;
  /** The ignore file that hides everything because nobody can make sense of it, and why. */
  readonly ignoreFault?: string;
}

export interface PathContext {
  readonly host: Pick<Host, 'roots' | 'platform' | 'files'>;
  /** Where relative paths start. */
  readonly cwd: () => Path;
}

/** Resolves what a model wrote: absolute, relative, `~`, `file:` URI, or `ROOTNAME/…` where there are several roots. */
export async function resolvePath(
  written: string | undefined,
  { host, cwd }: PathContext,
): Promise<ResolvedPath | { readonly objection: string }> {
  const absolute = absolutePath(written ?? '', cwd(), host.platform);
  if (typeof absolute !== 'string') return absolute;
  const named = host.roots().length < 2 ? undefined : inNamedRoot(written ?? '', host);
  const isNamed = named !== undefined && (await host.files.stat(absolute)) === undefined;
  const located = await locatePath(isNamed ? named : absolute, host);
  return located.isHidden ? { objection: hiddenText(located) } : located;
}

/** The same whether it exists or not (S38). */
export function hiddenText({ path, places, ignoreFault }: ResolvedPath): string {
  const advice = ignoreFault === undefined ? 'Go on without it.' : faultText(ignoreFault);
  return `${places[0] ?? path} is hidden from you by ${IGNORE_FILE}. ${advice}`;
}

/** What is to be done about an ignore file that cannot be used. */
export function faultText(fault: string): string {
  return `All that lies beside ${fault} is hidden, since it cannot be told what it hides: tell the person.`;
}

/** A path as people and the model read it. */
export function showPath(path: Path, roots: readonly Root[], platform: Platform): string {
  const root = roots.find((candidate) => contains(candidate.path, path, platform));
  if (!root) return path;
  const inside = placeIn(root.path, path, platform);
  if (roots.length < 2) return inside;
  // Two folders of one name are told apart by their paths only.
  return roots.filter(({ name }) => name === root.name).length > 1 ? path : `${root.name}/${inside}`;
}

/** Pure: text to absolute path, or why it is none. Nothing is looked at before this has passed: a UNC path leaks credentials by a mere stat. */
export function absolutePath(written: string, base: Path, platform: Platform): Path | { readonly objection: string } {
  const style = styleOf(platform);
  const text = written.startsWith('file:') ? fromFileUri(written, platform) : written;
  if (typeof text !== 'string') return text;
  if (text.length > PATH_MAX_CHARS) return object(written, 'it is longer than a path can be');
  if (text.includes('\0')) return object(written, 'it holds a NUL character');
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) return object(written, 'it is an address, not a file path');
  if (platform.os === 'win32') {
    const fault = windowsFault(text);
    if (fault !== undefined) return object(written, fault);
  }
  const expanded = text === '~' || /^~[/\\]/.test(text) ? style.join(platform.homeDir, text.slice(1)) : text;
  return style.resolve(base, expanded);
}

/** Where an absolute path leads and whether that is inside the workspace, by name and by link target alike (S31). */
export async function locatePath(path: Path, host: PathContext['host']): Promise<ResolvedPath> {
  const { platform } = host;
  const roots = host.roots();
  const [real, ...realRoots] = await Promise.all([
    host.files.realPath(path),
    ...roots.map((root) => host.files.realPath(root.path)),
  ]);
  const byName = roots.find((root) => contains(root.path, path, platform));
  const isInside = byName !== undefined && realRoots.some((root) => contains(root, real, platform));
  const shown = isInside ? showPath(path, roots, platform) : path === real ? path : `${path} → ${real}`;
  const named = byName ? [placeIn(byName.path, path, platform)] : [];
  const led = realRoots
    .filter((root) => contains(root, real, platform))
    .map((root) => placeIn(root, real, platform))
    .slice(0, 1);
  const places = [...new Set([...named, ...led])];
  const known = { path, real, shown, ...(isInside ? { root: byName } : {}), places };
  const ignored = new IgnoreTree(host);
  if (!(await ignored.hides([path, real]))) return known;
  const ignoreFault = await ignored.faultAt([path, real]);
  return { ...known, isHidden: true, ...(ignoreFault === undefined ? {} : { ignoreFault }) };
}

/** The name that the workspace has for a place whose links are resolved, where it was opened by a link itself; undefined outside. */
export async function nameInRoots(
  real: Path,
  { roots, platform, files }: PathContext['host'],
): Promise<Path | undefined> {
  const style = styleOf(platform);
  for (const { path } of roots()) {
    for (const top of [path, await files.realPath(path)]) {
      if (contains(top, real, platform)) return style.join(path, style.relative(top, real));
    }
  }
  return undefined;
}

function inNamedRoot(written: string, host: PathContext['host']): Path | undefined {
  const [name = '', ...rest] = written.replace(/^\.\//, '').split(/[/\\]/);
  const [root, other] = host.roots().filter((candidate) => candidate.name === name);
  return root && !other ? styleOf(host.platform).join(root.path, ...rest) : undefined;
}

function fromFileUri(uri: string, platform: Platform): string | { readonly objection: string } {
  try {
    const url = new URL(uri);
    if (url.host !== '' && url.host !== 'localhost') return object(uri, 'it names another machine');
    const decoded = decodeURIComponent(url.pathname);
    return platform.os === 'win32' ? decoded.replace(/^\/(?=[a-z]:)/i, '') : decoded;
  } catch {
    return object(uri, 'it is not a valid file: URI');
  }
}

const WINDOWS_DEVICES = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?$/i;

/** Spellings that Windows maps to another file than the name says (S36). */
function windowsFault(text: string): string | undefined {
  if (/^[\\/]{2}/.test(text)) return 'network and device paths are not allowed';
  const names = text.replace(/^[a-z]:/i, '').split(/[\\/]/);
  if (/^[a-z]:(?![\\/])/i.test(text)) return 'a drive letter must be followed by a separator';
  for (const name of names) {
    if (name === '' || name === '.' || name === '..') continue;
    if (name.includes(':')) return 'alternate data streams are not allowed';
    if (/[. ]$/.test(name)) return 'a name must not end with a dot or a space';
    if (/~\d+(\.|$)/.test(name)) return 'short (8.3) names are not allowed; give the long name';
    if (WINDOWS_DEVICES.test(name)) return `${name} is a device`;
  }
  return undefined;
}

/** Linux allows 4,096 bytes. */
const PATH_MAX_CHARS = 4_096;
const QUOTED_MAX_CHARS = 200;

function object(written: string, fault: string): { readonly objection: string } {
  const quoted = written.length > QUOTED_MAX_CHARS ? `${written.slice(0, QUOTED_MAX_CHARS)}…` : written;
  return {
    objection: `The path ${JSON.stringify(quoted)} cannot be used: ${fault}. Give the path of a file in the workspace.`,
  };
}
