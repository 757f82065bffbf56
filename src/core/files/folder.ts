// A folder in answer to who asked for a file: the names in it, a few of them.
import { hiddenBelow, withoutHidden } from '../access/hidden';
import type { Display } from '../../common/display';
import { pathInRoots } from './naming';
import { styleOf } from './names';
import { type ResolvedPath } from './paths';
import { isProblem, type FileProblem, type Host } from '../host';

const MAX_NAMES = 100;

export async function describeFolder(
  resolved: ResolvedPath,
  host: Host,
): Promise<{ readonly text: string; readonly display: Display } | FileProblem> {
  const { path, shown } = resolved;
  const [listed, hidden] = await Promise.all([host.files.list(path), hiddenBelow([resolved], host)]);
  if (isProblem(listed)) return listed;
  const entries = await withoutHidden(listed, ({ name }) => styleOf(host.platform).join(path, name), hidden);
  const names = entries.slice(0, MAX_NAMES).map(({ name, kind }) => `${name}${kind === 'directory' ? '/' : ''}`);
  const more = entries.length - names.length;
  const count = `${entries.length} ${entries.length === 1 ? 'entry' : 'entries'}`;
  const files = entries.slice(0, MAX_NAMES).filter(({ kind }) => kind === 'file');
  const paths = files.map(({ name }) => pathInRoots(styleOf(host.platform).join(path, name), host));
  return {
    text: [
      `${shown} is a folder with ${count}${names.length > 0 ? ':' : '.'}`,
      ...names,
      ...(more > 0 ? [`(${more} more: find what you look for with glob.)`] : []),
    ].join('\n'),
    display: { kind: 'files', paths, more },
  };
}
