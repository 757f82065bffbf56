// The History port: HEAD, its branch, the remote branches and commits, by Git's plumbing.
import type { Commit, History } from '../core/history';
import { createGit, type Git } from './git';

const MAX_REMOTE_BRANCHES = 2_000;
const REMOTES = 'refs/remotes/';
const SUBJECT_MAX_CHARS = 200;

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
