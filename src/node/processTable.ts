// The processes there are on Linux, as /proc shows them, and how several are ended at once.
import { readdir, readFile } from 'node:fs/promises';
import { fieldsOf, STARTED } from './hostMark';

/** Between asking politely and killing. Source: [R41]. */
const GRACE_MS = 2_000;
const POLL_MS = 50;
const KILL_ROUNDS = 5;

export interface Standing {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** In clock ticks since the system started: with the id it names one process, though ids are used again. */
  readonly started: string;
  /** Only its parent can make it vanish. */
  readonly hasEnded: boolean;
}

export async function processIds(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

export async function standing(pid: number): Promise<Standing | undefined> {
  const fields = fieldsOf(await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => ''));
  const [state, parent, group, session] = fields;
  if (state === undefined || state === '') return undefined;
  const [parentId, groupId, sessionId] = [Number(parent), Number(group), Number(session)];
  const hasEnded = state === 'Z' || state === 'X';
  return { pid, parent: parentId, group: groupId, session: sessionId, started: fields[STARTED] ?? '', hasEnded };
}

/** One variable of the environment that the process was started with; nothing where that cannot be read. */
export async function variableOf(pid: number, name: string): Promise<string | undefined> {
  const environment = `\0${await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')}`;
  const start = environment.indexOf(`\0${name}=`);
  return start === -1 ? undefined : environment.slice(start + name.length + 2).split('\0', 1)[0];
}

/** Asks them, and kills what is left after the grace. Resolves when nothing is left; tells how many there were. */
export async function endAll(
  members: () => Promise<readonly number[]>,
  signalAll: (pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL') => void = signalEach,
): Promise<number> {
  const first = await members();
  if (first.length === 0) return 0;
  let left = first;
  signalAll(left, 'SIGTERM');
  const killAtMs = performance.now() + GRACE_MS;
  while (left.length > 0 && performance.now() < killAtMs) {
    await pause();
    left = await members();
  }
  // More than once, since a process may fork while it is being looked at.
  for (let round = 0; left.length > 0 && round < KILL_ROUNDS; round++) {
    signalAll(left, 'SIGKILL');
    await pause();
    left = await members();
  }
  return first.length;
}

export function signalEach(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) send(pid, signal);
}

/** False when there is no such process or group (any more). */
export function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}
