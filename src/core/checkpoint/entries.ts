// Reading what events say of files: it may come out of a file that anybody has written in, so nothing in it is taken for granted.
import type { ChangedFile, FileState } from '../../common/changes';
import { isJsonObject, type JsonObject } from '../../common/json';
import type { Path, Platform } from '../host';
import { isContentName } from './contents';
import { styleOf } from '../files/names';
import { isAbsolute, isUri, UNKNOWN } from './state';

type Entry = Omit<ChangedFile, 'change'>;

const DAMAGED = 'The record of what it was is damaged.';

/** Entries that name no plain absolute path are left out; states that cannot be read are not known. */
export function readChanges(files: unknown, platform: Platform): readonly Entry[] {
  return Array.isArray(files) ? files.flatMap((file: unknown) => readChange(file, platform)) : [];
}

function readChange(file: unknown, platform: Platform): readonly Entry[] {
  if (!isJsonObject(file)) return [];
  const names: Partial<Record<'path' | 'real' | 'to' | 'realTo', Path>> = {};
  for (const name of ['path', 'real', 'to', 'realTo'] as const) {
    const value = file[name];
    if (value === undefined) continue;
    if (typeof value !== 'string' || !isPlain(value, platform)) return [];
    names[name] = value;
  }
  const { path } = names;
  if (path === undefined) return [];
  const before = readState(file['before']);
  const after = readState(file['after']);
  const lost = typeof file['lost'] === 'string' ? file['lost'] : before === UNKNOWN ? DAMAGED : undefined;
  return [
    { ...names, path, ...(before && { before }), ...(after && { after }), ...(lost === undefined ? {} : { lost }) },
  ];
}

/** Absolute, and written as changes write it: nobody sees by `/w/a/../../b` what would be written. */
function isPlain(path: Path, platform: Platform): boolean {
  return isAbsolute(path, { platform }) && (isUri(path) || styleOf(platform).resolve(path) === path);
}

function readState(value: JsonObject[string] | undefined): FileState | undefined {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) return UNKNOWN;
  const { bytes, unsaved, mode } = value;
  const areNames = [bytes, unsaved].every((name) => name === undefined || isContentName(name));
  if (!areNames || (bytes === undefined && unsaved === undefined)) return UNKNOWN;
  return {
    ...(isContentName(bytes) ? { bytes } : {}),
    ...(isContentName(unsaved) ? { unsaved } : {}),
    ...(typeof mode === 'number' && Number.isInteger(mode) && mode >= 0 && mode <= 0o7777 ? { mode } : {}),
  };
}
