// How paths are compared and taken apart, without looking at any disk.
import { posix, win32 } from 'node:path';
import type { Path, Platform } from '../host';

/** True when `path` is `folder` or lies in it. Compares whole names, folding case where the file system does (S30, S36). */
export function contains(folder: Path, path: Path, platform: Platform): boolean {
  const style = styleOf(platform);
  const between = style.relative(foldPath(folder, platform), foldPath(path, platform));
  return between === '' || (between !== '..' && !between.startsWith(`..${style.sep}`) && !style.isAbsolute(between));
}

/** The form in which two spellings of one path are equal. */
export function foldPath(path: Path, platform: Platform): Path {
  const composed = path.normalize('NFC');
  return platform.foldsCase ? composed.toLowerCase() : composed;
}

export function styleOf(platform: Platform): typeof posix {
  return platform.os === 'win32' ? win32 : posix;
}

/** Relative to the folder, `/` between names; '.' for the folder itself. */
export function placeIn(folder: Path, path: Path, platform: Platform): string {
  return styleOf(platform).relative(folder, path).replaceAll('\\', '/') || '.';
}
