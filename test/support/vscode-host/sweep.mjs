// Ends every process that carries a run's id. Run as a program it is the guard: it waits for its input to close, then sweeps.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { pathToFileURL } from 'node:url';

/** What the guard is told when there is nothing left for it to do. */
export const DONE = 'done';

const MAX_ROUNDS = 20;
const PAUSE_MS = 25;

/**
 * Kills until none is found: the extension host and terminals detach children, and a dying process may still start one.
 * On Linux a process belongs to the run by its environment, on macOS by a command line that names the run's folder.
 * On Windows nothing is swept: what the run started is ended through its own handles only.
 * @param {string} id @param {string} root
 */
export function sweep(id, root) {
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const pids = membersOf(id, root);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** @param {string} id @param {string} root */
function membersOf(id, root) {
  if (process.platform === 'linux') return byEnvironment(id);
  if (process.platform === 'darwin') return byCommandLine(root);
  return [];
}

/** @param {string} root @returns {boolean} whether it is gone */
export function removeFolder(root) {
  try {
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    return true;
  } catch {
    return false;
  }
}

/** @param {string} id @returns {number[]} */
function byEnvironment(id) {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const mark = fs
        .readFileSync(`/proc/${name}/environ`, 'utf8')
        .split('\0')
        .find((entry) => entry.startsWith('LATHE_HOST_RUN='));
      return mark?.includes(id) ? [Number(name)] : [];
    } catch {
      return []; // gone, or another user's
    }
  });
}

/** @param {string} root @returns {number[]} */
function byCommandLine(root) {
  const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,command='], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => {
    const pid = Number.parseInt(line, 10);
    return line.includes(root) && pid !== process.pid && !line.includes('sweep.mjs') ? [pid] : [];
  });
}

/** @param {number} pid */
function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already
  }
}

const [, program, id, root] = process.argv;
if (program && id && root && import.meta.url === pathToFileURL(fs.realpathSync(program)).href) {
  let said = '';
  process.stdin.setEncoding('utf8').on('data', (chunk) => (said += chunk));
  process.stdin.on('close', () => {
    if (said === DONE) return;
    sweep(id, root);
    removeFolder(root);
  });
  // Ctrl-C reaches the whole terminal; the guard ends with its parent only.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
}
