// What nobody wants to happen, in any mode: the loss of a home, of the system, or of the whole workspace (S23).
import { posix } from 'node:path';

const BROAD =
  /^(\/+\*?|\/+\.\*?|~\/?\*?|\$\{?HOME\}?\/?\*?|\.git\/?|\*|\.\/?\*?|\.\.\/?\*?|\.\.\/\*?.*\.\.|\/(bin|boot|dev|etc|home|lib|lib64|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library|Applications)\/?\*?|\/(home|Users)\/[^/]+\/?\*?|[A-Za-z]:[\\/]?\*?)$/;
/** Empty where the variable is. */
const UNSET = /^\$(\w+|\{\w+\})\/+\*?$/;
const DEVICE = /^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper|md|loop|mem|kmem|port)/;

/** `words`: as written, without their quotes. In words for people. */
export function criticalReason(words: readonly string[]): string | undefined {
  const [program = '', ...args] = words;
  const name = program.slice(program.lastIndexOf('/') + 1);
  if (/^rm$/.test(name)) {
    const isRecursive = args.some((arg) => /^-\w*[rR]/.test(arg) || /^--rec/.test(arg));
    const lost = args.find((arg) => !arg.startsWith('-') && isBroad(arg));
    return isRecursive && lost !== undefined ? `It would delete ${lost} with all that is in it` : undefined;
  }
  if (/^(chmod|chown|chgrp)$/.test(name)) {
    const isRecursive = args.some((arg) => /^-\w*R/.test(arg) || arg === '--recursive');
    const changed = args.find((arg) =>
      /^(\/+\*?|\/(bin|etc|lib|usr|var|home|root|boot)\/?|~\/?|\$\{?HOME\}?\/?)$/.test(arg),
    );
    return isRecursive && changed !== undefined ? `It would change the permissions of all in ${changed}` : undefined;
  }
  if (
    /^(mkfs(\..+)?|mke2fs|wipefs|fdisk|sfdisk|parted|diskutil|format)$/.test(name) &&
    args.some((arg) => DEVICE.test(arg))
  )
    return 'It would erase a disk';
  if (name === 'dd') {
    const device = args.find((arg) => arg.startsWith('of=') && DEVICE.test(arg.slice(3)));
    return device === undefined ? undefined : `It would overwrite the device ${device.slice(3)}`;
  }
  if (/^mv$/.test(name)) {
    const lost = args
      .slice(0, -1)
      .find((arg) => /^(\/+|~\/?|\$\{?HOME\}?\/?|\/(bin|etc|home|lib|root|usr|var)\/?)$/.test(arg));
    if (lost !== undefined) return `It would move ${lost} away with all that is in it`;
  }
  if (/^(shred|cp|mv|tee|truncate)$/.test(name)) {
    const device = args.find((arg) => DEVICE.test(arg));
    return device === undefined ? undefined : `It would overwrite the device ${device}`;
  }
  const isDeleting = args.some(
    (arg, at) => arg === '-delete' || (/^-exec/.test(arg) && /^(.*\/)?rm$/.test(args[at + 1] ?? '')),
  );
  if (name === 'find' && isDeleting) {
    const from = args.find((arg) => /^(\/+|~\/?|\$\{?HOME\}?\/?)$/.test(arg));
    return from === undefined ? undefined : `It would delete all it finds in ${from}`;
  }
  return undefined;
}

function isBroad(path: string): boolean {
  const plain = posix.normalize(path);
  return BROAD.test(path) || BROAD.test(plain) || UNSET.test(plain) || /^(?:\.\.\/)*\.\.\/?\*?$/.test(plain);
}

export function isDevice(path: string): boolean {
  return DEVICE.test(path);
}

/** A function that starts itself twice. */
export function isForkBomb(text: string): boolean {
  return /([\w:.]+)\s*\(\s*\)\s*\{[^}]*\1\s*\|\s*\1\s*&/.test(text);
}
