// What listings and searches leave out: what is hidden from the agent, and what a rule denies to read.
import { protectionOf } from '../permission/protected';
import { coversTarget, namesTool } from '../permission/rules';
import { readSettingRules } from '../permission/settingRules';
import type { Rule } from '../permission/types';
import { contains, styleOf } from '../files/names';
import type { ResolvedPath } from '../files/paths';
import type { Host, Path } from '../host';
import { IgnoreTree } from './ignoreTree';

type HidingHost = Pick<Host, 'roots' | 'platform' | 'files' | 'settings'>;

export interface Hidden {
  /**
   * Nothing is told of it, not even that it is there. For paths below the folders that are looked through; follows no link in
   * them. At once where its folder has been looked at before.
   */
  readonly leavesOut: (path: Path) => boolean | Promise<boolean>;
  /** Something may be left out, so that a result had better say so. Says nothing about what there is. */
  readonly mayLeaveOut: boolean;
  /** Ignore files come upon so far that hide everything because nobody can make sense of them, and why. */
  readonly faults: () => readonly string[];
}

/** A rule against reading holds for whatever tells what is in files, or that they are there. */
const READING = { name: 'read', kind: 'read' } as const;

export async function hiddenBelow(starts: readonly ResolvedPath[], host: HidingHost): Promise<Hidden> {
  const { platform } = host;
  const ignored = new IgnoreTree(host);
  const { rules } = readSettingRules(host.settings);
  const denied = rules.filter((rule) => rule.effect === 'deny' && namesTool(rule, READING));
  const known = new Map<Path, boolean>();
  const isDenied = (path: Path, place: ResolvedPath) =>
    denied.some((rule: Rule) => coversTarget(rule, { op: 'read', path, located: place }, platform));
  const look = (path: Path): boolean | Promise<boolean> => {
    const [place] = placesBelow(path, starts, host);
    if (!place) return false;
    if (isDenied(path, place)) return true;
    return ignored.hides(place.path === place.real ? [place.path] : [place.path, place.real]);
  };
  const keep = (path: Path, isHidden: boolean): boolean => {
    known.set(path, isHidden);
    return isHidden;
  };
  const isAny = await Promise.all(starts.map(async ({ path }) => ignored.isAnyIn(path)));
  return {
    leavesOut(path) {
      const before = known.get(path);
      if (before !== undefined) return before;
      const isHidden = look(path);
      return typeof isHidden === 'boolean' ? keep(path, isHidden) : isHidden.then((found) => keep(path, found));
    },
    mayLeaveOut: isAny.includes(true) || denied.length > 0,
    faults: () => ignored.faults(),
  };
}

/** What may hold secrets is not searched where it is not named: by its name, and by where the folder really is. */
export function secretBelow(
  starts: readonly ResolvedPath[],
  host: Pick<Host, 'roots' | 'platform'>,
): (path: Path) => boolean {
  const known = new Map<Path, boolean>();
  return (path) => {
    const isSecret =
      known.get(path) ??
      placesBelow(path, starts, host).some((place) =>
        [place.path, place.real].some((form) => protectionOf('read', form, host.platform) === 'secret'),
      );
    known.set(path, isSecret);
    return isSecret;
  };
}

/** As `locatePath` would, without looking: below a start whose links are resolved there are no more of them. */
function placesBelow(
  path: Path,
  starts: readonly ResolvedPath[],
  { roots, platform }: Pick<Host, 'roots' | 'platform'>,
): readonly ResolvedPath[] {
  const style = styleOf(platform);
  return starts
    .filter((start) => contains(start.path, path, platform))
    .map((start) => {
      const below = style.relative(start.path, path);
      const real = style.join(start.real, below);
      const root = start.root ?? roots().find((each) => contains(each.path, path, platform));
      const places = start.places.map((place) =>
        [place, below.replaceAll('\\', '/')].filter((part) => part !== '.').join('/'),
      );
      return { path, real, shown: path, places, ...(root ? { root } : {}) };
    });
}

/** Of some things with paths below the starts those that may be told of. */
export async function withoutHidden<T>(
  all: readonly T[],
  pathOf: (one: T) => Path,
  { leavesOut }: Hidden,
): Promise<readonly T[]> {
  const kept: T[] = [];
  for (const one of all) if (!(await leavesOut(pathOf(one)))) kept.push(one);
  return kept;
}

/** Of paths anywhere those that may be named: hidden neither by their names nor by where links lead. In their order, each once. */
export async function tellable(paths: Iterable<Path>, host: HidingHost): Promise<readonly Path[]> {
  const starts = await Promise.all(
    host.roots().map(async (root): Promise<ResolvedPath> => {
      const real = await host.files.realPath(root.path);
      return { path: root.path, real, shown: root.path, places: ['.'], root };
    }),
  );
  const { leavesOut } = await hiddenBelow(starts, host);
  const kept: Path[] = [];
  for (const path of new Set(paths)) {
    if (!(await leavesOut(path)) && !(await leavesOut(await host.files.realPath(path)))) kept.push(path);
  }
  return kept;
}
