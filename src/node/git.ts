// Git as a source of facts: which files it knows and their contents. It only reads, and nothing a repository configures makes it run a program (S13).
import { spawn } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { devNull } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { scrubbedEnvironment } from './environment';

export interface GitRun {
  /** A plumbing command and its arguments: others run aliases, pagers, hooks and converters. */
  readonly args: readonly string[];
  readonly cwd: string;
  readonly signal: AbortSignal;
  readonly input?: string;
}

/** What it wrote; undefined when it failed, took too long or wrote too much. Never rejects. */
export type Git = (run: GitRun) => Promise<Buffer | undefined>;

const TIMEOUT_MS = 15_000;
const MAX_OUTPUT_BYTES = 128 * 1024 * 1024;

/**
 * Settings on the command line beat those of the repository: no monitor, no hook, no transport that would fetch what a partial
 * clone lacks, no bare repository that lies in the folder as data, and nothing that shows or checks by a program of its own.
 */
const SETTINGS = [
  ...['core.fsmonitor=false', `core.hooksPath=${devNull}`, 'protocol.allow=never', 'safe.bareRepository=explicit'],
  ...['diff.external=', 'log.showSignature=false', 'core.askPass=', 'credential.helper='],
].flatMap((setting) => ['-c', setting]);

export function createGit(program: string | undefined = findGit(), env: NodeJS.ProcessEnv = process.env): Git {
  if (program === undefined) return async () => undefined;
  const scrubbed = gitEnvironment(program, env);
  return (run) =>
    new Promise<Buffer | undefined>((resolve) => {
      const child = spawn(program, ['--no-pager', ...SETTINGS, ...run.args], {
        ...{ cwd: run.cwd, env: scrubbed, signal: run.signal, timeout: TIMEOUT_MS },
        ...{ stdio: ['pipe', 'pipe', 'ignore'], windowsHide: true },
      });
      const chunks: Buffer[] = [];
      let writtenBytes = 0;
      child.stdout.on('data', (chunk: Buffer) => {
        writtenBytes += chunk.length;
        if (writtenBytes > MAX_OUTPUT_BYTES) child.kill();
        else chunks.push(chunk);
      });
      // It may end before it has read everything; how it ended is what counts.
      child.stdin.on('error', () => {});
      child.stdin.end(run.input ?? '');
      child.on('error', () => resolve(undefined));
      child.on('close', (code) => resolve(code === 0 ? Buffer.concat(chunks) : undefined));
      // Some of what cannot be started is told by an exception, such as too many open files.
    }).catch(() => undefined);
}

/**
 * No variable of Git's own: they would lead it to another repository, another index or a program. And no PATH of the person's,
 * which may lead into the workspace: what is asked of it needs no other program.
 */
function gitEnvironment(program: string, env: NodeJS.ProcessEnv): Record<string, string> {
  const passedOn = Object.entries(scrubbedEnvironment(env)).filter(([name]) => !/^GIT_/i.test(name));
  return {
    ...Object.fromEntries(passedOn),
    ...(process.platform === 'win32' ? {} : { PATH: [dirname(program), ...FOLDERS].join(delimiter) }),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
  };
}

const WINDOWS_GIT = ['C:\\Program Files\\Git\\cmd\\git.exe', 'C:\\Program Files (x86)\\Git\\cmd\\git.exe'];
/** On macOS `/usr/bin/git` may be no more than an invitation to install one. */
const MAC_FOLDERS = [
  ...['/opt/homebrew/bin', '/usr/local/bin', '/Library/Developer/CommandLineTools/usr/bin'],
  '/Applications/Xcode.app/Contents/Developer/usr/bin',
];
const FOLDERS = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];

/** By absolute path: a `git` in the workspace or found through PATH is not the system's (S12). */
function findGit(): string | undefined {
  const folders = process.platform === 'darwin' ? MAC_FOLDERS : FOLDERS;
  const candidates = process.platform === 'win32' ? WINDOWS_GIT : folders.map((folder) => join(folder, 'git'));
  return candidates.find((path) => {
    try {
      accessSync(path, constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
