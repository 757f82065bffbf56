// The History port: HEAD, its branch, the remote branches and commits, by Git's plumbing.
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Commit, History } from '../core/history';
import { createGit, type Git } from './git';

const MAX_REMOTE_BRANCHES = 2_000;
const REMOTES = 'refs/remotes/';
const SUBJECT_MAX_CHARS = 200;
/** How Git’s log of a branch ends then, in no language but its own. */
const PUSHED = /\tupdate by push\n?$/;

export function createHistory(git: Git = createGit()): History {
  return {
    async state(cwd, signal) {
      const ask = async (...args: string[]) => (await git({ args, cwd, signal }))?.toString().trim();
      const inside = await ask('rev-parse', '--is-inside-work-tree');
      if (inside !== 'true') return undefined;
      const [commit, branch, refs] = await Promise.all([
        ask('rev-parse', '--verify', '--quiet', 'HEAD^{commit}'),
        ask('symbolic-ref', '--quiet', '--short', 'HEAD'),
        ask('for-each-ref', `--count=${MAX_REMOTE_BRANCHES}`, '--format=%(objectname) %(refname)', REMOTES),
      ]);
      return { commit, branch, remotes: remotesOf(refs ?? '') };
    },
    async commits(cwd, { from, to, max }) {
      const signal = new AbortController().signal;
      const range = [`--max-count=${max}`, '--format=%h%x09%s', to, ...(from === undefined ? [] : [`^${from}`])];
      const output = await git({ args: ['rev-list', ...range, '--'], cwd, signal });
      return (output?.toString() ?? '').split('\n').flatMap((line) => commitOf(line) ?? []);
    },
    async pushed(cwd, remotes) {
      const signal = new AbortController().signal;
      const moves = await Promise.all(
        remotes.map(async (name) => {
          const found = await git({ args: ['rev-parse', '--git-path', `logs/${REMOTES}${name}`], cwd, signal });
          if (!found) return undefined;
          const log = resolve(cwd, found.toString().replace(/\n$/, ''));
          return readFile(log, 'utf8').catch(() => undefined);
        }),
      );
      // Where no log is kept, the command’s own words have to do.
      return remotes.filter((_, at) => moves[at] === undefined || PUSHED.test(moves[at]));
    },
  };
}

function remotesOf(output: string): ReadonlyMap<string, string> {
  const remotes = new Map<string, string>();
  for (const line of output.split('\n')) {
    const [commit, name] = line.split(` ${REMOTES}`);
    if (commit && name !== undefined) remotes.set(name, commit);
  }
  return remotes;
}

/** Each commit has a line `commit HASH` of its own before the one that was asked for. */
function commitOf(line: string): Commit | undefined {
  const [, hash, subject = ''] = /^([0-9a-f]+)\t(.*)$/.exec(line) ?? [];
  return hash === undefined ? undefined : { hash, subject: subject.slice(0, SUBJECT_MAX_CHARS) };
}
