// From which folders git takes the settings that the workspace was trusted with. Those of another repository can run programs (S13).
import { contains, styleOf } from '../files/names';
import { type PathContext } from '../files/paths';
import type { Path } from '../host';

/** As `understand` takes them: the folders of the workspace, and '' when a command that starts in `cwd` finds one of theirs first. */
export async function ownRepositories(cwd: Path, host: PathContext['host']): Promise<readonly string[]> {
  const roots = host.roots().map(({ path }) => path);
  return (await isOwn(cwd, host)) ? ['', ...roots] : roots;
}

/** Git looks for `.git` in each folder on the way up, and takes a folder that is made like one for a repository too. */
async function isOwn(cwd: Path, host: PathContext['host']): Promise<boolean> {
  const root = host.roots().find(({ path }) => contains(path, cwd, host.platform));
  if (!root) return false;
  const style = styleOf(host.platform);
  for (let folder = cwd; folder !== root.path; folder = style.dirname(folder)) {
    if (folder === style.dirname(folder)) return false;
    for (const mark of ['.git', 'HEAD']) if (await host.files.stat(style.join(folder, mark))) return false;
  }
  return true;
}
