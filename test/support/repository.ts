// Git repositories for tests, whatever the person's own configuration says.
import { execFileSync } from 'node:child_process';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';

const GIT_ENV = {
  ...process.env,
  ...{ GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.c', GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.c' },
};

export function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, env: GIT_ENV, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/** Commits everything, and lets the index be written so late that no file is in doubt. */
export async function commitAll(root: string): Promise<void> {
  const old = new Date('2020-01-01T00:00:00.5Z');
  for (const name of git(root, 'ls-files', '-co', '--exclude-standard', '-z').split('\0')) {
    if (name !== '') await utimes(join(root, name), old, old).catch(() => {});
  }
  git(root, 'add', '-A');
  git(root, 'commit', '-qm', 'all');
}
