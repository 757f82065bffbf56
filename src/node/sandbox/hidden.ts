// What the person hides from the agent, as a sandbox needs it: for paths as they are on disk.
import type { Settings } from '../../common/settings';
import { hiddenBelow, type Hidden } from '../../core/access/hidden';
import type { Path } from '../../core/host';
import { createFiles } from '../files';
import { readLines } from '../lines';
import { currentPlatform } from '../platform';

/** By `.latheignore` and by rules against reading. `folders`: those of the workspace, with links resolved. */
export async function hiddenIn(folders: readonly Path[], settings: Settings): Promise<Hidden['leavesOut']> {
  const roots = folders.map((path) => ({ name: path, path }));
  const files = { ...createFiles(), lines: readLines };
  const host = { roots: () => roots, platform: currentPlatform(), files, settings };
  const starts = roots.map((root) => ({ path: root.path, real: root.path, shown: root.path, places: ['.'], root }));
  return (await hiddenBelow(starts, host)).leavesOut;
}
