// What a call will touch, found on disk before it is judged: where links lead, and which scripts a command runs.
import { locatePath } from '../files/paths';
import type { Host } from '../host';
import type { LocatedTarget } from './rules';
import { readScripts, type ScriptVersion } from './scripts';
import type { Target } from './types';

/** A call as it is judged. */
export interface Located {
  readonly targets: readonly LocatedTarget[];
  /** What its commands run of the workspace, as it is now. */
  readonly scripts: readonly ScriptVersion[];
}

export async function locateAll(targets: readonly Target[], host: Host): Promise<Located> {
  const [located, scripts] = await Promise.all([
    Promise.all(targets.map(async (target) => locate(target, host))),
    Promise.all(targets.map(async (target) => readScripts(target, host))),
  ]);
  return { targets: located, scripts: scripts.flat() };
}

async function locate(target: Target, host: Host): Promise<LocatedTarget> {
  if ('path' in target) {
    const [located, stat] = await Promise.all([
      locatePath(target.path, host),
      target.op === 'write' ? host.files.stat(target.path) : undefined,
    ]);
    return { ...target, located, ...(stat?.isShared && { isShared: true }) };
  }
  if ('cwd' in target) return { ...target, located: await locatePath(target.cwd, host) };
  return target;
}
