// The Store port on a disk: append-only files in a folder of our own, readable by its owner only.
import { randomUUID } from 'node:crypto';
import { copyFile, link, mkdir, open, readdir, rename, rm, rmdir, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../common/errors';
import type { Store, StoredFile } from '../core/store';
import { errorCode } from './files';

/** Appends that wait for their turn and will be one write. */
interface Batch {
  readonly chunks: Uint8Array[];
  readonly written: Promise<void>;
}

interface Lane {
  /** Settles, never rejects, when everything asked so far for the name is done. */
  idle: Promise<void>;
  /** The batch at the lane's end that has not started yet. */
  batch: Batch | undefined;
}

export function createStore(folder: string): Store {
  const lanes = new Map<string, Lane>();

  /** Runs `work` after everything asked before for that name. */
  async function inOrder<T>(name: string, work: (path: string, lane: Lane) => Promise<T>): Promise<T> {
    const path = join(folder, ...partsOf(name));
    const lane = lanes.get(name) ?? { idle: Promise.resolve(), batch: undefined };
    lanes.set(name, lane);
    lane.batch = undefined;
    const result = lane.idle.then(() => work(path, lane));
    const idle = result.then(
      () => {},
      () => {},
    );
    lane.idle = idle;
    try {
      return await result;
    } finally {
      if (lane.idle === idle) lanes.delete(name);
    }
  }

  return {
    append(name, data) {
      const bytes = typeof data === 'string' ? Buffer.from(data) : data;
      const open = lanes.get(name)?.batch;
      if (open) {
        open.chunks.push(bytes);
        return open.written;
      }
      const chunks = [bytes];
      const written = inOrder(name, (path, lane) => {
        if (lane.batch?.chunks === chunks) lane.batch = undefined;
        return appendAll(path, chunks);
      });
      const lane = lanes.get(name);
      if (lane) lane.batch = { chunks, written };
      return written;
    },
    read: (name, offset, maxBytes) => inOrder(name, (path) => readRange(path, offset, maxBytes)),
    size: (name) =>
      inOrder(name, async (path) => {
        const found = await stat(path).catch(() => undefined);
        return found?.isFile() ? found.size : undefined;
      }),
    list: (prefix) => listNames(folder, prefix),
    entries: async (prefix) => describe(folder, await listNames(folder, prefix)),
    remove: (name) =>
      inOrder(name, async (path) => {
        await rm(path, { force: true });
        // The folder goes with its last file; it is not empty as long as others are there.
        if (dirname(path) !== folder) await rmdir(dirname(path)).catch(() => {});
      }),
    replace: (name, data) => inOrder(name, (path) => replaceWhole(path, data)),
    copy: (from, to) => inOrder(from, (path) => inOrder(to, (target) => copyWhole(path, target))),
    async lock(name) {
      const path = join(folder, ...partsOf(name));
      const { acquireLock } = await import('./storeLock');
      return acquireLock(path).catch((error: unknown) => {
        throw readable(`cannot be written: ${path}`, error);
      });
    },
    async *lines(query, signal) {
      query.names.forEach(partsOf);
      const { storedLines } = await import('./storedLines');
      yield* storedLines(folder, query, signal);
    },
  };
}

/** A name is ours to choose, so a bad one is a bug; it must never lead out of the folder. */
function partsOf(name: string): string[] {
  const parts = name.split('/');
  const isSafe = parts.every((part) => /^[A-Za-z0-9][A-Za-z0-9._-]{0,199}$/.test(part) && !part.endsWith('.'));
  if (!isSafe) throw new Error(`Not a name for a stored file: ${JSON.stringify(name)}`);
  return parts;
}

async function appendAll(path: string, chunks: readonly Uint8Array[]): Promise<void> {
  try {
    const file = await openForAppend(path);
    try {
      await writeWhole(file, chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    } finally {
      await file.close();
    }
  } catch (error) {
    throw readable(`cannot be written: ${path}`, error);
  }
}

async function writeWhole(file: FileHandle, bytes: Uint8Array): Promise<void> {
  let written = 0;
  try {
    while (written < bytes.length) written += (await file.write(bytes, written)).bytesWritten;
  } catch (error) {
    // What did not fit must not leave half a line behind.
    if (written > 0) await takeBack(file, written).catch(() => {});
    throw error;
  }
}

/** Nobody else writes to the file, so what was written last is its end. */
async function takeBack(file: FileHandle, bytes: number): Promise<void> {
  const { size } = await file.stat();
  await file.truncate(size - bytes);
}

/** A folder goes with its last file, and may do so just when the next one is made in it. */
const FOLDERS_MADE_MAX = 5;

async function openForAppend(path: string): Promise<FileHandle> {
  for (let made = 0; ; made++) {
    try {
      return await open(path, 'a', 0o600);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT' || made === FOLDERS_MADE_MAX) throw error;
    }
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  }
}

async function replaceWhole(path: string, data: string): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const file = await open(draft, 'wx', 0o600);
    try {
      await file.writeFile(data);
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {});
    throw readable(`cannot be written: ${path}`, error);
  }
}

/** A second name costs nothing; where the file system has none it is a copy. */
async function copyWhole(from: string, to: string): Promise<void> {
  try {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await link(from, to).catch(() => copyFile(from, to));
  } catch (error) {
    throw readable(`cannot be written: ${to}`, error);
  }
}

async function readRange(path: string, offset: number, maxBytes: number): Promise<Uint8Array> {
  try {
    const file = await open(path, 'r');
    try {
      const { size } = await file.stat();
      const length = Math.max(0, Math.min(maxBytes, size - offset));
      const bytes = Buffer.alloc(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await file.read(bytes, filled, length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    } finally {
      await file.close();
    }
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return new Uint8Array();
    throw readable(`cannot be read: ${path}`, error);
  }
}

async function listNames(folder: string, prefix: string): Promise<readonly string[]> {
  const below = prefix.slice(0, prefix.lastIndexOf('/') + 1);
  if (below !== '') partsOf(below.slice(0, -1));
  try {
    const entries = await readdir(join(folder, below), { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .map((name) => name.replaceAll('\\', '/'))
      .filter((name) => name.startsWith(prefix))
      .sort();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw readable(`cannot be listed: ${folder}`, error);
  }
}

/** As many at once as the disk can do something with. */
const STATS_AT_ONCE = 32;

async function describe(folder: string, names: readonly string[]): Promise<readonly StoredFile[]> {
  const described: StoredFile[] = [];
  for (let at = 0; at < names.length; at += STATS_AT_ONCE) {
    const some = names.slice(at, at + STATS_AT_ONCE).map(async (name): Promise<StoredFile[]> => {
      // It may have been removed meanwhile.
      const found = await stat(join(folder, name)).catch(() => undefined);
      return found ? [{ name, sizeBytes: found.size, modifiedMs: found.mtimeMs }] : [];
    });
    described.push(...(await Promise.all(some)).flat());
  }
  return described;
}

function readable(what: string, error: unknown): Error {
  const code = errorCode(error);
  const reason = code === 'ENOSPC' || code === 'EDQUOT' ? 'the disk is full' : messageOf(error);
  return new Error(`Lathe's own storage ${what} (${reason}). Make room or check its permissions.`, { cause: error });
}
