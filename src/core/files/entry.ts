// What a deletion or a move stands on: one regular file as it is now, whatever it holds, and whether the model knows it.
import { isProblem, type Host, type Path } from '../host';
import { missingFile } from './naming';
import { styleOf } from './names';
import { type PathContext, type ResolvedPath } from './paths';
import { VERSION_NOT_KNOWN, type ReadState } from './readState';

export interface CurrentEntry {
  /** As `Files.version` names it. */
  readonly version: string;
  /** Absent where the file has no text that could be shown. */
  readonly text?: string;
}

export interface EntryContext extends PathContext {
  readonly host: Pick<Host, 'files' | 'settings' | 'search' | 'roots' | 'platform'>;
  readonly reads: ReadState;
  readonly signal: AbortSignal;
}

/** `deed`: what is about to be done, as in "before it is deleted". */
export interface Deed {
  readonly deed: string;
  /** What does the same to folders and other things in the shell: `rm -r`. */
  readonly command: string;
}

/**
 * A file with a text has to have been read, and to be what was read [R05, R06]; one without (an image, a binary) where it was
 * read. One that nothing here can read is left to the person, who is asked.
 */
export async function currentEntry(
  resolved: ResolvedPath,
  { deed, command }: Deed,
  ctx: EntryContext,
): Promise<CurrentEntry | { readonly objection: string }> {
  const { path, real, shown } = resolved;
  const { files, settings } = ctx.host;
  const [stat, isLink] = await Promise.all([files.stat(path), isEntryLink(resolved, ctx)]);
  if (!stat && isLink) return { objection: `${shown} is a link that leads nowhere. Use the shell (${command}).` };
  if (!stat) return missingFile(resolved, ctx);
  if (stat.kind === 'directory') return { objection: folder(shown, isLink, command) };
  if (stat.kind === 'other') return { objection: `${shown} is not a regular file. Use the shell (${command}).` };

  const file = await files.text(path, settings.get('files.maxEditBytes'));
  const record = ctx.reads.get(real);
  if (!isProblem(file)) {
    if (!record) return { objection: `Read ${shown} first: its current text must be known before it is ${deed}.` };
    if (record.version !== file.version) return changed(shown, deed);
    if (file.isDirty) {
      return {
        objection: `${shown} has unsaved changes of the person’s in the editor, so it cannot be ${deed}. Ask the person to save or to discard them.`,
      };
    }
    return { version: file.version, text: file.text };
  }
  if (file.problem === 'missing' || file.problem === 'denied') return { objection: file.message };
  const version = await files.version(path);
  if (typeof version !== 'string') return { objection: version.message };
  const isStale = record && record.version !== VERSION_NOT_KNOWN && record.version !== version;
  return isStale ? changed(shown, deed) : { version };
}

function changed(shown: string, deed: string): { readonly objection: string } {
  return { objection: `${shown} has changed since it was read. Read it again before it is ${deed}.` };
}

function folder(shown: string, isLink: boolean, command: string): string {
  return isLink
    ? `${shown} is a link to a folder. Use the shell (${command}).`
    : `${shown} is a folder; this tool takes one file. Name a file in it, or use the shell for all of it (${command}).`;
}

/** The name itself is a link, not only a folder on the way to it. */
async function isEntryLink({ path, real }: ResolvedPath, { host }: PathContext): Promise<boolean> {
  const style = styleOf(host.platform);
  const parent: Path = await host.files.realPath(style.dirname(path));
  return style.join(parent, style.basename(path)) !== real;
}
