// Ends everything a run has started: its process group, and on Linux also what has left the group, found by the run's marker.
import { readdir, readFile } from 'node:fs/promises';
import { RUN_MARKER } from './environment';

export interface RunTree {
  /** Leader of the run's process group. */
  readonly pid: number;
  /** Value of the run's environment marker. */
  readonly runId: string;
}

/** Between asking politely and killing. Source: [R41]. */
const GRACE_MS = 2_000;
const POLL_MS = 50;

/** Resolves when nothing of the run is left; tells how many processes had to be ended. Never rejects. */
export async function endTree(tree: RunTree): Promise<number> {
  const first = await membersOf(tree);
  if (first.length === 0) return 0;
  let left = first;
  signalAll(tree, left, 'SIGTERM');
  const killAtMs = performance.now() + GRACE_MS;
  while (left.length > 0 && performance.now() < killAtMs) {
    await pause();
    left = await membersOf(tree);
  }
  // More than once, since a process may fork while it is being looked at.
  for (let round = 0; left.length > 0 && round < KILL_ROUNDS; round++) {
    signalAll(tree, left, 'SIGKILL');
    await pause();
    left = await membersOf(tree);
  }
  return first.length;
}

const KILL_ROUNDS = 5;

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** The living processes of the run. Where they cannot be listed, the leader stands for its whole group. */
async function membersOf(tree: RunTree): Promise<readonly number[]> {
  if (process.platform !== 'linux') return send(-tree.pid, 0) ? [tree.pid] : [];
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const isMember = await Promise.all(pids.map((pid) => belongsTo(pid, tree)));
  return pids.filter((pid, at) => isMember[at] && pid !== process.pid);
}

async function belongsTo(pid: number, { pid: group, runId }: RunTree): Promise<boolean> {
  // `pid (name) state parent group …`; the name may hold anything, blanks and parentheses included.
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const [state, , groupOfPid] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has ended; only its parent can make it vanish.
  if (state === undefined || state === '' || state === 'Z') return false;
  if (Number(groupOfPid) === group) return true;
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return `\0${environment}`.includes(`\0${RUN_MARKER}=${runId}\0`);
}

function signalAll(tree: RunTree, pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  send(-tree.pid, signal);
  for (const pid of pids) send(pid, signal);
}

/** False when there is no such process or group (any more). */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
