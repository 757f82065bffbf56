// From what a command touches, as it is written, to the paths that are judged like those of any other tool.
import picomatch from 'picomatch';
import { posix } from 'node:path';
import { contains, foldPath, styleOf } from '../files/names';
import { absolutePath, locatePath } from '../files/paths';
import type { Path } from '../host';
import { isProblem } from '../host';
import type { Target } from '../permission/types';
import { comesUpon, mayHide, type DeepHost } from './deep';
import { SHOWS_HIDDEN } from './risks';
import type { CommandLine, SimpleCommand, Touched } from './types';

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
  let hides: Promise<boolean> | undefined;
  const mayHideSome = () => (hides ??= mayHide(host));
  for (const touched of line.touches) {
    if (touched.isWord && !(await mayHideSome())) continue;
    const paths = touched.isGlob ? await matchesOf(touched, cwd, host) : [touched.path];
    if (paths && touched.isGlob && !touched.isWord) paths.push(...hiddenMatches(touched.path));
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
      if (touched.isWord && !(await locatePath(path, host)).isHidden) continue;
      // Nobody has written its name, so nobody is told it.
      const isFound = op === 'read' && written !== touched.path ? { isFound: true } : {};
      targets.set(`${op} ${path} ${isImplied ?? false} ${named}`, { op, path, ...implied, ...isFound });
      const found = touched.isDeep || touched.onlyNamed ? await comesUpon(path, touched, host) : [];
      if (!found) doubts.push(`There is too much in ${written} to tell whether it reads secrets.`);
      for (const one of found ?? []) {
        const key = `${op} ${one} ${isImplied ?? false} ${named}`;
        if (!targets.has(key)) targets.set(key, { op, path: one, ...implied, isFound: true });
      }
    }
  }
  const commands: SimpleCommand[] = [];
  for (const command of line.commands) {
    const showsHidden = command.shows && (await mayHideSome()) && (await holdsHidden(command.shows, cwd, host));
    commands.push(showsHidden ? { ...command, readsOnly: false, risks: [...command.risks, SHOWS_HIDDEN] } : command);
  }
  const known = { ...line, commands, doubts, ...(critical === undefined ? {} : { critical }) };
  return { targets: [...targets.values()], line: known };
}

/** All that is in a repository and its history cannot be looked at, so a person decides where something is hidden in it now. */
async function holdsHidden(shown: readonly Touched[], cwd: Path, host: DeepHost): Promise<boolean> {
  for (const part of shown) {
    const path = absolutePath(part.path, cwd, host.platform);
    if (part.inRepository === 'all' || typeof path !== 'string') return true;
    if ((await comesUpon(path, part, host))?.length !== 0) return true;
  }
  return false;
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
  const isHit = name.startsWith('.') && picomatch.isMatch('.env', name, { ...AS_SHELL, dot: true });
  return isHit ? [posix.join(posix.dirname(pattern), '.env')] : [];
}

const AS_SHELL = { nobrace: true, noextglob: true, noglobstar: true, posix: true } as const;

/** As the shell does: names that begin with a dot only where the pattern does. Where nothing matches it stands for itself. */
async function matchesOf({ path }: Touched, cwd: Path, host: DeepHost): Promise<string[] | undefined> {
  const isFolders = path.endsWith('/');
  const [first = '', ...rest] = path.split('/');
  let found = [first === '' ? '/' : ''];
  for (const part of first === '' ? rest : [first, ...rest]) {
    if (part === '') continue;
    if (!/[*?[]/.test(part)) {
      found = found.map((folder) => posix.join(folder, part));
      continue;
    }
    // Letters that only some languages take for the same.
    if (/\[[^\]]*\[[.=]/.test(part)) return undefined;
    const matches = picomatch(part, { ...AS_SHELL, dot: part.startsWith('.') });
    const next: string[] = [];
    for (const folder of found) {
      // In what is hidden too: the shell looks there.
      const at = absolutePath(folder === '' ? '.' : folder, cwd, host.platform);
      const entries = typeof at === 'string' ? await host.files.list(at) : [];
      if (isProblem(entries)) continue;
      const matching = entries.filter(({ name, kind }) => matches(name) && (!isFolders || kind === 'directory'));
      next.push(...matching.map((entry) => posix.join(folder, entry.name)));
    }
    if (next.length > MATCHES_MAX) return undefined;
    found = next;
  }
  return found.length === 0 ? [path] : found;
}
