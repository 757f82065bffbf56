// The second half of an edit on disk: one staged change takes effect, and can be taken back.
import { constants, copyFile, link, open, rename, rm, stat, unlink } from 'node:fs/promises';
import type { FileChange } from '../core/host';
import { createFiles, errorCode, isTaken, problemOf } from './files';
import { isRespelled } from './spelling';
import { entryPath, ledAstray, placeFor, readVersion, refuseOther, type Refusal, type Staged } from './stage';

const files = createFiles();

/** Undefined when it is done. */
export async function commit(staged: Staged): Promise<Refusal | undefined> {
  const { change, real, to, temp, aside, content, before } = staged;
  try {
    const moved = await refuseMoved(staged);
    if (moved) return moved;
    if ((change.kind === 'edit' || change.kind === 'put') && content && before) {
      await replace(real, temp, content, before);
    }
    if (baseOf(change) === undefined && temp !== undefined) await placeNew(temp, real);
    if (aside !== undefined) await rename(real, aside);
    if (change.kind === 'move' && to !== undefined) await moveTo(real, to);
    return undefined;
  } catch (error) {
    const path = change.kind === 'move' && errorCode(error) === 'EEXIST' ? change.to : change.path;
    if (errorCode(error) === 'EEXIST') return { refusal: `${path} exists by now.` };
    return { refusal: problemOf(path, error).message };
  }
}

/** Returns what went wrong, as a sentence. */
export async function rollBack({ change, real, to, aside, before, mode }: Staged): Promise<string | undefined> {
  try {
    if (baseOf(change) === undefined) await unlink(real);
    if (change.kind === 'move' && to !== undefined) await moveTo(to, real);
    if (aside !== undefined) await placeNew(aside, real);
    if ((change.kind === 'edit' || change.kind === 'put') && before && mode !== undefined) {
      await restore(real, before, mode & 0o7777);
    }
    return undefined;
  } catch (error) {
    return problemOf(change.path, error).message;
  }
}

/** Undefined: nothing may be there. */
function baseOf(change: FileChange): string | undefined {
  return change.kind === 'create' ? undefined : change.baseVersion;
}

/** Between the look and the leap: the text is still the one planned for, and no link has come into the way (S32). */
async function refuseMoved({ change, real, to }: Staged): Promise<Refusal | undefined> {
  const base = baseOf(change);
  if (base === undefined) {
    const isSame = (await files.realPath(change.path)) === real;
    return isSame && !(await isTaken(change.path)) ? undefined : { refusal: `${change.path} exists by now.` };
  }
  if (change.kind === 'delete' || change.kind === 'move') {
    const [entry, placeOfMove, version] = await Promise.all([
      entryPath(change.path),
      change.kind === 'move' ? entryPath(change.to) : undefined,
      files.version(real),
    ]);
    if (entry !== real) return ledAstray(change.path);
    if (change.kind === 'move' && placeOfMove !== to) return ledAstray(change.to);
    return refuseOther(change.path, version, { baseVersion: base });
  }
  const [leadsTo, bytes] = await Promise.all([
    files.realPath(change.path),
    readVersion(change.path, real, base, Number.MAX_SAFE_INTEGER),
  ]);
  if (leadsTo !== real) return ledAstray(change.path);
  return 'refusal' in bytes ? bytes : undefined;
}

/** Codes with which a file cannot be replaced but may be written: mount points, busy files, other devices. */
const IN_PLACE_CODES: readonly string[] = ['EBUSY', 'EPERM', 'EACCES', 'EXDEV', 'ETXTBSY'];

async function replace(real: string, temp: string | undefined, content: Uint8Array, before: Uint8Array): Promise<void> {
  try {
    if (temp !== undefined) return await rename(temp, real);
  } catch (error) {
    if (!IN_PLACE_CODES.includes(errorCode(error))) throw error;
  }
  try {
    await overwrite(real, content);
  } catch (error) {
    // The first error is the one to tell; a second one here leaves nothing more to try.
    await overwrite(real, before).catch(() => {});
    throw error;
  }
  if (temp !== undefined) await rm(temp, { force: true }).catch(() => {});
}

async function overwrite(real: string, content: Uint8Array): Promise<void> {
  const file = await open(real, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
  try {
    await file.writeFile(content);
    await file.truncate(content.length);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A name is spelled anew in one step: for a link the other spelling is taken. */
async function moveTo(from: string, to: string): Promise<void> {
  if (await isRespelled(from, to)) return rename(from, to);
  return placeNew(from, to);
}

/** Moves a file to a name that must be free. A hard link fails when it is taken; rename would replace what is there. */
async function placeNew(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') throw error;
    await copyFile(from, to, constants.COPYFILE_EXCL);
  }
  await unlink(from);
}

async function restore(real: string, before: Uint8Array, mode: number): Promise<void> {
  if (!(await isTaken(real))) {
    const file = await open(real, 'wx', mode);
    await file.close();
  }
  const { temp } = await placeFor(real, before, { mode, nlink: (await stat(real)).nlink });
  try {
    await replace(real, temp, before, before);
  } finally {
    if (temp !== undefined) await rm(temp, { force: true });
  }
}
