// The Files port on a disk: looks before it opens, so that neither a pipe nor a device can hang it, and never throws for what is there.
import { createHash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, open, readdir, readlink, realpath, stat, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { messageOf } from '../common/errors';
import {
  isProblem,
  type DirectoryEntry,
  type FileProblem,
  type FileStat,
  type Files,
  type Path,
  type WholeFile,
} from '../core/host';
import { decodeText } from './text';

/** All of the port but `lines`, which is in ./lines. */
export function createFiles(): Omit<Files, 'lines'> {
  return {
    stat: statPath,
    realPath: (path) => resolveLinks(path, 0),
    list: listFolder,
    bytes: readBytes,
    async text(path, maxBytes) {
      const bytes = await readBytes(path, maxBytes);
      if (isProblem(bytes)) return bytes;
      const decoded = decodeText(bytes);
      if (isProblem(decoded)) return { ...decoded, message: `${path} ${decoded.message}` };
      return { ...decoded, version: versionOf(bytes), isDirty: false };
    },
    version: versionOnDisk,
    whole: readWhole,
  };
}

const VERSION_CHARS = 22;

/** The version of a file is its content: equal bytes are the same version, whoever wrote them last. */
export function versionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, VERSION_CHARS);
}

/** The same name as `versionOf`, of a file of any size, a piece at a time. */
async function versionOnDisk(path: Path): Promise<string | FileProblem> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return isFolder(path);
    if (!found.isFile()) return notRegular(path);
    return await hashFile(path);
  } catch (error) {
    return problemOf(path, error);
  }
}

async function hashFile(path: Path): Promise<string | FileProblem> {
  const file = await openWithoutWaiting(path);
  try {
    if (!(await file.stat()).isFile()) return notRegular(path);
    const hash = createHash('sha256');
    for await (const piece of file.createReadStream({ autoClose: false })) hash.update(piece as Buffer);
    return hash.digest('base64url').slice(0, VERSION_CHARS);
  } finally {
    await file.close();
  }
}

/** To read, even where the file that was looked at has become a pipe since. */
export function openWithoutWaiting(path: Path): Promise<FileHandle> {
  return open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
}

async function statPath(path: Path): Promise<FileStat | undefined> {
  try {
    const found = await stat(path);
    const isShared = found.isFile() && found.nlink > 1;
    return {
      ...{ kind: kindOf(found), sizeBytes: found.size, modifiedMs: found.mtimeMs },
      ...(isShared && { isShared }),
    };
  } catch {
    return undefined;
  }
}

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory'>): FileStat['kind'] {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'directory' : 'other';
}

/** As many links in a row as Linux follows. */
const MAX_LINKS = 40;

/** Like realpath, but a path that does not exist yet, or a link to one, is resolved as far as it goes (S32). */
async function resolveLinks(path: Path, links: number): Promise<Path> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    if (parent === path || links > MAX_LINKS) return path;
    const here = join(await resolveLinks(parent, links + 1), basename(path));
    const target = await readlink(here).catch(() => undefined);
    return target === undefined ? here : resolveLinks(resolve(dirname(here), target), links + 1);
  }
}

async function listFolder(path: Path): Promise<readonly DirectoryEntry[] | FileProblem> {
  try {
    const entries = await readdir(path, { withFileTypes: true });
    const listed = await Promise.all(
      entries.map(async (entry): Promise<DirectoryEntry> => {
        const isLink = entry.isSymbolicLink();
        const kind = isLink ? (await statPath(join(path, entry.name)))?.kind : kindOf(entry);
        return { name: entry.name, kind: kind ?? 'other', isLink };
      }),
    );
    return listed.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    return problemOf(path, error);
  }
}

async function readBytes(path: Path, maxBytes: number): Promise<Uint8Array | FileProblem> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return isFolder(path);
    if (!found.isFile()) return notRegular(path);
    if (found.size > maxBytes) return tooLarge(path, maxBytes);
  } catch (error) {
    return problemOf(path, error);
  }
  return readAgain(path, maxBytes);
}

