// What nobody wants to happen, in any mode: the loss of a home, of the system, or of the whole workspace (S23).

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
    return isRecursive && lost !== undefined ? `It would delete ${lost} with all that is in it.` : undefined;
  }
  if (/^(chmod|chown|chgrp)$/.test(name)) {
    const isRecursive = args.some((arg) => /^-\w*R/.test(arg) || arg === '--recursive');
    const changed = args.find((arg) =>
      /^(\/+\*?|\/(bin|etc|lib|usr|var|home|root|boot)\/?|~\/?|\$\{?HOME\}?\/?)$/.test(arg),
    );
    return isRecursive && changed !== undefined ? `It would change the permissions of all in ${changed}.` : undefined;
  }
  if (
    /^(mkfs(\..+)?|mke2fs|wipefs|fdisk|sfdisk|parted|diskutil|format)$/.test(name) &&
    args.some((arg) => DEVICE.test(arg))
  )
    return 'It would erase a disk.';
  if (name === 'dd') {
    const device = args.find((arg) => arg.startsWith('of=') && DEVICE.test(arg.slice(3)));
    return device === undefined ? undefined : `It would overwrite the device ${device.slice(3)}.`;
  }
  if (/^(shred|cp|mv|tee|truncate)$/.test(name)) {
    const device = args.find((arg) => DEVICE.test(arg));
    return device === undefined ? undefined : `It would overwrite the device ${device}.`;
  }
  if (name === 'find' && args.some((arg) => arg === '-delete')) {
    const from = args.find((arg) => /^(\/+|~\/?|\$\{?HOME\}?\/?)$/.test(arg));
    return from === undefined ? undefined : `It would delete all it finds in ${from}.`;
  }
  return undefined;
}

function isBroad(path: string): boolean {
  const plain = path.replace(/\/\.(?=\/|$)/g, '').replace(/\/{2,}/g, '/');
  return BROAD.test(path) || BROAD.test(plain) || UNSET.test(plain);
}

export function isDevice(path: string): boolean {
  return DEVICE.test(path);
}

/** A function that starts itself twice. */
export function isForkBomb(text: string): boolean {
  return /([\w:.]+)\s*\(\s*\)\s*\{[^}]*\1\s*\|\s*\1\s*&/.test(text);
}
