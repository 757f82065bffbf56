// Ends what a host that is gone has left running: a crash of the whole editor takes the guard with it (R45).
import { execFile } from 'node:child_process';
import { RUN_MARKER } from './environment';
import { HOST_MARKER, ownMark, parseMark, type HostMark } from './hostMark';
import { endAll, processIds, standing, variableOf } from './processTable';

/** A process that may be a host’s. */
export interface Listed {
  readonly pid: number;
  /** Epoch seconds. */
  readonly started: number;
  /** Arguments, and after them the environment as far as the system shows it. */
  readonly text: string;
}

const PS_MAX_BYTES = 64 * 1024 * 1024;
/** `ps` and the process itself read the clock at different moments. */
const START_SLACK_SECONDS = 10;

/**
 * Only what is proven to be ours is ended: it carries the mark of a host of this namespace, and that host is gone. Tells how
 * many processes it were. Never rejects. Nothing on Windows, where the environment of a process cannot be read.
 */
export async function sweepOrphans(): Promise<number> {
  const own = parseMark(ownMark() ?? '');
  if (!own) return 0;
  return endAll(() => (process.platform === 'linux' ? orphansOnLinux(own) : orphansByPs()));
}

async function orphansOnLinux({ namespace }: HostMark): Promise<readonly number[]> {
  const untouched = await ownLine();
  const pids = (await processIds()).filter((pid) => !untouched.has(pid));
  const isOrphan = await Promise.all(
    pids.map(async (pid) => {
      const host = parseMark((await variableOf(pid, HOST_MARKER)) ?? '');
      if (host?.namespace !== namespace) return false;
      const [member, found] = await Promise.all([standing(pid), standing(host.pid)]);
      if (!member || member.hasEnded) return false;
      return !found || found.hasEnded || Number(found.started) !== host.started;
    }),
  );
  return pids.filter((_, at) => isOrphan[at]);
}

/** This process and those it comes from: an editor that was itself started by a command does not end itself. */
async function ownLine(): Promise<ReadonlySet<number>> {
  const line = new Set<number>();
  for (let pid: number | undefined = process.pid; pid !== undefined && pid > 0 && !line.has(pid);) {
    line.add(pid);
    pid = (await standing(pid))?.parent;
  }
  return line;
}

async function orphansByPs(): Promise<readonly number[]> {
  const written = await new Promise<string>((resolve) => {
    const options = { env: { PATH: process.env['PATH'], LC_ALL: 'C' }, maxBuffer: PS_MAX_BYTES };
    execFile('ps', ['-axwwE', '-o', 'pid=,lstart=,command='], options, (_error, stdout) => resolve(stdout));
  });
  return orphansAmong(listedByPs(written)).filter((pid) => pid !== process.pid && pid !== process.ppid);
}

/** Lines of `ps -o pid=,lstart=,command=` in the locale C; what is no such line is left out. */
export function listedByPs(written: string): readonly Listed[] {
  return written.split('\n').flatMap((line): Listed[] => {
    const [, pid, date, text] = /^ *(\d+) +(\w{3} +\w{3} +\d+ [\d:]{8} \d{4}) +(.*)$/.exec(line) ?? [];
    const startedMs = Date.parse(date ?? '');
    if (text === undefined || Number.isNaN(startedMs)) return [];
    return [{ pid: Number(pid), started: startedMs / 1000, text }];
  });
}

/** A host is gone when nothing has its id, or what has it began later. */
export function orphansAmong(all: readonly Listed[]): readonly number[] {
  const byPid = new Map(all.map((one) => [one.pid, one]));
  return all.flatMap(({ pid, text }) => {
    const host = parseMark(shownIn(text, HOST_MARKER));
    if (host?.namespace !== 0 || shownIn(text, RUN_MARKER) === '') return [];
    const found = byPid.get(host.pid);
    return !found || found.started > host.started + START_SLACK_SECONDS ? [pid] : [];
  });
}

/** The environment comes last: what arguments say is overridden by it. */
function shownIn(text: string, name: string): string {
  return [...text.matchAll(new RegExp(` ${name}=(\\S+)`, 'g'))].at(-1)?.[1] ?? '';
}
