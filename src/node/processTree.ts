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
  const first = await survivors(tree);
  if (first.length === 0) return 0;
  signalAll(tree, first, 'SIGTERM');
  for (let waitedMs = 0; waitedMs < GRACE_MS; waitedMs += POLL_MS) {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    if (isGroupGone(tree.pid) && first.every(isGone)) break;
  }
  // Once more, since a process may have forked in between.
  for (let round = 0; round < 3; round++) {
    const left = await survivors(tree);
    if (left.length === 0) break;
    signalAll(tree, left, 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return first.length;
}

/** At least one where the group is alive but its members cannot be listed. */
async function survivors(tree: RunTree): Promise<readonly number[]> {
  const marked = process.platform === 'linux' ? await markedProcesses(tree.runId) : [];
  if (marked.length > 0 || isGroupGone(tree.pid)) return marked;
  return [tree.pid];
}

async function markedProcesses(runId: string): Promise<readonly number[]> {
  const marker = `${RUN_MARKER}=${runId}\0`;
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(pids.map(async (pid) => (await environmentOf(pid)).includes(marker)));
  return pids.filter((pid, at) => marked[at] && pid !== process.pid);
}

/** Empty for processes of others, for kernel threads, and for what has ended but not been waited for. */
async function environmentOf(pid: number): Promise<string> {
  return readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
}

function signalAll(tree: RunTree, pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
  send(-tree.pid, signal);
  for (const pid of pids) send(pid, signal);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}

function isGroupGone(pid: number): boolean {
  return !send(-pid, 0);
}

function isGone(pid: number): boolean {
  return !send(pid, 0);
}
