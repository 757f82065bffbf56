// What files held: copies of our own where nobody else keeps it, else the name of Git's object, from which the bytes are made when they are needed.
import { createHash } from 'node:crypto';
import { isProblem } from '../core/host';
import { readAgain } from './files';
import type { Git } from './git';
import type { Tracked } from './gitListing';
import type { Look } from './looks';

export type Content =
  | { readonly bytes: Uint8Array }
  | { readonly blob: string; readonly cwd: string; readonly size: number }
  /** Why it is not known, for the person. */
  | { readonly lost: string };

/** Source: design section 6. */
const COPY_MAX_BYTES = 1024 * 1024;
export const COPIES_MAX_BYTES = 50 * 1024 * 1024;
/** What is taken from Git for one command. */
const BLOBS_MAX_BYTES = 128 * 1024 * 1024;

const MEBIBYTE = 1024 * 1024;

export const LINK_LOST = 'It is a symbolic link, of which no copy is kept.';
const TOO_LARGE = `It was larger than ${COPY_MAX_BYTES / MEBIBYTE} MB, so no copy was kept.`;
const TOO_MUCH = `More than ${COPIES_MAX_BYTES / MEBIBYTE} MB of files are not in Git, so no copy of it was kept.`;
const UNREADABLE = 'It could not be read, so no copy was kept.';
const GONE = 'Git does not have it any more.';
const CONVERTED = 'Git keeps it in another form than the file had.';
const TOO_MANY = `The command changed more than ${BLOBS_MAX_BYTES / MEBIBYTE} MB of tracked files.`;

/** The index shows that the file holds what the object does, line endings aside. */
export function blobContent(tracked: Tracked | undefined, look: Look): Content | undefined {
  if (!tracked || tracked.isInDoubt || tracked.isConverted) return undefined;
  const { seen, blob, cwd } = tracked;
  // Git counts sizes in 32 bits; on Windows its second time is that of the file's birth.
  const isSame = seen.mtimeNs === look.mtimeNs && seen.size === look.size % 2 ** 32;
  const isOwnTime = process.platform === 'win32' || seen.ctimeNs === look.ctimeNs;
  return isSame && isOwnTime ? { blob, cwd, size: look.size } : undefined;
}

/** Room for copies, used up as they are made. */
export interface CopyRoom {
  leftBytes: number;
}

/** Git's object where the bytes are exactly that, else a copy. */
export async function copyContent(
  path: string,
  look: Look,
  tracked: Tracked | undefined,
  room: CopyRoom,
): Promise<Content> {
  if (look.size > COPY_MAX_BYTES) return { lost: TOO_LARGE };
  if (look.size > room.leftBytes) return { lost: TOO_MUCH };
  room.leftBytes -= look.size;
  const bytes = await readAgain(path, COPY_MAX_BYTES);
  if (isProblem(bytes)) return { lost: bytes.problem === 'too-large' ? TOO_LARGE : UNREADABLE };
  if (tracked && !tracked.isConverted && blobName(bytes, tracked.blob) === tracked.blob) {
    room.leftBytes += look.size;
    return { blob: tracked.blob, cwd: tracked.cwd, size: bytes.length };
  }
  return { bytes };
}

/** True when the file holds that now, false when not, undefined when it cannot be known. */
export async function holdsStill(path: string, look: Look, content: Content): Promise<boolean | undefined> {
  if ('lost' in content) return undefined;
  const size = 'bytes' in content ? content.bytes.length : content.size;
  if (look.size !== size) return false;
  const now = await readAgain(path, size);
  if (isProblem(now)) return undefined;
  if ('bytes' in content) return Buffer.compare(now, content.bytes) === 0;
  return blobName(now, content.blob) === content.blob || blobName(withoutCr(now), content.blob) === content.blob;
}

/** What Git calls these bytes. */
function blobName(bytes: Uint8Array, like: string): string {
  const hash = createHash(like.length > 40 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
}

const CR = 0x0d;
const LF = 0x0a;

function withoutCr(bytes: Uint8Array): Uint8Array {
  return bytes.filter((byte, at) => byte !== CR || bytes[at + 1] !== LF);
}

/** Git writes LF as CRLF where it is told to; the size of the file shows that it did. */
function asFile(blob: Uint8Array, size: number): Uint8Array | undefined {
  if (blob.length === size) return blob;
  const lines = blob.reduce((count, byte) => (byte === LF ? count + 1 : count), 0);
  if (blob.includes(CR) || blob.length + lines !== size) return undefined;
  const file = new Uint8Array(size);
  let at = 0;
  for (const byte of blob) {
    if (byte === LF) file[at++] = CR;
    file[at++] = byte;
  }
  return file;
}

/** In the order of `contents`: the bytes, or why they are lost. Objects are asked for in one go for each repository. */
export async function bytesOf(
  contents: readonly Content[],
  git: Git,
  signal: AbortSignal,
): Promise<readonly ({ readonly bytes: Uint8Array } | { readonly lost: string })[]> {
  const wanted = new Map<string, Set<string>>();
  let leftBytes = BLOBS_MAX_BYTES;
  const isTaken = contents.map((content) => {
    if (!('blob' in content)) return true;
    if (content.size > leftBytes) return false;
    leftBytes -= content.size;
    wanted.set(content.cwd, (wanted.get(content.cwd) ?? new Set()).add(content.blob));
    return true;
  });
  const blobs = new Map<string, Uint8Array>();
  for (const [cwd, names] of wanted) {
    const input = [...names].map((name) => `${name}\n`).join('');
    const output = await git({ args: ['cat-file', '--batch'], cwd, signal, input });
    for (const [name, bytes] of objectsIn(output ?? Buffer.alloc(0))) blobs.set(name, bytes);
  }
  return contents.map((content, at) => {
    if (!('blob' in content)) return content;
    if (!isTaken[at]) return { lost: TOO_MANY };
    const blob = blobs.get(content.blob);
    if (!blob) return { lost: GONE };
    const bytes = asFile(blob, content.size);
    return bytes ? { bytes } : { lost: CONVERTED };
  });
}

/** `NAME TYPE SIZE`, a line break, the bytes and a line break for each; `NAME missing` for what is not there. */
function* objectsIn(output: Buffer): Generator<[name: string, bytes: Uint8Array]> {
  for (let start = 0; start < output.length;) {
    const end = output.indexOf(LF, start);
    if (end === -1) return;
    const [name = '', type, size] = output.toString('latin1', start, end).split(' ');
    start = end + 1;
    if (size === undefined) continue;
    const bytes = output.subarray(start, start + Number(size));
    if (type === 'blob' && blobName(bytes, name) === name) yield [name, bytes];
    start += Number(size) + 1;
  }
}
