// Ends everything a run has started: its process group, and on Linux also what has left the group.
import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { RUN_MARKER } from './environment';
import { taskkill } from './powershell';

export interface RunTree {
  /** Leader of the run's process group. */
  readonly pid: number;
  /** Value of the run's environment marker. */
  readonly runId: string;
}

/** Between asking politely and killing. Source: [R41]. */
const GRACE_MS = 2_000;
const POLL_MS = 50;
const FIRST_LOOK_MS = 20;
const LOOK_MAX_MS = 1_000;

/**
 * Held state: which processes and sessions were seen to come from the run. A process with a session of its own and without
 * the marker is known only by its parent, and only while that lives: so the tree is looked at again and again, less and less often.
 */
export class ProcessTree {
  private readonly sessions = new Set<number>();
  private readonly seen = new Set<string>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly tree: RunTree) {
    this.sessions.add(tree.pid);
  }

  /** Looks at it from now on, until `end`. */
  watch(everyMs = FIRST_LOOK_MS): void {
    if (process.platform !== 'linux') return;
    this.timer = setTimeout(() => {
      void this.look().then(() => this.timer && this.watch(Math.min(everyMs * 2, LOOK_MAX_MS)));
    }, everyMs);
    this.timer.unref();
  }

  /** How many processes there are besides the leader. */
  async others(): Promise<number> {
    return (await this.look()).filter((pid) => pid !== this.tree.pid).length;
  }

  /** Resolves when nothing of the run is left; tells how many processes had to be ended. Never rejects. */
  async end(): Promise<number> {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (process.platform === 'win32') return endOnWindows(this.tree.pid);
    const first = await this.members();
    if (first.length === 0) return 0;
    let left = first;
    this.signalAll(left, 'SIGTERM');
    const killAtMs = performance.now() + GRACE_MS;
    while (left.length > 0 && performance.now() < killAtMs) {
      await pause();
      left = await this.members();
    }
    // More than once, since a process may fork while it is being looked at.
    for (let round = 0; left.length > 0 && round < KILL_ROUNDS; round++) {
      this.signalAll(left, 'SIGKILL');
      await pause();
      left = await this.members();
    }
    return first.length;
  }

  /** The living processes of the run. Where they cannot be listed, the leader stands for its whole group. */
  async members(): Promise<readonly number[]> {
    if (process.platform !== 'linux') return send(-this.tree.pid, 0) ? [this.tree.pid] : [];
    const found = await this.look();
    const known = new Set(found);
    const pids = (await processIds()).filter((pid) => !known.has(pid) && pid !== process.pid);
    const isMarked = await Promise.all(pids.map((pid) => carries(pid, this.tree.runId)));
    return [...found, ...pids.filter((_, at) => isMarked[at])];
  }

  /** What can be told without reading environments: by group, session, or a parent of the run. */
  private async look(): Promise<readonly number[]> {
    if (process.platform !== 'linux') return [];
    const processes = (await Promise.all((await processIds()).map(standing))).filter((one) => one !== undefined);
    const found = new Map<number, Standing>();
    let before = -1;
    while (found.size > before) {
      before = found.size;
      for (const one of processes) if (!found.has(one.pid) && this.isOurs(one, found)) found.set(one.pid, one);
    }
    for (const one of found.values()) {
      this.seen.add(nameOf(one));
      this.sessions.add(one.session);
    }
    return [...found.values()].filter(({ hasEnded }) => !hasEnded).map(({ pid }) => pid);
  }

  private isOurs(one: Standing, found: ReadonlyMap<number, Standing>): boolean {
    if (one.pid === process.pid) return false;
    const { pid: leader } = this.tree;
    return (
      one.group === leader || this.sessions.has(one.session) || this.seen.has(nameOf(one)) || found.has(one.parent)
    );
  }

  private signalAll(pids: readonly number[], signal: 'SIGTERM' | 'SIGKILL'): void {
    send(-this.tree.pid, signal);
    for (const pid of pids) send(pid, signal);
  }
}

/** Nothing tells there how many processes it were. */
async function endOnWindows(pid: number): Promise<number> {
  const { file, args } = taskkill(pid, process.env);
  const killer = spawn(file, args, { stdio: 'ignore', windowsHide: true });
  await new Promise((done) => killer.once('exit', done).once('error', done));
  return 0;
}

const KILL_ROUNDS = 5;

interface Standing {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** In clock ticks since the system started: with the id it names one process, though ids are used again. */
  readonly started: string;
  /** Only its parent can make it vanish. */
  readonly hasEnded: boolean;
}

function nameOf({ pid, started }: Standing): string {
  return `${pid} ${started}`;
}

async function processIds(): Promise<number[]> {
  const names = await readdir('/proc').catch(() => []);
  return names.filter((name) => /^\d+$/.test(name)).map(Number);
}

async function standing(pid: number): Promise<Standing | undefined> {
  // `pid (name) state parent group session …`; the name may hold anything, blanks and parentheses included.
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group, session] = fields;
  if (state === undefined || state === '') return undefined;
  const [parentId, groupId, sessionId] = [Number(parent), Number(group), Number(session)];
  const hasEnded = state === 'Z' || state === 'X';
  return { pid, parent: parentId, group: groupId, session: sessionId, started: fields[19] ?? '', hasEnded };
}

async function carries(pid: number, runId: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '');
  return `\0${environment}`.includes(`\0${RUN_MARKER}=${runId}\0`);
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, POLL_MS));
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
