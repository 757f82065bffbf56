// A temporary workspace with a node host over it, for tests that act on real files.
import { spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Host } from '../../src/core/host';
import { createNodeHost, type NodeHostOptions } from '../../src/node/host';

/** Content by relative path; `{ link }` makes a symbolic link, `{ mode }` a text file with these permissions, `{ pipe }` a pipe. */
export type Tree = Readonly<Record<string, Entry>>;

type Entry =
  | string
  | Uint8Array
  | { readonly link: string }
  | { readonly text: string; readonly mode: number }
  | { readonly pipe: true };

/** The program that makes a pipe: Node has no call for it. */
const MAKE_PIPE = 'mkfifo';

export interface Workspace {
  /** Links resolved, so that paths can be compared. */
  readonly root: string;
  /** The folder around the workspace: what lies here is outside of it. */
  readonly outside: string;
  readonly host: Host;
  readonly path: (relative: string) => string;
  /** Every file below the workspace as UTF-8 text by relative path; links are followed by name only. */
  readonly tree: () => Promise<Record<string, string>>;
  readonly bytes: (relative: string) => Promise<Buffer>;
  readonly remove: () => Promise<void>;
}

export async function createWorkspace(
  files: Tree = {},
  options: Omit<NodeHostOptions, 'roots' | 'storeDir'> = {},
): Promise<Workspace> {
  const outside = await realpath(await mkdtemp(join(tmpdir(), 'lathe-test-')));
  const root = join(outside, 'workspace');
  await mkdir(root);
  await writeTree(root, files);
  const host = createNodeHost({ ...options, roots: [root], storeDir: join(outside, 'store') });
  return {
    root,
    outside,
    host,
    path: (relative) => join(root, relative),
    tree: () => readTree(root),
    bytes: (relative) => readFile(join(root, relative)),
    // What is stored in the background may still be on its way.
    remove: () => rm(outside, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }),
  };
}

/** Runs `use` in a workspace that is removed afterwards. */
export async function inWorkspace(files: Tree, use: (workspace: Workspace) => Promise<void>): Promise<void> {
  const workspace = await createWorkspace(files);
  try {
    await use(workspace);
  } finally {
    await workspace.remove();
  }
}

async function writeTree(root: string, files: Tree): Promise<void> {
  for (const [relative, content] of Object.entries(files)) {
    const path = join(root, relative);
    await mkdir(dirname(path), { recursive: true });
    if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content);
    else if ('link' in content) await symlink(content.link, path);
    else if ('pipe' in content) spawnSync(MAKE_PIPE, [path]);
    else {
      await writeFile(path, content.text);
      await chmod(path, content.mode);
    }
  }
}

async function readTree(root: string): Promise<Record<string, string>> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const contents = await Promise.all(
    files.sort().map(async (path) => [path.slice(root.length + 1), await readFile(path, 'utf8')]),
  );
  return Object.fromEntries(contents) as Record<string, string>;
}
