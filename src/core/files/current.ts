// What an edit stands on: the text of a file as it is now, and whether the model knows that text.
import { isProblem, type Host, type TextFile } from '../host';
import type { ResolvedPath } from './paths';
import type { ReadState } from './readState';

export interface CurrentFile {
  readonly file: TextFile;
  /** The model has read exactly this text, or written it. */
  readonly isKnown: boolean;
  /** All of it, not only some windows or the beginnings of its lines. */
  readonly isKnownWhole: boolean;
  /** What showed it is still part of the conversation [R03]; else the model works from memory. */
  readonly isInContext: boolean;
}

/** Refuses a file that was never read [R05]; one that has changed since is left to the caller [R06]. */
export async function currentText(
  { path, real, shown }: ResolvedPath,
  { host, reads }: { readonly host: Pick<Host, 'files' | 'settings'>; readonly reads: ReadState },
): Promise<CurrentFile | { readonly objection: string }> {
  const record = reads.get(real);
  if (!record) return { objection: `Read ${shown} first: its current text must be known before it is changed.` };
  const file = await host.files.text(path, host.settings.get('files.maxEditBytes'));
  if (isProblem(file)) return { objection: file.message };
  const isKnown = record.version === file.version;
  const isKnownWhole = isKnown && record.known === undefined && !record.isCut;
  return { file, isKnown, isKnownWhole, isInContext: record.inContext };
}
