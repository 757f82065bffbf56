// `.latheignore`: what the person hides from the agent, in Git's syntax, in any folder of the workspace. It can only add.
import { foldPath, styleOf } from '../files/names';
import { isProblem, type Files, type Path, type Platform } from '../host';

export const IGNORE_FILE = '.latheignore';

const MAX_BYTES = 1024 * 1024;

/** What the file says, or why nobody can tell: then it may hide anything. */
export type IgnoreFile = { readonly text: string } | { readonly fault: string };

/** Undefined where there is none. Read anew each time, as it is in the editor, so that a change counts at once. */
export async function readIgnoreFile(
  folder: Path,
  files: Pick<Files, 'stat' | 'text' | 'realPath'>,
  platform: Platform,
): Promise<IgnoreFile | undefined> {
  const style = styleOf(platform);
  const path = style.join(folder, IGNORE_FILE);
  const [found, real] = await Promise.all([files.stat(path), files.realPath(path)]);
  // Links are not followed, as Git does not follow those of its own: what one leads to may change without anybody looking at it.
  if (foldPath(style.basename(real), platform) !== IGNORE_FILE) return { fault: 'it is a link' };
  if (!found) return undefined;
  const isBeside =
    foldPath(real, platform) === foldPath(style.join(await files.realPath(folder), IGNORE_FILE), platform);
  if (!isBeside) return { fault: 'it is a link' };
  if (found.kind !== 'file') return { fault: 'it is no file' };
  const file = await files.text(path, MAX_BYTES);
  if (!isProblem(file)) return { text: file.text };
  return { fault: file.problem === 'too-large' ? 'it is larger than 1 MB' : 'it cannot be read' };
}

/**
 * The patterns of a file in `folder` (relative to the top, `/` between names, '' for the top itself) as they would stand in one
 * at the top: so the nearest file has the last word, and what a folder's exclusion hides is opened by none below it.
 */
export function patternsFromTop(text: string, folder: string): string {
  if (folder === '') return text;
  const prefix = `/${folder.replace(/[\\*?[\]]/g, '\\$&').replace(/[\r\n]/g, '?')}/`;
  return text
    .split(/\r?\n/)
    .flatMap((line) => {
      if (line.trim() === '' || line.startsWith('#')) return [];
      const [sign, written] = line.startsWith('!') ? ['!', line.slice(1)] : ['', line];
      const pattern = written.replace(/^\\(?=[#!])/, '');
      const isAnchored = pattern.replace(/\/\s*$/, '').includes('/');
      return [`${sign}${prefix}${isAnchored ? pattern.replace(/^\//, '') : `**/${pattern}`}`];
    })
    .join('\n');
}
