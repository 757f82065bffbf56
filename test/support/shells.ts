// Shells on every backend there is: pipes always, and the pseudoterminal of an editor that an earlier test run has fetched.
import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ShellExit } from '../../src/core/shell';
import { loadPty, ptyFolders } from '../../src/node/pty';
import type { Confinement } from '../../src/node/sandbox/confine';
import { createShell, type Keyboard, type ProcessShell, type Screen } from '../../src/node/shell';

export type TestBackend = 'pipe' | 'pty';

const { LATHE_CACHE, XDG_CACHE_HOME } = process.env;
const CACHE = join(LATHE_CACHE ?? join(XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'lathe'), 'vscode-served');

/** Of code-server, as test/support/vscode-host keeps it. */
function servedPtyFolders(): readonly string[] {
  const versions = listed(CACHE).map((version) => join(CACHE, version, 'node_modules', 'code-server', 'lib', 'vscode'));
  return versions.flatMap(ptyFolders);
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const FOLDERS = servedPtyFolders();

/** Where no editor has been fetched yet, the tests in the editor are the first to run on its pseudoterminal. */
export const BACKENDS: readonly TestBackend[] = loadPty(FOLDERS) ? ['pipe', 'pty'] : ['pipe'];

const shell = createShell({ env: process.env, ptyFolders: FOLDERS });

function shellOn({ env, confinement }: Pick<TestRun, 'env' | 'confinement'>): ProcessShell {
  if (!env && !confinement) return shell;
  return createShell({ env: env ?? process.env, ptyFolders: FOLDERS, ...(confinement ? { confinement } : {}) });
}

function screenOf(
  backend: TestBackend,
  onKeyboard: (keyboard: Keyboard | undefined) => void = () => undefined,
  hasInput = true,
): Screen {
  return { backend, size: { columns: 100, rows: 30 }, hasInput, begin: onKeyboard };
}

export interface TestRun {
  readonly cwd: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly released?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
  readonly confinement?: Confinement;
  readonly hasInput?: boolean;
  readonly onKeyboard?: (keyboard: Keyboard | undefined) => void;
  readonly onWaiting?: (isWaiting: boolean) => void;
  /** In place of keeping the output. */
  readonly counting?: (bytes: number) => void;
  /** In place of keeping the output, too; a promise holds the command back. */
  readonly taking?: (bytes: Uint8Array) => void | Promise<void>;
  readonly onOutput?: (text: string) => void | Promise<void>;
}

let runs = 0;

/** One command on a backend, with all it printed. */
export async function runOn(
  backend: TestBackend,
  command: string,
  options: TestRun,
): Promise<{ readonly id: string; readonly output: string; readonly exit: ShellExit }> {
  const {
    cwd,
    env,
    confinement,
    hasInput,
    onKeyboard,
    onOutput,
    counting,
    taking,
    timeoutMs = 10_000,
    ...rest
  } = options;
  const id = `shell-test-${process.pid}-${runs++}`;
  const chunks: Uint8Array[] = [];
  const exit = await shellOn({ ...(env ? { env } : {}), ...(confinement ? { confinement } : {}) }).run(
    {
      ...{ call: id, session: 's', command, cwd, timeoutMs },
      signal: new AbortController().signal,
      ...rest,
      onOutput: (bytes) => {
        if (taking) return taking(bytes);
        if (counting) return counting(bytes.length);
        chunks.push(bytes);
        return onOutput?.(String(Buffer.from(bytes)));
      },
    },
    screenOf(backend, onKeyboard, hasInput),
  );
  return { id, output: Buffer.concat(chunks).toString(), exit };
}

/** Processes that carry the marker of a run. */
export function survivorsOf(id: string): string[] {
  if (process.platform !== 'linux') return [];
  return listed('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(`LATHE_RUN=${id}-`);
    } catch {
      return false;
    }
  });
}
