// The first half of an edit on disk: everything is checked and the new content lies beside its file, but no file has changed.
import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { access, chmod, constants, mkdir, open, rm, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { applySplices } from '../core/edit/lines';
import { isProblem, type EditedFile, type FileChange, type FileProblem, type Path } from '../core/host';
import { createFiles, errorCode, isTaken, problemOf, readAgain, versionOf } from './files';
import { isTakenFor } from './spelling';
import { decodeText, encodeText, type Encoding } from './text';

const files = createFiles();

/** Worded for the model, as a sentence. */
export interface Refusal {
  readonly refusal: string;
}

export function isRefusal(value: object): value is Refusal {
  return 'refusal' in value;
}

export interface Staged {
  readonly change: FileChange;
  /** What is written, links resolved; for a deletion or a move the entry itself. */
  readonly real: Path;
  /** Where a move goes, links in its folder resolved. */
  readonly to?: Path;
  readonly before?: Uint8Array;
  readonly mode?: number;
  readonly content?: Uint8Array;
  /** Holds `content`, in the same folder; absent where the file has to be written in place. */
  readonly temp?: Path;
  /** Where a deleted file waits, in the same folder, until the whole plan is done. */
  readonly aside?: Path;
  /** Folders made on the way, outermost first. */
  readonly madeFolders: readonly Path[];
  readonly edited: EditedFile;
}

export async function stage(change: FileChange, maxBytes: number): Promise<Staged | Refusal> {
  try {
    if (change.kind === 'edit') return await stageEdit(change, maxBytes);
    const real = await files.realPath(change.path);
    if (change.real !== undefined && real !== change.real) return ledAstray(change.path);
    if (change.kind === 'create') return await stageCreate(change, real);
    if (change.kind === 'put') return await stagePut(change, real);
    return await stageRemoval(change, maxBytes);
  } catch (error) {
    // What is moved has been looked at by then; it is its new place that cannot be.
    return { refusal: problemOf(change.kind === 'move' ? change.to : change.path, error).message };
  }
}

async function stageEdit(change: FileChange & { kind: 'edit' }, maxBytes: number): Promise<Staged | Refusal> {
  const real = change.real ?? (await files.realPath(change.path));
  const [leadsTo, before, { mode, nlink }, mayWrite] = await Promise.all([
    files.realPath(change.path),
    readVersion(change.path, real, change.baseVersion, maxBytes),
    stat(real),
    access(real, constants.W_OK).then(isDone, isFailed),
  ]);
  if (leadsTo !== real) return ledAstray(change.path);
  if (isRefusal(before)) return before;
  const decoded = decodeText(before);
  if (isProblem(decoded)) return { refusal: `${change.path} ${decoded.message}` };
  if ((mode & 0o222) === 0 || !mayWrite) return { refusal: `${change.path} is read-only.` };

  const text = applySplices(decoded.text, change.splices);
  const content = encodeText(text, decoded.encoding);
  if (!content) return halfCharacter(change.path);
  const written = { ...(await placeFor(real, content, { mode, nlink })), content, before, mode };
  return { change, real, ...written, madeFolders: [], edited: edited(change.path, text, decoded.encoding, content) };
}

async function stageCreate(change: FileChange & { kind: 'create' }, real: Path): Promise<Staged | Refusal> {
  if (await isTaken(change.path)) return taken(change.path);
  const content = encodeText(change.text, 'utf8');
  if (!content) return halfCharacter(change.path);
  const place = await makePlace(real, content);
  return { change, real, content, ...place, edited: edited(change.path, change.text, 'utf8', content) };
}

/** Where nothing is yet. What was made on the way is removed when it cannot be. */
async function makePlace(
  real: Path,
  content: Uint8Array,
  mode?: number,
): Promise<Pick<Staged, 'temp' | 'madeFolders'>> {
  const madeFolders = await makeFolders(dirname(real));
  let temp: Path | undefined;
  try {
    temp = await writeBeside(real, content, undefined);
    if (temp !== undefined && mode !== undefined) await chmod(temp, mode & 0o7777);
    return { ...(temp === undefined ? {} : { temp }), madeFolders };
  } catch (error) {
    await discard({ ...(temp === undefined ? {} : { temp }), madeFolders });
    throw error;
  }
}

async function stagePut(change: FileChange & { kind: 'put' }, real: Path): Promise<Staged | Refusal> {
  const { path, bytes: content, baseVersion, unsaved } = change;
  if (unsaved !== undefined) {
    return { refusal: `${path} had unsaved text in the editor, which can be put back there only.` };
  }
  const decoded = decodeText(content);
  const after = isProblem(decoded) ? undefined : { ...decoded, version: versionOf(content), isDirty: false };
  const put = { path, ...(after ? { after } : {}), isSaved: true, wasReformatted: false };
  if (baseVersion === undefined) {
    if (await isTaken(path)) return taken(path);
    return { change, real, content, ...(await makePlace(real, content, change.mode)), edited: put };
  }
  const before = await readVersion(path, real, baseVersion, Number.MAX_SAFE_INTEGER);
  if (isRefusal(before)) return before;
  const found = await stat(real);
  const mode = change.mode ?? found.mode;
  const written = { ...(await placeFor(real, content, { mode, nlink: found.nlink })), content, before, mode };
  return { change, real, ...written, madeFolders: [], edited: put };
}

/** A file with several names keeps them: replaced under one, it would be another file than under the others. */
export async function placeFor(
  real: Path,
  content: Uint8Array,
  { mode, nlink }: Pick<Stats, 'mode' | 'nlink'>,
): Promise<{ readonly temp?: Path }> {
  const temp = nlink > 1 ? undefined : await writeBeside(real, content, mode & 0o7777);
  return temp === undefined ? {} : { temp };
}

async function stageRemoval(
  change: FileChange & { kind: 'delete' | 'move' },
  maxBytes: number,
): Promise<Staged | Refusal> {
  // The entry itself: removing a link must not remove what it leads to.
  const real = await entryPath(change.path);
  const text = await files.text(real, maxBytes);
  const refusal = refuseOther(change.path, isProblem(text) ? await files.version(real) : text.version, change);
  if (refusal) return refusal;
  if (change.kind === 'delete') {
    const gone = { path: change.path, isSaved: true, wasReformatted: false };
    return { change, real, aside: nameBeside(real), madeFolders: [], edited: gone };
  }
  if (change.toReal !== undefined && (await files.realPath(change.to)) !== change.toReal) return ledAstray(change.to);
  const to = await entryPath(change.to);
  if (await isTakenFor(real, to)) return taken(change.to);
  const madeFolders = await makeFolders(dirname(to));
  const moved = { path: change.to, ...(isProblem(text) ? {} : { after: text }), isSaved: true, wasReformatted: false };
  return { change, real, to, madeFolders, edited: moved };
}

/** Itself, whatever it leads to. */
export async function entryPath(path: Path): Promise<Path> {
  return join(await files.realPath(dirname(path)), basename(path));
}

/** A file of any kind and size is still the version that the plan was made for. */
export function refuseOther(
  named: Path,
  found: string | FileProblem,
  { baseVersion }: { readonly baseVersion: string },
): Refusal | undefined {
  if (typeof found !== 'string') return { refusal: found.message };
  return found === baseVersion ? undefined : changedSince(named);
}

/** The bytes of the file, provided that they still are the version the plan was made for. */
export async function readVersion(
  named: Path,
  real: Path,
  version: string,
  maxBytes: number,
): Promise<Uint8Array | Refusal> {
  const bytes = await readAgain(real, maxBytes);
  if (isProblem(bytes)) return { refusal: bytes.message };
  if (versionOf(bytes) === version) return bytes;
  return changedSince(named);
}

function changedSince(named: Path): Refusal {
  return { refusal: `${named} has changed since it was read. Read it again and repeat the edit on its current text.` };
}

function edited(path: Path, text: string, encoding: Encoding, content: Uint8Array): EditedFile {
  const after = { text, version: versionOf(content), isDirty: false, encoding };
  return { path, after, isSaved: true, wasReformatted: false };
}

export function ledAstray(path: Path): Refusal {
  return { refusal: `${path} leads somewhere else by now. Read it again.` };
}

function taken(path: Path): Refusal {
  return { refusal: `${path} exists already.` };
}

function halfCharacter(path: Path): Refusal {
  return { refusal: `The text for ${path} holds half of a surrogate pair (\\ud800–\\udfff), which is no character.` };
}

async function makeFolders(folder: Path): Promise<readonly Path[]> {
  const first = await mkdir(folder, { recursive: true });
  if (first === undefined) return [];
  const made = [folder];
  for (let at = folder; at !== first && dirname(at) !== at; at = dirname(at)) made.unshift(dirname(at));
  return made;
}

/** A new file in the same folder, flushed to the disk; undefined where the folder takes no new files. `mode` undefined: the usual one. */
async function writeBeside(real: Path, content: Uint8Array, mode: number | undefined): Promise<Path | undefined> {
  const temp = nameBeside(real);
  try {
    const file = await open(temp, 'wx', mode ?? 0o666);
    try {
      const [old, now] = await Promise.all([
        mode === undefined ? undefined : stat(real),
        file.stat(),
        file.writeFile(content),
      ]);
      // After the write, which clears the set-id bits too.
      if (old && mode !== undefined) await keepOwner(file, { old, now, mode });
      await file.sync();
    } finally {
      await file.close();
    }
    return temp;
  } catch (error) {
    await rm(temp, { force: true }).catch(() => {});
    const code = errorCode(error);
    if (mode !== undefined && (code === 'EACCES' || code === 'EPERM')) return undefined;
    throw error;
  }
}

/** Without the name of the file, which may be as long as names can be. */
function nameBeside(real: Path): Path {
  return join(dirname(real), `.lathe-${randomBytes(6).toString('hex')}.tmp`);
}

async function keepOwner(
  file: Awaited<ReturnType<typeof open>>,
  { old, now, mode }: { readonly old: Stats; readonly now: Stats; readonly mode: number },
): Promise<void> {
  const hasOwner = old.uid === now.uid && old.gid === now.gid;
  if (!hasOwner) await file.chown(old.uid, old.gid).catch(() => {});
  // After chown, which clears the set-id bits, as the write has done.
  if (!hasOwner || (now.mode & 0o7777) !== mode || (mode & SET_ID_BITS) !== 0) await file.chmod(mode);
}

const SET_ID_BITS = 0o6000;

/** Removes what staging left behind. Folders that have got a file by now stay, since they are not empty. */
export async function discard({ temp, madeFolders }: Pick<Staged, 'temp' | 'madeFolders'>): Promise<void> {
  if (temp !== undefined) await rm(temp, { force: true }).catch(() => {});
  await removeFolders(madeFolders);
}

async function removeFolders(folders: readonly Path[]): Promise<void> {
  for (const folder of [...folders].reverse()) await rmdir(folder).catch(() => {});
}

const isDone = () => true;
const isFailed = () => false;
