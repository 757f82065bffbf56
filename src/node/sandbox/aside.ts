// What a command in a sandbox made that would take effect by itself: it gets a name under which it does not.
import { lstat, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Path } from '../../core/host';
import { placesIn, type Places, type WalkOptions } from './places';

export interface SetAside {
  readonly renamed: readonly Path[];
  /** What may still take effect: what could not be renamed, or the folders that could not be looked through in time. */
  readonly unsure: readonly Path[];
}

export interface AsideParts {
  readonly roots: readonly Path[];
  readonly before: Places;
  readonly leavesOut: WalkOptions['leavesOut'];
  /** Put there by other commands’ sandboxes. */
  readonly isPlaceholder: (path: Path) => boolean;
}

/** Longer than before the command: somebody waits for it either way, and it is the last look. */
const LAST_LOOK_MAX_MS = 30_000;

/** Nothing is lost. */
export async function setAside({ roots, before, leavesOut, isPlaceholder }: AsideParts): Promise<SetAside> {
  const after = await placesIn(roots, { maxMs: LAST_LOOK_MAX_MS, leavesOut });
  if (!after) return { renamed: [], unsure: roots };
  const renamed: Path[] = [];
  const unsure: Path[] = [];
  for (const [path, leadsTo] of after.automatic) {
    const isKnown = before.automatic.get(path) === leadsTo || isPlaceholder(path);
    if (isKnown || renamed.some((done) => path.startsWith(`${done}/`))) continue;
    const failed = await rename(path, await freeName(`${shortened(path)}.sandboxed`)).then(
      () => false,
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    );
    (failed ? unsure : renamed).push(path);
  }
  return { renamed, unsure };
}

const NAME_MAX_CHARS = 60;

/** A name may have been made so long that nothing can be put after it. */
function shortened(path: Path): Path {
  const name = basename(path);
  return name.length <= NAME_MAX_CHARS ? path : join(dirname(path), name.slice(0, NAME_MAX_CHARS));
}

async function freeName(wanted: Path): Promise<Path> {
  for (let number = 1; ; number++) {
    const path = number === 1 ? wanted : `${wanted}${number}`;
    if (!(await lstat(path).catch(() => undefined))) return path;
  }
}
