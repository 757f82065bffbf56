// The world of the cases (workspace /w/proj, home /home/dev) as a temporary folder, under a host that calls it by those names.
import { spawnSync } from 'node:child_process';
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, win32 } from 'node:path';
import type { FileChange, Host, Path, Platform } from '../../../src/core/host';
import type { FileQuery } from '../../../src/core/search';
import { createNodeHost } from '../../../src/node/host';

export interface World {
  readonly host: Host;
  readonly root: Path;
  /** Runs a line of a case in the workspace; the names of the world in it are replaced by where they lie. */
  readonly run: (line: string) => void;
  /** A file for a case about one that nobody has made; nothing where something is, or where its folder is not one. */
  readonly provide: (path: Path) => Promise<void>;
  readonly isFolder: (path: Path) => boolean;
  readonly isFile: (path: Path) => boolean;
  /** All that lies outside of the workspace, as one text: to be compared. */
  readonly outside: () => string;
  readonly remove: () => Promise<void>;
}

/** What a file outside of the workspace holds: nothing may show it unasked. */
export const OUTSIDE_TEXT = 'This lies outside of the workspace.';

const INSIDE: Readonly<Record<string, string>> = {
  'README.md': '# Project\none line\nTODO: more\n',
  'src/a.ts': 'export const a = 1; // TODO\n',
  'src/a.js': 'module.exports = 1;\n',
  'src/lib/b.ts': 'export const b = 2;\n',
  'docs/guide.md': 'A guide\n',
  'notes.txt': 'b\na\n',
  'more.txt': 'a\nc\n',
  'data.csv': '1,2\n3,4\n',
  'app.log': 'started\n',
  'package.json': '{ "name": "proj", "scripts": { "test": "true" } }\n',
  'evil.sh': '#!/bin/sh\ntouch P\n',
  'x.sh': '#!/bin/sh\ntouch P\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n\tbare = false\n',
  'vendor/lib/README.md': 'Vendored\n',
  'vendor/lib/.git/HEAD': 'ref: refs/heads/main\n',
  'vendor/lib/.git/config': '[core]\n\tfsmonitor = ./evil.sh\n',
};

const OUTSIDE = [
  'w/proj-evil/x',
  'home/dev/.bashrc',
  'home/dev/.ssh/id_rsa',
  'home/dev/.aws/credentials',
  'home/dev/notes.txt',
  'etc/passwd',
  'etc/hosts',
  'etc/cron.d/own',
];

/** These are the machine's own: nothing of the kind can be made in a folder. */
const OF_THE_MACHINE = /^\/(dev|proc|sys)(\/|$)/;
/** Folders that a line of a case may name; its programs are the machine's. */
const NAMED_FOLDERS = /(?<![\w./-])\/(w|home|root|etc|opt|srv|mnt|var|tmp|Users|Volumes)(?![\w-])/g;

export const LINUX: Platform = { os: 'linux', homeDir: '/home/dev', foldsCase: false, timeZone: 'UTC' };

