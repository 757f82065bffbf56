// The PATH that the person's terminal would have: an editor started from a desktop does not know what their profile adds (nvm, asdf, Homebrew).
import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import { delimiter, isAbsolute } from 'node:path';
import { marksOf, scrubbedEnvironment } from './environment';
import { runProcess } from './process';

/** A profile that takes longer is done without. Source: [R41]. */
const PROFILE_MS = 5_000;
const OUTPUT_MAX_CHARS = 64 * 1024;

/**
 * `env` with the PATH of a login shell after its own. The profile is the person's, and runs without keys and without input;
 * what it prints or how it fails does not matter. Never rejects.
 */
export async function withLoginPath(env: NodeJS.ProcessEnv, bash: string): Promise<NodeJS.ProcessEnv> {
  if (process.platform === 'win32') return env;
  const mark = randomUUID();
  let output = '';
  const end = await runProcess({
    file: bash,
    args: ['-lc', `printf '\\n%s%s\\n' ${mark} "$PATH"`],
    cwd: env['HOME'] ?? homedir(),
    env: { ...scrubbedEnvironment(env), TERM: 'dumb', ...marksOf(mark) },
    runId: mark,
    timeoutMs: PROFILE_MS,
    signal: new AbortController().signal,
    onOutput: (bytes) => void (output = (output + Buffer.from(bytes).toString()).slice(-OUTPUT_MAX_CHARS)),
  });
  if (!end.ok) return env;
  const start = output.lastIndexOf(`\n${mark}`);
  const told = start === -1 ? '' : (output.slice(start + 1 + mark.length).split('\n', 1)[0] ?? '');
  return { ...env, PATH: joinPaths(env['PATH'] ?? '', told) };
}

/** All folders once, the first path's first. Relative ones are left out of the second: they would be looked for in the workspace. */
export function joinPaths(own: string, more: string): string {
  const added = more.split(delimiter).filter(isAbsolute);
  return [...new Set([...own.split(delimiter).filter((folder) => folder !== ''), ...added])].join(delimiter);
}
