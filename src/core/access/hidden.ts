// What listings and searches leave out: what is hidden from the agent, and what a rule denies to read.
import { protectionOf } from '../permission/protected';
import { coversTarget, namesTool } from '../permission/rules';
import { readSettingRules } from '../permission/settingRules';
import { contains, ignoredIn, styleOf, type ResolvedPath } from '../files/paths';
import type { Host, Path } from '../host';

type HidingHost = Pick<Host, 'roots' | 'platform' | 'files' | 'settings'>;

export interface Hidden {
  /** Nothing is told of it, not even that it is there. For paths below the folders that are looked through; follows no link in them. */
  readonly leavesOut: (path: Path) => boolean;
  /** Something may be left out, so that a result had better say so. Says nothing about what there is. */
  readonly mayLeaveOut: boolean;
}

/** A rule against reading holds for whatever tells what is in files, or that they are there. */
const READING = { name: 'read', kind: 'read' } as const;

export async function hiddenBelow(starts: readonly ResolvedPath[], host: HidingHost): Promise<Hidden> {
  const { platform } = host;
  const ignored = await ignoredIn(host);
  const { rules } = readSettingRules(host.settings);
  const denied = rules.filter((rule) => rule.effect === 'deny' && namesTool(rule, READING));
  const known = new Map<Path, boolean>();
  const look = (path: Path): boolean => {
    const [place] = placesBelow(path, starts, host);
    if (!place) return false;
    if (ignored.hides([place.path, place.real])) return true;
    return denied.some((rule) => coversTarget(rule, { op: 'read', path, located: place }, platform));
  };
  return {
    leavesOut(path) {
      const isHidden = known.get(path) ?? look(path);
      known.set(path, isHidden);
      return isHidden;
    },
    mayLeaveOut: ignored.isAny || denied.length > 0,
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
