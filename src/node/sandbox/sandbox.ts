// The sandbox that commands run in: whether there is one here, and what is put before a command so that it runs inside.
import { execFile } from 'node:child_process';
import { chmod, lstat, mkdtemp, realpath, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { messageOf } from '../../common/errors';
import type { Path } from '../../core/host';
import { bubblewrapArguments, type Reach } from './bubblewrap';
import { setAside, type SetAside } from './aside';
import { createPlaceholders } from './placeholders';
import { listeningSockets, placesIn, secretsAtHome, WALK_MAX_MS, type WalkOptions } from './places';
import { seatbeltProfile } from './seatbelt';

export type Enclosure =
  | {
      readonly ok: true;
      /** Comes before the program and its arguments. */
      readonly prefix: readonly string[];
      /** To be called once the command has ended; answers what it made that would take effect by itself. */
      finish(): Promise<SetAside>;
    }
  | { readonly ok: false; readonly reason: string };

export interface SandboxParts {
  readonly roots: () => readonly Path[];
  /** What the person hides from the agent, below these folders. Nothing where absent. */
  readonly hiddenIn?: (roots: readonly Path[]) => Promise<WalkOptions['leavesOut']>;
  readonly os?: NodeJS.Platform;
  readonly home?: Path;
  /** Where the program of the sandbox may be; by absolute path, since one in the workspace is not the system's (S12). */
  readonly programs?: readonly Path[];
}

export interface Sandbox {
  /** Why there is none here, in words that say what to do; undefined where it works. Tried once, by really running one. */
  missing(): Promise<string | undefined>;
  enclose(cwd: Path): Promise<Enclosure>;
}

export function createSandbox({
  roots,
  hiddenIn,
  os = process.platform,
  home = homedir(),
  programs,
}: SandboxParts): Sandbox {
  const candidates = programs ?? PROGRAMS[os] ?? [];
  let finding: Promise<{ readonly program: Path } | { readonly missing: string }> | undefined;
  const find = () => (finding ??= findProgram(candidates, os));
  let nothing: Promise<Path> | undefined;
  const placeholders = createPlaceholders();
  let turn: Promise<unknown> = Promise.resolve();
  // One after the other, so that no command takes what is only held for another for a folder of the person's.
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = turn.then(act);
    turn = done.catch(() => {});
    return done;
  };

  return {
    async missing() {
      const found = await find();
      return 'missing' in found ? found.missing : undefined;
    },
    async enclose(cwd) {
      const found = await find();
      if ('missing' in found) return { ok: false, reason: found.missing };
      // Whatever may fail comes before the first placeholder, which would be left behind.
      const real = await Promise.all(roots().map(async (root) => realpath(root)));
      const folder = await realpath(cwd);
      const standIn = await (nothing ??= makeNothing());
      const leavesOut = (await hiddenIn?.(real)) ?? (() => false);
      // Mounts need them; a profile of macOS goes by names.
      const holds = os === 'linux';
      const held = holds ? [...(await inTurn(() => placeholders.holdIn(real)))] : [];
      const places = await placesIn(real, { maxMs: WALK_MAX_MS, leavesOut });
      if (!places) {
        await inTurn(() => placeholders.letGo(held));
        return { ok: false, reason: TOO_LARGE };
      }
      if (holds) held.push(...(await inTurn(() => placeholders.holdInRepositories(places.repositories))));
      const atHome = await secretsAtHome(home);
      const isWorkspace = (path: Path) => real.some((root) => root === path || root.startsWith(`${path}/`));
      const reach: Reach = {
        cwd: folder,
        roots: real,
        pinned: places.pinned,
        readOnly: [...new Set([...places.readOnly, ...held])],
        hiddenFiles: [
          ...places.hiddenFiles,
          ...atHome.hiddenFiles,
          ...(os === 'linux' ? await listeningSockets(real) : []),
        ],
        hiddenFolders: [...places.hiddenFolders, ...atHome.hiddenFolders.filter((path) => !isWorkspace(path))],
        nothing: standIn,
      };
      const prefix =
        os === 'darwin'
          ? [found.program, '-p', seatbeltProfile(reach, await realpath(tmpdir()))]
          : [found.program, ...bubblewrapArguments(reach)];
      return {
        ok: true,
        prefix,
        async finish() {
          await inTurn(() => placeholders.letGo(held));
          return setAside({ roots: real, before: places, leavesOut, isPlaceholder: (path) => placeholders.has(path) });
        },
      };
    },
  };
}

const PROGRAMS: Partial<Record<NodeJS.Platform, readonly Path[]>> = {
  linux: ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap'],
  darwin: ['/usr/bin/sandbox-exec'],
};

const TOO_LARGE =
  'the workspace holds too many files to find in time what must stay protected. Run the command outside the sandbox (outside_sandbox), which asks the person';

async function findProgram(
  candidates: readonly Path[],
  os: NodeJS.Platform,
): Promise<{ readonly program: Path } | { readonly missing: string }> {
  if (os === 'win32') return { missing: 'there is none for Windows' };
  let program: Path | undefined;
  for (const path of candidates) {
    if (program === undefined && (await lstat(path).catch(() => undefined))) program = path;
  }
  if (program === undefined) {
    return { missing: os === 'linux' ? 'bubblewrap (bwrap) is not installed' : 'this system has none' };
  }
  try {
    const nowhere = { roots: [], pinned: [], readOnly: [], hiddenFiles: [], hiddenFolders: [], nothing: '/dev/null' };
    const reach: Reach = { cwd: '/', ...nowhere };
    const args = os === 'darwin' ? ['-p', seatbeltProfile(reach, tmpdir())] : bubblewrapArguments(reach);
    await promisify(execFile)(program, [...args, '/bin/sh', '-c', ':'], { timeout: PROBE_MS, cwd: '/' });
    return { program };
  } catch (error) {
    const [, said] = messageOf(error).split('\n');
    return { missing: `${program} does not work here${said ? `: ${said.trim()}` : ''}` };
  }
}

const PROBE_MS = 5_000;

/** Not even the owner may read it, once the rights of an administrator are dropped. */
async function makeNothing(): Promise<Path> {
  const folder = await mkdtemp(join(tmpdir(), 'lathe-sandbox-'));
  const path = join(folder, 'nothing');
  await writeFile(path, '');
  await chmod(path, 0);
  return path;
}
