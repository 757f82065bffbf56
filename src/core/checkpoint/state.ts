// What a file is right now, as checkpoints compare and keep it.
import type { FileState } from '../../common/changes';
import { isProblem, type FileProblem, type Host, type Path, type WholeFile } from '../host';
import { encodeUtf8 } from '../output/text';
import { styleOf } from '../files/names';
import { contentName } from './contents';

/** Something is there, but what is not known. */
export const UNKNOWN: FileState = {};

export interface Look {
  /** Absent: nothing is there. */
  readonly state?: FileState;
  /** What `state` names, by name. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** Why what is there could not be taken in, for the person. */
  readonly problem?: string;
  readonly isTooLarge?: true;
}

const NOTHING: ReadonlyMap<string, Uint8Array> = new Map();

/** Never rejects. */
export async function lookAt(path: Path, { files, settings }: Pick<Host, 'files' | 'settings'>): Promise<Look> {
  const whole = await files.whole(path, settings.get('files.maxEditBytes'));
  if (!isProblem(whole)) return lookOf(whole);
  if (whole.problem === 'missing') return { contents: NOTHING };
  const problem = PROBLEMS[whole.problem] ?? whole.message;
  const isTooLarge = whole.problem === 'too-large';
  return { state: UNKNOWN, contents: NOTHING, problem, ...(isTooLarge && { isTooLarge }) };
}

const PROBLEMS: Partial<Readonly<Record<FileProblem['problem'], string>>> = {
  directory: 'A folder is there.',
  'not-regular': 'It is not a regular file.',
  denied: 'It could not be read.',
  'too-large': 'It is too large to be kept.',
};

export function lookOf({ bytes, unsaved, mode }: WholeFile): Look {
  const contents = new Map<string, Uint8Array>();
  const nameOf = (content: Uint8Array): string => {
    const name = contentName(content);
    contents.set(name, content);
    return name;
  };
  const state: FileState = {
    ...(bytes === undefined ? {} : { bytes: nameOf(bytes) }),
    ...(unsaved === undefined ? {} : { unsaved: nameOf(encodeUtf8(unsaved)) }),
    ...(mode === undefined ? {} : { mode }),
  };
  return { state, contents };
}

/** The same for whoever looks at the file, saved or not. What is not known is like nothing. */
export function looksAlike(a: FileState | undefined, b: FileState | undefined): boolean {
  if (!a || !b) return a === b;
  const seen = a.unsaved ?? a.bytes;
  return seen !== undefined && seen === (b.unsaved ?? b.bytes);
}

/** The entry itself: the links of its folder are resolved, but not it. */
export async function entryPath(path: Path, { files, platform }: Pick<Host, 'files' | 'platform'>): Promise<Path> {
  if (isUri(path)) return path;
  const style = styleOf(platform);
  return style.join(await files.realPath(style.dirname(path)), style.basename(path));
}

/** Of the topmost folder: itself. */
export function parentPath(path: Path, { platform }: Pick<Host, 'platform'>): Path {
  if (!isUri(path)) return styleOf(platform).dirname(path);
  return /^[^:]+:\/\/[^/]*\/[^/]/.test(path) ? path.slice(0, Math.max(path.lastIndexOf('/'), 0)) : path;
}

export function isAbsolute(path: Path, { platform }: Pick<Host, 'platform'>): boolean {
  return isUri(path) || styleOf(platform).isAbsolute(path);
}

export function isUri(path: Path): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(path);
}
