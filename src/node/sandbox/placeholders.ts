// What stands where nothing is yet, since only what exists can be made read-only (S35).
import { lstat, mkdir, readFile, rmdir, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Path } from '../../core/host';

/** Several commands share one. Each must be called after the other has ended, see `inTurn` of the sandbox. */
export interface Placeholders {
  /** In the workspace's folders: what the editor and Git take up as soon as it appears. */
  holdIn(roots: readonly Path[]): Promise<readonly Path[]>;
  /** In repositories: what says where their configuration and objects stand. */
  holdInRepositories(folders: readonly Path[]): Promise<readonly Path[]>;
  letGo(held: readonly Path[]): Promise<void>;
  has(path: Path): boolean;
}

/** Each says what Git takes for granted where it is missing. Folders end with `/`. */
const IN_REPOSITORY: Readonly<Record<string, string>> = {
  ...{ 'hooks/': '', 'modules/': '', 'worktrees/': '', commondir: '.\n', 'config.worktree': '' },
  ...{ 'info/': '', 'info/attributes': '', 'objects/info/': '', 'objects/info/alternates': '' },
};

export function createPlaceholders(): Placeholders {
  const uses = new Map<Path, number>();
  const contents = new Map<Path, string | undefined>();

  const hold = async (path: Path, content: string | undefined): Promise<readonly Path[]> => {
    if (!uses.has(path) && !(await make(path, content))) return [];
    uses.set(path, (uses.get(path) ?? 0) + 1);
    contents.set(path, content);
    return [path];
  };
  return {
    async holdIn(roots) {
      const held: Path[] = [];
      for (const root of roots) {
        for (const name of ['.vscode', '.git']) held.push(...(await hold(join(root, name), undefined)));
      }
      return held;
    },
    async holdInRepositories(folders) {
      const held: Path[] = [];
      for (const folder of folders) {
        if (uses.has(folder)) continue;
        for (const [name, content] of Object.entries(IN_REPOSITORY)) {
          const isFolder = name.endsWith('/');
          held.push(...(await hold(join(folder, name.replace(/\/$/, '')), isFolder ? undefined : content)));
        }
      }
      return held;
    },
    async letGo(held) {
      for (const path of [...held].reverse()) {
        const others = (uses.get(path) ?? 1) - 1;
        if (others > 0) {
          uses.set(path, others);
          continue;
        }
        await takeAway(path, contents.get(path));
        uses.delete(path);
        contents.delete(path);
      }
    },
    has: (path) => uses.has(path),
  };
}

async function make(path: Path, content: string | undefined): Promise<boolean> {
  const making = content === undefined ? mkdir(path) : writeFile(path, content, { flag: 'wx' });
  return making.then(
    () => true,
    () => false,
  );
}

/** Unless somebody has made something of it. */
async function takeAway(path: Path, content: string | undefined): Promise<void> {
  if (content === undefined) return rmdir(path).catch(() => {});
  const found = (await lstat(path).catch(() => undefined))?.isFile() ? await readFile(path, 'utf8') : undefined;
  if (found === content) await unlink(path).catch(() => {});
}
