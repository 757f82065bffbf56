// From what a command touches, as it is written, to the paths that are judged like those of any other tool.
import picomatch from 'picomatch';
import { posix } from 'node:path';
import { absolutePath, contains, foldPath, resolvePath, styleOf } from '../files/paths';
import type { Path } from '../host';
import { isProblem } from '../host';
import type { Target } from '../permission/types';
import { comesUpon, type DeepHost } from './deep';
import type { CommandLine, Touched } from './types';

type PathTarget = Extract<Target, { readonly op: 'read' | 'write' | 'delete' }>;

/** Beyond it a pattern stands for too much to be looked at. */
const MATCHES_MAX = 200;

/** `cwd`: where the command starts. What cannot be resolved is a doubt about the whole line. */
export async function touchedTargets(
  line: CommandLine,
  cwd: Path,
  host: DeepHost,
): Promise<{ readonly targets: readonly PathTarget[]; readonly line: CommandLine }> {
  const targets = new Map<string, PathTarget>();
  const doubts = [...line.doubts];
  let { critical } = line;
  for (const touched of line.touches) {
    const paths = touched.isGlob ? await matchesOf(touched, cwd, host) : [touched.path];
    if (paths && touched.isGlob) paths.push(...hiddenMatches(touched.path));
    if (!paths) doubts.push(`What ${touched.path} stands for is too much to look at.`);
    for (const written of paths ?? []) {
      const path = absolutePath(written, cwd, host.platform);
      if (typeof path !== 'string') {
        doubts.push(`It names what cannot be a file: ${written.slice(0, 80)}`);
        continue;
      }
      if (touched.op === 'delete' && losesWorkspace(path, host)) {
        critical ??= `It would delete ${written}, which holds the workspace or its history`;
      }
      const { op, isImplied, named } = touched;
      const implied = { ...(isImplied && { isImplied }), ...(named && { named }) };
      targets.set(`${op} ${path} ${isImplied ?? false} ${named}`, { op, path, ...implied });
      const found = touched.isDeep ? await comesUpon(path, touched, host) : [];
      if (!found) doubts.push(`There is too much in ${written} to tell whether it reads secrets.`);
      for (const one of found ?? []) {
        const key = `${op} ${one} ${isImplied ?? false} ${named}`;
        if (!targets.has(key)) targets.set(key, { op, path: one, ...implied, isFound: true });
      }
    }
  }
  const known = { ...line, doubts, ...(critical === undefined ? {} : { critical }) };
  return { targets: [...targets.values()], line: known };
}

/** A folder of the workspace, what it lies in, or its repository. */
function losesWorkspace(path: Path, { roots, platform }: DeepHost): boolean {
  const style = styleOf(platform);
  const isOf = (root: Path) => foldPath(path, platform) === foldPath(style.join(root, '.git'), platform);
  return roots().some((root) => contains(path, root.path, platform) || isOf(root.path));
}

/** A pattern for hidden files is judged as if the one that most often holds secrets were there: it may be, once it runs. */
function hiddenMatches(pattern: string): readonly string[] {
  const name = posix.basename(pattern);
  const isHit = name.startsWith('.') && picomatch.isMatch('.env', name, { dot: true, nobrace: true, noextglob: true });
  return isHit ? [posix.join(posix.dirname(pattern), '.env')] : [];
}

/** As the shell does: names that begin with a dot only where the pattern does. Where nothing matches it stands for itself. */
async function matchesOf({ path }: Touched, cwd: Path, host: DeepHost): Promise<string[] | undefined> {
  const [first = '', ...rest] = path.split('/');
  let found = [first === '' ? '/' : ''];
  for (const name of first === '' ? rest : [first, ...rest]) {
    if (name === '') continue;
    if (!/[*?[]/.test(name)) {
      found = found.map((folder) => posix.join(folder, name));
      continue;
    }
    const matches = picomatch(name, { dot: name.startsWith('.'), nobrace: true, noextglob: true, noglobstar: true });
    const next: string[] = [];
    for (const folder of found) {
      const resolved = await resolvePath(folder === '' ? '.' : folder, { host, cwd: () => cwd });
      const entries = 'objection' in resolved ? [] : await host.files.list(resolved.path);
      if (isProblem(entries)) continue;
      next.push(...entries.filter((entry) => matches(entry.name)).map((entry) => posix.join(folder, entry.name)));
    }
    if (next.length > MATCHES_MAX) return undefined;
    found = next;
  }
  return found.length === 0 ? [path] : found;
}
