// The arguments that put one command into a sandbox of Linux, as a pure function of what may be reached there.
import type { Path } from '../../core/host';

/** What a command in a sandbox may reach. Absolute paths with links resolved. */
export interface Reach {
  readonly cwd: Path;
  /** Written as usual. */
  readonly roots: readonly Path[];
  /** Folders that may be written in, but neither renamed nor removed, since something below them is read-only. */
  readonly pinned: readonly Path[];
  /** Inside the roots, and only read: what runs by itself later, or governs the agent. */
  readonly readOnly: readonly Path[];
  /** Files and folders that cannot even be read: secrets, and the sockets of programs outside. */
  readonly hiddenFiles: readonly Path[];
  readonly hiddenFolders: readonly Path[];
  /** A file that nobody may read, which stands in for the hidden ones. */
  readonly nothing: Path;
}

/**
 * A file system that is read-only but for the roots and a temporary folder of its own, no network (not even the
 * machine's own addresses), no processes but its own, which end with it, and no rights beyond the person's.
 * Later mounts lie over earlier ones. There is no session of its own: job control needs the terminal, which belongs to
 * this one command and has nobody at its other end who would read what is pushed into it.
 */
export function bubblewrapArguments(reach: Reach): string[] {
  const { cwd, roots, nothing } = reach;
  const shortestFirst = (paths: readonly Path[]) => [...paths].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    ...PRIVATE_FOLDERS.flatMap((folder) => ['--tmpfs', folder]),
    ...NEEDED_FROM_RUN.flatMap((folder) => ['--ro-bind-try', folder, folder]),
    ...(isPrivate(cwd) ? ['--ro-bind', cwd, cwd] : []),
    ...shortestFirst(roots).flatMap((root) => ['--bind', root, root]),
    ...shortestFirst(reach.pinned).flatMap((folder) => ['--bind', folder, folder]),
    ...shortestFirst(reach.readOnly).flatMap((path) => ['--ro-bind', path, path]),
    ...shortestFirst(reach.hiddenFolders).flatMap((folder) => ['--perms', '0000', '--tmpfs', folder]),
    ...shortestFirst(reach.hiddenFiles).flatMap((path) => ['--ro-bind', nothing, path]),
    ...['--unshare-pid', '--unshare-net', '--unshare-ipc', '--cap-drop', 'ALL', '--die-with-parent'],
    ...Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd, '--'],
  ];
}

/** Files of other programs and the sockets they listen on (editors, agents of keys, containers) lie here. */
export const PRIVATE_FOLDERS = ['/tmp', '/run'] as const;

function isPrivate(path: Path): boolean {
  return PRIVATE_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
}

/** Where NixOS has its programs. */
const NEEDED_FROM_RUN = ['/run/current-system', '/run/wrappers', '/run/opengl-driver'];

/** Caches in the person's folder cannot be written. */
const ENVIRONMENT = { TMPDIR: '/tmp', XDG_CACHE_HOME: '/tmp/.cache' };
