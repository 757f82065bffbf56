// What a file looks like from outside, and whether it can be another one since. Pipes, sockets and devices are not looked at further.
import { lstat, type BigIntStats } from 'node:fs';

export interface Look {
  readonly isLink: boolean;
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  /** 0 where the file system does not tell. */
  readonly bornNs: bigint;
  readonly ino: bigint;
  /** POSIX permission bits. */
  readonly mode: number;
}

const PERMISSIONS = 0o7777;

/** Only of regular files and links. A promise for each would take longer than the looking. */
export function lookAt(paths: readonly string[]): Promise<Map<string, Look>> {
  const looks = new Map<string, Look>();
  let left = paths.length;
  return new Promise((resolve) => {
    if (left === 0) resolve(looks);
    for (const path of paths) {
      lstat(path, { bigint: true }, (error, found) => {
        const look = error ? undefined : lookOf(found);
        if (look) looks.set(path, look);
        if (--left === 0) resolve(looks);
      });
    }
  });
}

function lookOf(found: BigIntStats): Look | undefined {
  const isLink = found.isSymbolicLink();
  if (!isLink && !found.isFile()) return undefined;
  return {
    isLink,
    size: Number(found.size),
    mtimeNs: found.mtimeNs,
    ctimeNs: found.ctimeNs,
    bornNs: found.birthtimeNs,
    ino: found.ino,
    mode: Number(found.mode) & PERMISSIONS,
  };
}

/** Nothing that a write would have changed is different. */
export function isSameLook(a: Look, b: Look): boolean {
  return hasSameContentLook(a, b) && a.ctimeNs === b.ctimeNs && a.mode === b.mode;
}

/** Only permissions or links to it may have changed, or a program that sets times by hand was at work. */
export function hasSameContentLook(a: Look, b: Look): boolean {
  return a.isLink === b.isLink && a.size === b.size && a.mtimeNs === b.mtimeNs && a.ino === b.ino;
}

/** A clock of files ticks every few milliseconds, on some systems every two seconds: what is written within a tick looks the same. */
const TICK_NS = 50_000_000n;
const COARSE_TICK_NS = 2_000_000_000n;
const NS_PER_S = 1_000_000_000n;

/** It was written so shortly before `atNs` that a second write may not show. */
export function isFresh({ mtimeNs, ctimeNs }: Look, atNs: bigint): boolean {
  const tickNs = mtimeNs % NS_PER_S === 0n ? COARSE_TICK_NS : TICK_NS;
  return (mtimeNs > ctimeNs ? mtimeNs : ctimeNs) > atNs - tickNs;
}

/** The file was made after `atNs`; undefined where the file system does not tell. */
export function isBornAfter({ bornNs }: Look, atNs: bigint): boolean | undefined {
  return bornNs === 0n ? undefined : bornNs > atNs - TICK_NS;
}
