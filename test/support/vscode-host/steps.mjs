// The long steps of an installation: commands with progress and a useful error, the cache folder, and quick reachability checks.
import { spawn } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import os from 'node:os';
import path from 'node:path';

const HEARTBEAT_MS = 15_000;
const LOOKUP_TIMEOUT_MS = 5_000;
const KEPT_OUTPUT_CHARS = 4_000;

/** @typedef {(line: string) => void} Log */

/** Where everything that is fetched for tests and demos is kept: never inside the checkout. */
export function cacheFolder() {
  if (process.env.LATHE_CACHE) return path.resolve(process.env.LATHE_CACHE);
  return path.join(process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'lathe');
}

/**
 * Runs a command, saying every 15 s that it is still at it. Rejects with the end of its output.
 * @param {{ title: string, command: string, args: string[], cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs: number, log: Log }} step
 * @returns {Promise<string>} everything the command printed
 */
export function runStep({ title, command, args, cwd, env = process.env, timeoutMs, log }) {
  log(title);
  const startedMs = Date.now();
  // On Windows npm is a .cmd file, which only a shell can start.
  const child = spawn(command, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    // eslint-disable-next-line no-restricted-syntax -- the arguments are this file's callers' own
    shell: process.platform === 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const heartbeat = setInterval(
    () => log(`  … still working (${Math.round((Date.now() - startedMs) / 1000)} s)`),
    HEARTBEAT_MS,
  );
  return new Promise((resolve, reject) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    const stop = () => {
      clearInterval(heartbeat);
      clearTimeout(timer);
    };
    child.on('error', (error) => {
      stop();
      reject(new Error(`${title} failed: cannot start ${command}: ${error.message}`));
    });
    child.on('close', (code) => {
      stop();
      if (code === 0) return resolve(output);
      const reason = timedOut ? `took longer than ${timeoutMs / 1000} s` : `ended with code ${code}`;
      reject(new Error(`${title} failed: ${command} ${reason}\n${output.slice(-KEPT_OUTPUT_CHARS).trim()}`));
    });
  });
}

/**
 * Whether a download host can be looked up at all. Behind a proxy names need not resolve here, so then the answer is yes
 * and the download itself decides.
 * @param {string} hostname
 */
export async function canLookUp(hostname) {
  if (process.env.HTTPS_PROXY || process.env.https_proxy || process.env.ALL_PROXY || process.env.all_proxy) return true;
  let timer;
  const timeout = new Promise((resolve) => (timer = setTimeout(resolve, LOOKUP_TIMEOUT_MS, false)));
  const found = lookup(hostname).then(
    () => true,
    () => false,
  );
  const answer = await Promise.race([found, timeout]);
  clearTimeout(timer);
  return answer;
}
