// Ties every process and folder a host run makes to one id, so that nothing outlives the run, however the run ends.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DONE, removeFolder, sweep } from './sweep.mjs';

const GRACE_MS = 3_000;
const SIGNALS = /** @type {const} */ ({ SIGINT: 2, SIGTERM: 15, SIGHUP: 1 });

/**
 * @typedef {object} Lifetime
 * @property {string} id
 * @property {NodeJS.ProcessEnv} env this process's environment plus the run's mark; give it to everything that is started
 * @property {string} root temporary folder, removed at the end
 * @property {(name: string) => string} folder makes a folder below root
 * @property {(end: () => unknown) => void} onEnd the last registered runs first
 * @property {() => Promise<void>} end ends everything; safe to call twice
 */

/** @type {Set<Lifetime & { endNow: () => void }>} */
const open = new Set();

/**
 * Opens a run. Its processes carry LATHE_HOST_RUN (a list, so that a run inside a run belongs to both).
 * @returns {Lifetime}
 */
export function openLifetime() {
  const id = `lathe-host-${randomBytes(6).toString('hex')}`;
  const root = path.join(os.tmpdir(), id);
  fs.mkdirSync(root, { mode: 0o700 });
  const guard = startGuard(id, root);
  /** @type {(() => unknown)[]} */
  const ends = [];
  /** @type {Promise<void> | undefined} */
  let ending;
  const lifetime = {
    id,
    root,
    env: { ...process.env, LATHE_HOST_RUN: [process.env.LATHE_HOST_RUN, id].filter(Boolean).join(':') },
    /** @param {string} name */
    folder(name) {
      const folder = path.join(root, name);
      fs.mkdirSync(folder, { recursive: true });
      return folder;
    },
    /** @param {() => unknown} end */
    onEnd(end) {
      ends.unshift(end);
    },
    end() {
      ending ??= (async () => {
        for (const end of ends)
          await Promise.race([
            Promise.resolve()
              .then(end)
              .catch(() => {}),
            sleep(GRACE_MS),
          ]);
        lifetime.endNow();
      })();
      return ending;
    },
    endNow() {
      open.delete(lifetime);
      sweep(id, root);
      // A process that is just dying may still hold its folder: then the guard tries again.
      guard.stdin.end(removeFolder(root) ? DONE : '');
      guard.unref();
      listen();
    },
  };
  open.add(lifetime);
  listen();
  return lifetime;
}

/**
 * A detached process that does the sweep when this one is killed without a chance to: its input then closes.
 * @param {string} id @param {string} root
 */
function startGuard(id, root) {
  const file = fileURLToPath(new URL('./sweep.mjs', import.meta.url));
  const { LATHE_HOST_RUN: _outer, ...env } = process.env;
  const guard = spawn(process.execPath, [file, id, root], { detached: true, stdio: ['pipe', 'ignore', 'ignore'], env });
  guard.stdin.on('error', () => {});
  guard.unref();
  // @ts-expect-error a pipe to a child is a socket, and must not keep this process alive either
  guard.stdin.unref();
  return guard;
}

/** Listens for the process's end only while something is open, so that importing this file changes nothing. */
function listen() {
  const change = open.size > 0 ? 'on' : 'off';
  process.off('exit', endAllNow);
  process[change]('exit', endAllNow);
  for (const signal of Object.keys(SIGNALS)) {
    process.off(signal, endAllAndExit);
    process[change](signal, endAllAndExit);
  }
}

function endAllNow() {
  for (const lifetime of open) lifetime.endNow();
}

/** @param {keyof typeof SIGNALS} signal */
async function endAllAndExit(signal) {
  await Promise.all([...open].map((lifetime) => lifetime.end()));
  process.exit(128 + SIGNALS[signal]);
}
