// Starts the browser-served VS Code (code-server) on a free local port, without a browser.
import { execFile, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ensureHost } from './install.mjs';

/** @typedef {import('./install.mjs').ServedHost} ServedHost */
/** @typedef {import('./lifetime.mjs').Lifetime} Lifetime */

/**
 * @typedef {object} ServerOptions
 * @property {Lifetime} lifetime what ends the server
 * @property {string} [userDir] user data folder; a temporary one when left out
 * @property {string} [extensionsDir] installed extensions; a temporary, empty folder when left out
 * @property {Record<string, unknown>} [userSettings] added to QUIET_SETTINGS and to what userDir has already
 * @property {Record<string, string | undefined>} [env] added to the environment; it is the extension host's as well
 * @property {'disabled' | 'ask'} [trust] 'ask' starts the workspace untrusted; 'disabled' (the default) trusts everything
 * @property {(line: string) => void} [log] progress of an installation
 */

/**
 * @typedef {object} PageTarget
 * @property {string} [workspace] absolute folder or .code-workspace file; none opens an empty window
 * @property {string} [extensionDevelopmentPath] absolute folder of an extension to run from source
 * @property {string} [extensionTestsPath] absolute CommonJS module that exports `run()`
 */

/**
 * @typedef {object} Server
 * @property {string} origin http://127.0.0.1:PORT
 * @property {(target: PageTarget) => string} url the address to open
 * @property {() => string} output what the server has printed
 * @property {Promise<string>} exited resolves with the output when the server ends by itself
 */

const START_TIMEOUT_MS = 60_000;

/** Nothing opens by itself, so that a window shows what the test asked for; and files are saved as on the desktop. */
const QUIET_SETTINGS = {
  'chat.disableAIFeatures': true,
  'extensions.ignoreRecommendations': true,
  'files.autoSave': 'off',
  'git.openRepositoryInParentFolders': 'never',
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  // Its text is then part of the page, where a test can read it.
  'terminal.integrated.gpuAcceleration': 'off',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/**
 * @param {ServerOptions} options
 * @returns {Promise<Server>}
 */
export async function startServer({ lifetime, userDir, extensionsDir, userSettings, env, trust = 'disabled', log }) {
  const host = await servedHost(log);
  const user = userDir ?? lifetime.folder('user');
  writeSettings(user, userSettings);
  const args = [
    host.entry,
    ...['--auth', 'none', '--bind-addr', '127.0.0.1:0', '--config', writeConfig(lifetime)],
    ...['--user-data-dir', user, '--extensions-dir', extensionsDir ?? lifetime.folder('extensions')],
    ...['--session-socket', path.join(lifetime.root, 'session.sock')],
    ...['--disable-telemetry', '--disable-update-check', '--disable-getting-started-override'],
    // Lets a page name the extension and the tests to run.
    ...['--vscode-option', 'enable-smoke-test-driver'],
    ...(trust === 'disabled' ? ['--disable-workspace-trust'] : []),
  ];
  const child = spawn(host.node, args, {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: serverEnvironment({ ...lifetime.env, ...env }),
  });
  lifetime.onEnd(() => endGroup(child));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const exited = new Promise((resolve) => child.on('close', () => resolve(output)));
  const origin = await listening(child, exited, () => output);
  return { origin, url: (target) => pageUrl(origin, target), output: () => output, exited };
}

/**
 * Installs a packaged extension as a person would, into an extensions folder that a server is started with afterwards.
 * @param {{ vsix: string, extensionsDir: string, userDir: string, log?: (line: string) => void }} options
 */
export async function installVsix({ vsix, extensionsDir, userDir, log }) {
  const host = await servedHost(log);
  const args = [
    '--install-extension',
    path.resolve(vsix),
    '--extensions-dir',
    extensionsDir,
    '--user-data-dir',
    userDir,
  ];
  try {
    await promisify(execFile)(host.node, [host.entry, ...args], { env: serverEnvironment(process.env) });
  } catch (error) {
    const { stdout = '', stderr = '' } = /** @type {{ stdout?: string, stderr?: string }} */ (error);
    throw new Error(`${vsix} could not be installed:\n${stdout}${stderr}`, { cause: error });
  }
}

/** @param {((line: string) => void) | undefined} log */
async function servedHost(log) {
  const host = await ensureHost(log ? { log, prefer: 'served' } : { prefer: 'served' });
  if (host.kind === 'served') return host;
  throw new Error('Only a desktop VS Code can be had here, and this needs the browser-served one (Linux).');
}

/** @param {string} userDir @param {Record<string, unknown>} [settings] */
export function writeSettings(userDir, settings) {
  const file = path.join(userDir, 'User', 'settings.json');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const present = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  fs.writeFileSync(file, `${JSON.stringify({ ...QUIET_SETTINGS, ...present, ...settings }, null, 2)}\n`);
}

/** Without a file of its own the server would read (and write) the person's. @param {Lifetime} lifetime */
function writeConfig(lifetime) {
  const file = path.join(lifetime.root, 'config.yaml');
  fs.writeFileSync(file, '');
  return file;
}

/** Drops what would redirect the server or make it believe it is inside another VS Code. @param {NodeJS.ProcessEnv} env */
function serverEnvironment(env) {
  const dropped = /^(PORT|PASSWORD|HASHED_PASSWORD|NODE_OPTIONS|CODE_SERVER_.*|VSCODE_.*|ELECTRON_.*)$/;
  const kept = Object.entries(env).filter(([name]) => !dropped.test(name));
  // No marketplace: nothing asks the network for extensions while a test runs.
  return { ...Object.fromEntries(kept), EXTENSIONS_GALLERY: env.EXTENSIONS_GALLERY ?? '{}' };
}

/** @param {import('node:child_process').ChildProcess} child @param {Promise<string>} exited @param {() => string} output */
async function listening(child, exited, output) {
  let ended = false;
  void exited.then(() => (ended = true));
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadlineMs && !ended) {
    const origin = /HTTP server listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(output())?.[1];
    if (origin) return origin;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const reason = ended ? `ended with code ${child.exitCode}` : `was not listening after ${START_TIMEOUT_MS / 1000} s`;
  throw new Error(`The VS Code server ${reason}:\n${output()}`);
}

/** @param {string} origin @param {PageTarget} target */
function pageUrl(origin, { workspace, extensionDevelopmentPath, extensionTestsPath }) {
  const remote = (/** @type {string} */ file) => `vscode-remote://${new URL(origin).host}${path.resolve(file)}`;
  const payload = [['skipWelcome', 'true']];
  if (extensionDevelopmentPath) payload.push(['extensionDevelopmentPath', remote(extensionDevelopmentPath)]);
  if (extensionTestsPath) payload.push(['extensionTestsPath', remote(extensionTestsPath)]);
  const url = new URL(origin);
  if (!workspace) url.searchParams.set('ew', 'true');
  else url.searchParams.set(workspace.endsWith('.code-workspace') ? 'workspace' : 'folder', path.resolve(workspace));
  url.searchParams.set('payload', JSON.stringify(payload));
  return url.href;
}

/** @param {import('node:child_process').ChildProcess} child */
async function endGroup(child) {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once('close', resolve));
  try {
    process.kill(-child.pid, 'SIGTERM');
  } catch {
    return;
  }
  await closed;
}
