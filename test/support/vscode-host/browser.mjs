// Finds a Chromium for the browser-served VS Code, or fetches one.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { canLookUp, runStep } from './steps.mjs';

/** @typedef {import('./steps.mjs').Log} Log */
/** @typedef {{ executablePath: string, args: string[] }} Browser */

const run = promisify(execFile);

/** --no-sandbox: containers and root cannot have Chromium's sandbox; it only ever opens our own local server. */
const LAUNCH_ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const DOWNLOAD_HOST = 'cdn.playwright.dev';
const DOWNLOAD_TIMEOUT_MS = 5 * 60_000;
const PACKAGES_TIMEOUT_MS = 10 * 60_000;
const PROBE_TIMEOUT_MS = 15_000;

const KNOWN_PATHS = /** @type {Partial<Record<NodeJS.Platform, string[]>>} */ ({
  linux: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'].map(
    (name) => `/usr/bin/${name}`,
  ),
  darwin: ['Google Chrome', 'Chromium', 'Microsoft Edge'].map(
    (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
  ),
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA].flatMap((base) =>
    base
      ? [`${base}\\Google\\Chrome\\Application\\chrome.exe`, `${base}\\Microsoft\\Edge\\Application\\msedge.exe`]
      : [],
  ),
});

/** How each system's packages install Chromium, by the program that does it. */
const PACKAGE_COMMANDS = [
  { program: 'apt-get', steps: [['update'], ['install', '-y', '--no-install-recommends', 'chromium']] },
  { program: 'dnf', steps: [['install', '-y', 'chromium']] },
  { program: 'apk', steps: [['add', '--no-cache', 'chromium', 'font-dejavu']] },
];

/**
 * A Chromium that starts here: $CHROME, an installed one, Playwright's, else the system's package when root.
 * @param {{ log?: Log }} [options]
 * @returns {Promise<Browser>}
 */
export async function ensureBrowser({ log = console.error } = {}) {
  const named = process.env.CHROME;
  if (named) {
    if (await starts(named)) return { executablePath: named, args: LAUNCH_ARGS };
    throw new Error(
      `CHROME is "${named}", which does not start (\`"${named}" --version\` fails). Correct it or unset it.`,
    );
  }
  const found = (await firstThatStarts(knownPaths())) ?? (await fromPlaywright(log)) ?? (await fromPackages(log));
  if (found) return { executablePath: found, args: LAUNCH_ARGS };
  throw new Error(
    'No Chrome or Chromium was found and none could be fetched. Install one (Debian: `sudo apt-get install chromium`; ' +
      'anywhere: `npx playwright-core install --with-deps chromium`), or set CHROME to the path of its executable.',
  );
}

const knownPaths = () => KNOWN_PATHS[process.platform] ?? [];

/** @param {string[]} candidates */
async function firstThatStarts(candidates) {
  for (const candidate of candidates) if (await starts(candidate)) return candidate;
  return undefined;
}

/** @param {string} executable */
async function starts(executable) {
  if (!fs.existsSync(executable)) return false;
  // Chrome for Windows opens a window instead of printing its version.
  if (process.platform === 'win32') return true;
  try {
    const { stdout } = await run(executable, ['--version'], { timeout: PROBE_TIMEOUT_MS });
    // A snap cannot read the temporary folder that its profile is in.
    return !/\bsnap\b/.test(stdout);
  } catch {
    return false;
  }
}

/** @param {Log} log */
async function fromPlaywright(log) {
  const { chromium } = await import('playwright-core');
  const executable = chromium.executablePath();
  if (await starts(executable)) return executable;
  if (!process.env.PLAYWRIGHT_DOWNLOAD_HOST && !(await canLookUp(DOWNLOAD_HOST))) return undefined;
  const cli = path.join(path.dirname(createRequire(import.meta.url).resolve('playwright-core/package.json')), 'cli.js');
  try {
    await runStep({
      title: 'Downloading Chromium with Playwright (about 170 MB)',
      command: process.execPath,
      args: [cli, 'install', '--no-shell', 'chromium'],
      timeoutMs: DOWNLOAD_TIMEOUT_MS,
      log,
    });
  } catch (error) {
    log(/** @type {Error} */ (error).message);
    return undefined;
  }
  if (await starts(executable)) return executable;
  log("Playwright's Chromium does not start here: system libraries are missing.");
  return undefined;
}

/** @param {Log} log */
async function fromPackages(log) {
  const known = PACKAGE_COMMANDS.find(({ program }) => isOnPath(program));
  if (!known || process.getuid?.() !== 0) return undefined;
  for (const args of known.steps) {
    await runStep({
      title: `Installing Chromium: ${known.program} ${args.join(' ')}`,
      command: known.program,
      args,
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      timeoutMs: PACKAGES_TIMEOUT_MS,
      log,
    });
  }
  return firstThatStarts(knownPaths());
}

/** @param {string} program */
function isOnPath(program) {
  return (process.env.PATH ?? '').split(path.delimiter).some((folder) => fs.existsSync(path.join(folder, program)));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await ensureBrowser().then(
    (browser) => console.log(JSON.stringify(browser, null, 2)),
    (error) => {
      console.error(error.message);
      process.exitCode = 1;
    },
  );
}
