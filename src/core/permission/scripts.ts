// What a session's commands run of the workspace: an approval holds for the content that was there when it was given (S21, S14).
import type { Recipes } from '../command/scripts';
import { contains, foldPath, styleOf } from '../files/names';
import { absolutePath, locatePath } from '../files/paths';
import type { Host, Path } from '../host';
import type { Target } from './types';

/** One script as it was when a call was judged. */
export interface ScriptVersion {
  readonly path: Path;
  readonly shown: string;
  /** Undefined when it could not be read; of a file that is not there a word of its own. */
  readonly version: string | undefined;
}

type Reading = Pick<Host, 'files' | 'platform' | 'roots'>;

export async function readScripts(target: Target, host: Reading): Promise<readonly ScriptVersion[]> {
  if (target.op !== 'execute' || !target.line) return [];
  const paths = [
    ...target.line.scripts.map((script) => absolutePath(script, target.cwd, host.platform)),
    ...(target.line.recipes ?? []).flatMap((recipes) => lookedFor(recipes, target.cwd, host)),
  ];
  const readable = [...new Set(paths.filter((path) => typeof path === 'string'))];
  return Promise.all(
    readable.map(async (path) => {
      const { real, shown } = await locatePath(path, host);
      return { path: real, shown, version: await versionOf(real, host) };
    }),
  );
}

/** In the folder and in those above it: programs take the nearest, and some settings from all of them. Not beyond the workspace. */
function lookedFor({ folder, names }: Recipes, cwd: Path, { roots, platform }: Reading): readonly Path[] {
  const start = absolutePath(folder === '' ? '.' : folder, cwd, platform);
  if (typeof start !== 'string') return [];
  const style = styleOf(platform);
  const found: Path[] = [];
  for (let at = start; ; at = style.dirname(at)) {
    found.push(...names.map((name) => style.join(at, name)));
    const isLast = !roots().some(({ path }) => path !== at && contains(path, at, platform));
    if (isLast || at === style.dirname(at)) return found;
  }
}

/** Whether they are now what they were then. */
export async function areUnchanged(
  scripts: readonly ScriptVersion[],
  { files }: Pick<Reading, 'files'>,
): Promise<boolean> {
  const now = await Promise.all(scripts.map(async ({ path }) => versionOf(path, { files })));
  return scripts.every(({ version }, at) => now[at] === version);
}

/** No version of any file: what is not there may come to be there, and that is a change. */
const ABSENT = 'absent';

async function versionOf(path: Path, { files }: Pick<Reading, 'files'>): Promise<string | undefined> {
  const version = await files.version(path);
  if (typeof version === 'string') return version;
  return version.problem === 'missing' ? ABSENT : undefined;
}

/** Held state of one session: which content a person has allowed, and what is known to have changed. */
export class AllowedScripts {
  private readonly allowed = new Map<Path, string | undefined>();
  private readonly suspect = new Set<Path>();

  constructor(
    private readonly host: Reading,
    /** Whether a call of this session has changed the file. */
    private readonly changedHere: (path: Path) => boolean,
  ) {}

  /** A person has allowed a command that runs these. */
  allow(scripts: readonly ScriptVersion[]): void {
    for (const { path, version } of scripts) this.allowed.set(this.key(path), version);
  }

  /** They changed between the decision and the run. */
  distrust(scripts: readonly ScriptVersion[]): void {
    for (const { path } of scripts) this.suspect.add(this.key(path));
  }

  /** Those whose content nobody has allowed, as people know them. */
  changed(scripts: readonly ScriptVersion[]): readonly string[] {
    return scripts.filter((script) => this.isChanged(script)).map(({ shown }) => shown);
  }

  private isChanged({ path, version }: ScriptVersion): boolean {
    const key = this.key(path);
    if (this.allowed.has(key)) return version === undefined || this.allowed.get(key) !== version;
    return this.suspect.has(key) || this.changedHere(path);
  }

  private key(path: Path): Path {
    return foldPath(path, this.host.platform);
  }
}
