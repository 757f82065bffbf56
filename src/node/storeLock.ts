// Locks of the store: a file that names the process that holds it, so that what a crash has left is known for what it is.
import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readFile, readlink, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { dirname } from 'node:path';
import type { StoreLock } from '../core/store';
import { isJsonObject } from '../common/json';
import { errorCode } from './files';

interface Holder {
  readonly token: string;
  readonly pid: number;
  /** With the id it names one process, though ids are used again; empty where the system does not tell. */
  readonly started: string;
  /** Ids count within one machine, one start of it and one namespace. */
  readonly machine: string;
  readonly boot: string;
  readonly namespace: string;
}

/** A holder of which nothing can be known (another machine or container on one disk) has used its lock within this time, or is gone. */
const USED_WITHIN_MS = 5 * 60 * 1000;
/** A file without a holder is being written, or was left by a crash. */
const WRITTEN_WITHIN_MS = 10_000;
const ATTEMPTS = 3;

/** Tokens of the locks that this process holds. */
const heldHere = new Set<string>();
let self: Promise<Omit<Holder, 'token'>> | undefined;

/** Undefined while somebody else holds it. Rejects when the file cannot be written. */
export async function acquireLock(path: string): Promise<StoreLock | undefined> {
  const holder: Holder = { token: randomUUID(), ...(await (self ??= describeSelf())) };
  heldHere.add(holder.token);
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await place(path, holder)) return heldLock(path, holder);
      if (!(await clearIfLeft(path))) break;
    }
  } catch (error) {
    heldHere.delete(holder.token);
    throw error;
  }
  heldHere.delete(holder.token);
  return undefined;
}

function heldLock(path: string, holder: Holder): StoreLock {
  return {
    async isHeld() {
      try {
        const found = await readHolder(path);
        if (found === 'missing') return await place(path, holder);
        if (found?.token !== holder.token) return false;
        // Told to those who cannot look for this process.
        await utimes(path, new Date(), new Date());
        return true;
      } catch {
        // Who could not have read it either could not have taken it over.
        return true;
      }
    },
    async release() {
      heldHere.delete(holder.token);
      const found = await readHolder(path).catch(() => undefined);
      if (found && found !== 'missing' && found.token === holder.token) await rm(path, { force: true });
    },
  };
}

/** False when somebody has one there. It appears whole, where the file system has links. */
async function place(path: string, holder: Holder): Promise<boolean> {
  const text = JSON.stringify(holder);
  const draft = `${path}.${holder.token}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeNew(draft, text);
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    return await writeNew(path, text).then(
      () => true,
      (fault: unknown) => {
        if (errorCode(fault) === 'EEXIST') return false;
        throw fault;
      },
    );
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** True when the place is free by now. Of several who find the same holder gone, only one takes its file away. */
async function clearIfLeft(path: string): Promise<boolean> {
  const found = await readHolder(path);
  if (found === 'missing') return true;
  if (await isAlive(path, found)) return false;
  const aside = `${path}.${randomUUID()}`;
  try {
    await rename(path, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true;
    throw error;
  }
  const moved = await readHolder(aside);
  const isSame = moved !== 'missing' && moved?.token === found?.token;
  // Somebody else was quicker, and what was taken away is theirs.
  if (!isSame) await link(aside, path).catch(() => {});
  await rm(aside, { force: true });
  return isSame;
}

async function isAlive(path: string, holder: Holder | undefined): Promise<boolean> {
  const touched = await stat(path).catch(() => undefined);
  const usedMs = Date.now() - (touched?.mtimeMs ?? 0);
  if (!holder) return usedMs < WRITTEN_WITHIN_MS;
  const own = await (self ??= describeSelf());
  if (heldHere.has(holder.token)) return true;
  if (holder.machine !== own.machine) return usedMs < USED_WITHIN_MS;
  const hasRestarted = holder.boot !== own.boot || usedMs > uptime() * 1000;
  if (hasRestarted) return false;
  if (holder.namespace !== own.namespace) return usedMs < USED_WITHIN_MS;
  if (holder.pid === own.pid || !exists(holder.pid)) return false;
  const started = await startOf(holder.pid);
  return started === '' || holder.started === '' ? usedMs < USED_WITHIN_MS : started === holder.started;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

async function readHolder(path: string): Promise<Holder | 'missing' | undefined> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return 'missing';
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && typeof value['token'] === 'string' && Number.isInteger(value['pid'])
      ? (value as unknown as Holder)
      : undefined;
  } catch {
    return undefined;
  }
}

async function describeSelf(): Promise<Omit<Holder, 'token'>> {
  const told = (path: string) =>
    readFile(path, 'latin1')
      .then((text) => text.trim())
      .catch(() => '');
  const [id, boot, namespace, started] = await Promise.all([
    told('/etc/machine-id'),
    told('/proc/sys/kernel/random/boot_id'),
    readlink('/proc/self/ns/pid').catch(() => ''),
    startOf(process.pid),
  ]);
  return { pid: process.pid, started, machine: `${hostname()} ${id}`, boot, namespace };
}

/** In clock ticks since the system started; empty where it does not tell. The name before it may hold anything. */
async function startOf(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return text.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}
