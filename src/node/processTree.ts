// Ends everything a run has started: its process group, and on Linux also what has left the group.
import { spawn } from 'node:child_process';
import { RUN_MARKER } from './environment';
import { taskkill } from './powershell';
import { endAll, processIds, send, signalEach, standing, variableOf, type Standing } from './processTable';

export interface RunTree {
  /** Leader of the run's process group. */
  readonly pid: number;
  /** Value of the run's environment marker. */
  readonly runId: string;
}

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
    return endAll(
      () => this.members(),
      (pids, signal) => {
        send(-this.tree.pid, signal);
        signalEach(pids, signal);
      },
    );
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
}

/** Nothing tells there how many processes it were. */
async function endOnWindows(pid: number): Promise<number> {
  const { file, args } = taskkill(pid, process.env);
  const killer = spawn(file, args, { stdio: 'ignore', windowsHide: true });
  await new Promise((done) => killer.once('exit', done).once('error', done));
  return 0;
}

function nameOf({ pid, started }: Standing): string {
  return `${pid} ${started}`;
}

async function carries(pid: number, runId: string): Promise<boolean> {
  return (await variableOf(pid, RUN_MARKER)) === runId;
}
