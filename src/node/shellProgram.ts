// Which program reads commands: bash where there is one, by its usual places.
import { accessSync, constants } from 'node:fs';
import { posix } from 'node:path';
import { powershellPaths } from './powershell';

export interface Program {
  readonly name: 'bash' | 'sh' | 'powershell';
  readonly path: string;
}

interface Machine {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly isExecutable: (path: string) => boolean;
}

const WINDOWS_BASH = ['C:\\Program Files\\Git\\bin\\bash.exe', 'C:\\Program Files (x86)\\Git\\bin\\bash.exe'];
const BASH_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin'];
const THIS_MACHINE: Machine = { platform: process.platform, env: process.env, isExecutable };

/** By absolute path: a `bash` in the workspace or found through PATH is not the system's (S12). */
export function findShell(machine: Machine = THIS_MACHINE): Program | undefined {
  return programs(machine).find(({ path }) => machine.isExecutable(path));
}

function programs({ platform, env }: Machine): readonly Program[] {
  const isWindows = platform === 'win32';
  const bash = isWindows ? WINDOWS_BASH : BASH_FOLDERS.map((folder) => posix.join(folder, 'bash'));
  const others: readonly Program[] = isWindows
    ? powershellPaths(env).map((path) => ({ name: 'powershell', path }))
    : [{ name: 'sh', path: '/bin/sh' }];
  return [...bash.map((path) => ({ name: 'bash' as const, path })), ...others];
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
