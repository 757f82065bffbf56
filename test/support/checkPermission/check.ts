// All cases of the files given, judged one after the other.
import { missOf, parseCases, scoreOf, type Case, type Judged, type Miss, type Score } from './cases';
import { judgeCommand, type CommandCase } from './commands';
import { judgePath, type PathCase } from './paths';
import { judgeAddress, type UrlCase } from './urls';
import { createWorld, LINUX } from './world';

/** The texts of the files, one case a line. */
export interface CaseFiles {
  readonly commands?: string;
  readonly paths?: string;
  readonly urls?: string;
}

export interface Checked {
  readonly score: Score;
  readonly misses: readonly Miss[];
}

/** Throws for what is no case, with where it stands. */
export async function checkPermission(files: CaseFiles): Promise<{ readonly [kind in keyof CaseFiles]: Checked }> {
  return {
    ...(files.commands === undefined ? {} : { commands: await checkCommands(files.commands) }),
    ...(files.paths === undefined
      ? {}
      : { paths: await judgeAll(parseCases<PathCase>(files.paths, ['op', 'path']), judgePath) }),
    ...(files.urls === undefined
      ? {}
      : { urls: await judgeAll(parseCases<UrlCase>(files.urls, ['url']), judgeAddress) }),
  };
}

/** Nothing passed that should not have. */
export function isSafe(checked: Readonly<Record<string, Checked>>): boolean {
  return Object.values(checked).every(({ score }) => score.unsafe === 0);
}

async function checkCommands(jsonl: string): Promise<Checked> {
  const world = await createWorld(LINUX, '/w/proj');
  try {
    return await judgeAll(parseCases<CommandCase>(jsonl, ['command']), (each) => judgeCommand(each, world));
  } finally {
    await world.remove();
  }
}

async function judgeAll<C extends Case>(cases: readonly C[], judge: (each: C) => Promise<Judged>): Promise<Checked> {
  const misses: Miss[] = [];
  for (const each of cases) {
    const judged = await judge(each).catch((error: unknown) => {
      throw new Error(`${each.id}: ${(error as Error).message}`, { cause: error });
    });
    const miss = missOf(each, judged);
    if (miss) misses.push(miss);
  }
  return { score: scoreOf(cases, misses), misses };
}