/** For a path that has been looked at: what it is by now is asked of the open file only. */
export async function readAgain(path: Path, maxBytes: number): Promise<Uint8Array | FileProblem> {
  try {
    const file = await openWithoutWaiting(path);
    try {
      const opened = await file.stat();
      if (opened.isDirectory()) return isFolder(path);
      if (!opened.isFile()) return notRegular(path);
      return await readAll(file, path, { sizeBytes: opened.size, maxBytes });
    } finally {
      // Nobody has to wait for it, and nothing that was read can be lost by it.
      void file.close().catch(() => {});
    }
  } catch (error) {
    return problemOf(path, error);
  }
}

/** Looked at and opened as `readBytes` does. */
async function readWhole(path: Path, maxBytes: number): Promise<WholeFile | FileProblem> {
  const [bytes, found] = await Promise.all([readBytes(path, maxBytes), stat(path).catch(() => undefined)]);
  if (isProblem(bytes)) return bytes;
  return found && process.platform !== 'win32' ? { bytes, mode: found.mode & 0o7777 } : { bytes };
}

const CHUNK_BYTES = 256 * 1024;

/** The size is not trusted: files in /proc have none, and a growing file has another by now. Where it holds, one read is all. */
async function readAll(
  file: FileHandle,
  path: Path,
  { sizeBytes, maxBytes }: { readonly sizeBytes: number; readonly maxBytes: number },
): Promise<Uint8Array | FileProblem> {
  const chunks: Buffer[] = [];
  let length = 0;
  for (;;) {
    // A byte more than is left shows that nothing has been added.
    const room = sizeBytes > length && sizeBytes - length < CHUNK_BYTES ? sizeBytes - length + 1 : CHUNK_BYTES;
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(room), 0, room, null);
    length += bytesRead;
    if (length > maxBytes) return tooLarge(path, maxBytes);
    if (bytesRead > 0) chunks.push(buffer.subarray(0, bytesRead));
    if (bytesRead === 0 || (length === sizeBytes && bytesRead < room)) {
      const [only] = chunks;
      return chunks.length === 1 && only ? only : Buffer.concat(chunks);
    }
  }
}

function isFolder(path: Path): FileProblem {
  return { problem: 'directory', message: `${path} is a folder, not a file.` };
}

export function notRegular(path: Path): FileProblem {
  return {
    problem: 'not-regular',
    message: `${path} is not a regular file but a device, a pipe or a socket, so it is not opened.`,
  };
}

function tooLarge(path: Path, maxBytes: number): FileProblem {
  const limit = `${(maxBytes / 1024 / 1024).toFixed(1)} MB`;
  return {
    problem: 'too-large',
    message: `${path} is larger than ${limit}. Find the part you need with grep, or print a range with the shell.`,
  };
}

/** What went wrong with a path, in words that say what to do next. */
export function problemOf(path: Path, error: unknown): FileProblem {
  const code = errorCode(error);
  if (code === 'ENOENT') return { problem: 'missing', message: `${path} does not exist.` };
  if (code === 'ENOTDIR') {
    return { problem: 'missing', message: `${path} does not exist: a part of the path is a file, not a folder.` };
  }
  if (code === 'EISDIR') return isFolder(path);
  if (code === 'EACCES' || code === 'EPERM') {
    return { problem: 'denied', message: `The system denies access to ${path}.` };
  }
  return { problem: 'failed', message: `${path}: ${FAULTS[code] ?? messageOf(error)}` };
}

const FAULTS: Readonly<Record<string, string>> = {
  ELOOP: 'its links lead in a circle.',
  ENAMETOOLONG: 'the name is too long.',
  EROFS: 'the file system is read-only.',
  ENOSPC: 'the disk is full.',
  EDQUOT: 'the disk quota is used up.',
  EMFILE: 'too many files are open; try again.',
};

/** The system's code such as `ENOENT`, empty when the error has none. */
export function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** True when the name itself is taken, a dangling link included. Rejects when it cannot even be looked at. */
export async function isTaken(path: Path): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
