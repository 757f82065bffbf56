// What a command has changed, as the window hears of every other change of the agent's: as texts.
import type { SnapshotChange } from '../../core/checkpoint/types';
import { isProblem, type EditOrigin, type Files } from '../../core/host';
import type { AppliedChange } from './edits';
import { decode } from '../files/encodings';
import { toUri } from '../uris';

const MAX_BYTES = 10 * 1024 * 1024;

/** Undefined where the command's change is not what the editor shows: the person has unsaved changes in the file. */
export async function appliedByCommand(
  { path, change, before, lost }: SnapshotChange,
  origin: EditOrigin,
  files: Files,
): Promise<AppliedChange | undefined> {
  const told = { call: origin.call, origin, path, change };
  const noText = { ...told, before: undefined, after: undefined, isText: false };
  if (lost !== undefined) return noText;
  const text = before && (await decode(before.bytes, toUri(path), undefined));
  if (text && isProblem(text)) return noText;
  const after = change === 'deleted' ? undefined : await files.text(path, MAX_BYTES);
  if (after && isProblem(after)) return noText;
  if (after?.isDirty) return undefined;
  return { ...told, before: text?.text, after: after?.text, isText: true };
}
