// Which program reads commands: bash where there is one, by its usual places.
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

export interface Program {
  readonly name: 'bash' | 'sh';
  readonly path: string;
}

const WINDOWS_BASH = ['C:\\Program Files\\Git\\bin\\bash.exe', 'C:\\Program Files (x86)\\Git\\bin\\bash.exe'];
const BASH_FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin', '/opt/homebrew/bin', '/run/current-system/sw/bin'];

/** By absolute path: a `bash` in the workspace or found through PATH is not the system's (S12). */
export function findShell(): Program | undefined {
  const bash = process.platform === 'win32' ? WINDOWS_BASH : BASH_FOLDERS.map((folder) => join(folder, 'bash'));
  const path = bash.find(isExecutable);
  if (path !== undefined) return { name: 'bash', path };
  return isExecutable('/bin/sh') ? { name: 'sh', path: '/bin/sh' } : undefined;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