export async function createWorld(platform: Platform, root: Path): Promise<World> {
  const disk = await realpath(await mkdtemp(join(tmpdir(), 'lathe-check-')));
  const names = namesOf(disk, platform);
  const folder = names.toDisk(root);
  for (const [name, text] of Object.entries(INSIDE)) await put(join(folder, name), text);
  for (const name of OUTSIDE) await put(join(disk, name), `${OUTSIDE_TEXT}\n`);
  const run = (line: string): void => {
    const text = line.replace(NAMED_FOLDERS, (name) => join(disk, name));
    const env = { PATH: process.env.PATH, HOME: join(disk, 'home/dev'), LANG: 'C.UTF-8' };
    const { status, stderr, error } = spawnSync('bash', ['-c', text], { cwd: folder, env, encoding: 'utf8' });
    if (status !== 0) throw new Error(`“${line}” failed: ${error?.message ?? stderr}`);
  };
  return {
    host: mapHost({ disk, folder, root, platform }, names),
    root,
    run,
    provide: async (path) => {
      const place = names.toDisk(path);
      if (isIn(disk, place) && isFree(disk, place)) await put(place, 'provided\n');
    },
    isFolder: (path) => existsSync(names.toDisk(path)) && lstatSync(names.toDisk(path)).isDirectory(),
    isFile: (path) => existsSync(names.toDisk(path)) && lstatSync(realpathSync(names.toDisk(path))).isFile(),
    outside: () => describeAll(disk, [folder, join(disk, '.store')]).join('\n'),
    remove: () => rm(disk, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function isIn(folder: string, path: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** Nothing is there, and every folder on the way is one or can be made: no link is followed. */
function isFree(top: string, path: string): boolean {
  if (path.includes('\0') || lstatSync(path, { throwIfNoEntry: false })) return false;
  for (let folder = dirname(path); folder !== top && folder !== '/'; folder = dirname(folder)) {
    const there = lstatSync(folder, { throwIfNoEntry: false });
    if (there) return there.isDirectory();
  }
  return true;
}

interface Names {
  readonly toDisk: (path: Path) => string;
  readonly fromDisk: (path: string) => Path;
}

function namesOf(disk: string, platform: Platform): Names {
  const isWindows = platform.os === 'win32';
  return {
    toDisk(path) {
      if (isWindows) return join(disk, path.replace(/^[a-z]:/i, '').replaceAll('\\', '/'));
      return OF_THE_MACHINE.test(path) ? path : join(disk, path);
    },
    fromDisk(path) {
      const name = isIn(disk, path) ? path.slice(disk.length) || '/' : path;
      return isWindows ? win32.join('C:', name) : name;
    },
  };
}

/** The node host, which is the product's own, under the names of the world. It runs no command and writes nothing elsewhere. */
function mapHost(
  place: { readonly disk: string; readonly folder: string; readonly root: Path; readonly platform: Platform },
  { toDisk, fromDisk }: Names,
): Host {
  const { disk, folder, root, platform } = place;
  const quiet = { info: () => {}, warn: () => {}, error: () => {} };
  const settings = { 'checkpoints.enabled': false };
  const node = createNodeHost({ roots: [folder], storeDir: join(disk, '.store'), log: quiet, settings });
  const { files, search, edits } = node;
  const onDisk = (change: FileChange): FileChange => ({
    ...change,
    path: toDisk(change.path),
    ...(change.real === undefined ? {} : { real: toDisk(change.real) }),
    ...('to' in change ? { to: toDisk(change.to) } : {}),
    ...('toReal' in change && change.toReal !== undefined ? { toReal: toDisk(change.toReal) } : {}),
  });
  const asked = <Query extends { readonly path: Path; readonly leavesOut?: FileQuery['leavesOut'] }>(
    query: Query,
  ): Query => {
    const { leavesOut } = query;
    return {
      ...query,
      path: toDisk(query.path),
      ...(leavesOut ? { leavesOut: (path: Path) => leavesOut(fromDisk(path)) } : {}),
    };
  };
  return {
    ...node,
    roots: () => [{ name: 'proj', path: root }],
    platform,
    files: {
      stat: (path) => files.stat(toDisk(path)),
      realPath: async (path) => fromDisk(await files.realPath(toDisk(path))),
      list: (path) => files.list(toDisk(path)),
      text: (path, maxBytes) => files.text(toDisk(path), maxBytes),
      bytes: (path, maxBytes) => files.bytes(toDisk(path), maxBytes),
      whole: (path, maxBytes) => files.whole(toDisk(path), maxBytes),
      lines: (path, range, signal) => files.lines(toDisk(path), range, signal),
      version: (path) => files.version(toDisk(path)),
    },
    search: {
      lines: search.lines,
      async text(query, signal) {
        const found = await search.text(asked(query), signal);
        if ('problem' in found) return found;
        return { ...found, matches: found.matches.map((match) => ({ ...match, path: fromDisk(match.path) })) };
      },
      async files(query, signal) {
        const found = await search.files(asked(query), signal);
        return 'problem' in found ? found : { ...found, paths: found.paths.map(fromDisk) };
      },
    },
    edits: {
      async apply(plan) {
        const changes = plan.changes.map(onDisk);
        const isHere = changes.every(
          (change) => isIn(disk, change.path) && (!('to' in change) || isIn(disk, change.to)),
        );
        if (!isHere) return { ok: false, reason: 'That lies outside of the world of the cases.' };
        const outcome = await edits.apply({ ...plan, changes });
        if (!outcome.ok) return outcome;
        return { ok: true, files: outcome.files.map((file) => ({ ...file, path: fromDisk(file.path) })) };
      },
    },
    shell: {
      name: 'bash',
      run: ({ cwd }) => Promise.resolve({ ok: true, code: 0, timedOut: false, wasStopped: false, cwd }),
    },
  };
}

/** Names, kinds and contents below a folder, without those that are left out. */
function describeAll(folder: string, leftOut: readonly string[]): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (leftOut.includes(path)) return [];
    if (entry.isDirectory()) return [path, ...describeAll(path, leftOut)];
    if (entry.isSymbolicLink()) return [`${path} -> ${readlinkSync(path)}`];
    return [entry.isFile() ? `${path}: ${readFileSync(path, 'latin1')}` : path];
  });
}
