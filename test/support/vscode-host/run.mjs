// Runs a mocha suite inside a real VS Code, desktop or browser-served alike, and reports what came of it.
//   node test/support/vscode-host/run.mjs --suite out/test/host/index.cjs [--workspace DIR [--in-place]] [--extension DIR]
//        [--timeout SECONDS] [--grep TITLE] [--screenshot FILE.png] [--json]
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { ensureBrowser } from './browser.mjs';
import { ensureHost } from './install.mjs';
import { openLifetime } from './lifetime.mjs';
import { readResults } from './results.mjs';
import { writeSettings } from './server.mjs';

/**
 * @typedef {object} SuiteOptions
 * @property {string} suite CommonJS bundle that exports `run()`
 * @property {string} [workspace] folder to open; an empty one when left out
 * @property {boolean} [inPlace] open the workspace itself; otherwise the suite gets a copy
 * @property {string} [extension] folder of the extension; the checkout when left out
 * @property {Record<string, unknown>} [userSettings]
 * @property {string[]} [launchArgs] more arguments for VS Code
 * @property {Record<string, string | undefined>} [env] the extension host's environment, besides this process's
 * @property {number} [timeoutMs] for the whole suite, installation not counted
 * @property {string} [screenshot] PNG of the workbench at the end (browser-served only)
 * @property {(line: string) => void} [log] progress of an installation
 */
/** @typedef {import('./results.mjs').SuiteResults} SuiteResults */

const SHIM = fileURLToPath(new URL('./shim.mjs', import.meta.url));
const CHECKOUT = fileURLToPath(new URL('../../../', import.meta.url));
const DEFAULT_TIMEOUT_MS = 10 * 60_000;
/** VS Code's own start and end. The shim keeps the limit itself and takes its screenshot; a desktop VS Code has to be ended. */
const LIMIT_GRACE_MS = 120_000;

/**
 * Never rejects for what the suite does: failing, hanging and crashing are all in the results.
 * Rejects when no VS Code can be had.
 * @param {SuiteOptions} options
 * @returns {Promise<{ code: 0 | 1, results: SuiteResults }>}
 */
export async function runSuite({
  suite,
  workspace,
  inPlace = false,
  extension = CHECKOUT,
  userSettings,
  launchArgs = [],
  env = {},
  timeoutMs = DEFAULT_TIMEOUT_MS,
  screenshot,
  log = console.error,
}) {
  if (!fs.existsSync(suite)) throw new Error(`There is no suite ${suite}: build it first (node esbuild.mjs --tests).`);
  const host = await ensureHost({ log });
  // Fetched here, so that the time it may take is not the suite's.
  if (host.kind === 'served') await ensureBrowser({ log });
  const lifetime = openLifetime();
  try {
    const userDir = lifetime.folder('user');
    writeSettings(userDir, userSettings);
    const resultsFile = path.join(lifetime.root, 'results.json');
    const running = runTests({
      vscodeExecutablePath: host.kind === 'desktop' ? host.executablePath : executableShim(),
      extensionDevelopmentPath: path.resolve(extension),
      extensionTestsPath: path.resolve(suite),
      launchArgs: [
        workspace && inPlace ? path.resolve(workspace) : copyWorkspace(workspace, lifetime.folder('workspace')),
        `--user-data-dir=${userDir}`,
        `--extensions-dir=${lifetime.folder('extensions')}`,
        ...launchArgs,
      ],
      extensionTestsEnv: {
        ...lifetime.env,
        ...env,
        LATHE_RESULTS: resultsFile,
        LATHE_TIMEOUT_MS: String(timeoutMs),
        LATHE_SCREENSHOT: screenshot && path.resolve(screenshot),
      },
    });
    const startedMs = Date.now();
    const outcome = await Promise.race([running.then(() => 'exit code 0', String), limit(timeoutMs + LIMIT_GRACE_MS)]);
    const tooLong = Date.now() - startedMs >= timeoutMs;
    const howItEnded = tooLong
      ? `did not finish within ${timeoutMs / 1000} s`
      : `never finished: its extension host ended first (${outcome})`;
    const results = readResults(resultsFile, howItEnded);
    if (!results.finished)
      console.error(`\nThe suite ${howItEnded}; it was in: ${results.running ?? 'its start, before any test'}`);
    if (screenshot && host.kind === 'desktop') log('No screenshot: only the browser-served VS Code can give one.');
    return { code: results.finished && results.failed === 0 && outcome === 'exit code 0' ? 0 : 1, results };
  } finally {
    await lifetime.end();
  }
}

/** @param {number} timeoutMs @returns {Promise<string>} */
function limit(timeoutMs) {
  return new Promise((resolve) => setTimeout(resolve, timeoutMs, 'ended for taking too long').unref());
}

/** Archives and some checkouts lose the executable bit. */
function executableShim() {
  fs.chmodSync(SHIM, 0o755);
  return SHIM;
}

/** @param {string | undefined} fixture @param {string} copy */
function copyWorkspace(fixture, copy) {
  if (fixture) fs.cpSync(path.resolve(fixture), copy, { recursive: true });
  return copy;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();

async function main() {
  try {
    const { values } = parseArgs({
      options: {
        suite: { type: 'string' },
        workspace: { type: 'string' },
        'in-place': { type: 'boolean' },
        extension: { type: 'string' },
        timeout: { type: 'string' },
        grep: { type: 'string' },
        screenshot: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    const { suite, timeout, grep, json, 'in-place': inPlace = false, ...rest } = values;
    if (!suite) throw new Error('Which suite? Give --suite FILE.cjs (a CommonJS bundle that exports run()).');
    const timeoutMs = timeout === undefined ? DEFAULT_TIMEOUT_MS : Number(timeout) * 1000;
    if (!(timeoutMs > 0)) throw new Error(`--timeout is "${timeout}"; give seconds, for example --timeout 300.`);
    const { code, results } = await runSuite({ ...rest, suite, inPlace, timeoutMs, env: { LATHE_GREP: grep } });
    if (json) console.log(JSON.stringify(results, null, 2));
    else console.log(`${results.passed} passed, ${results.failed} failed`);
    process.exitCode = code;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
