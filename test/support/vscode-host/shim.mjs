#!/usr/bin/env node
// Stands in for the `code` executable: takes what @vscode/test-electron's runTests passes to a desktop VS Code, runs the
// suite in the browser-served one, and exits with the suite's code.
import fs from 'node:fs';
import { startServed } from './served.mjs';

/** Grace for the screenshot, so that this ends before the process that set the limit loses patience. */
const SCREENSHOT_TIMEOUT_MS = 5_000;

const options = parseArguments(process.argv.slice(2));
if (!options.extensionTestsPath) {
  console.error(
    'shim.mjs runs test suites only: --extensionTestsPath is missing. Use session.mjs to open a workbench.',
  );
  process.exit(1);
}

/** The workbench's log arrives through the same door as the suite's console; these lines of it come in every run. */
const WORKBENCH_LOG =
  /^(Ignoring fetching additional|Updating additional builtin|Creation of workbench contribution|Creating a socket|\[(AccountPolicyGate|AgentHost:remote|remote-connection|reconnection-grace-time|Service Worker)\])|\/workbench\/workbench\.js:/;

const results = process.env.LATHE_RESULTS;
/** What the workbench logged while it started: of interest only when the suite never does. @type {string[] | undefined} */
let startLog = [];

let served;
try {
  served = await startServed({ ...options, onLog: report });
  const code = await Promise.race([served.exit, limit(Number(process.env.LATHE_TIMEOUT_MS))]);
  await takeScreenshot(served, process.env.LATHE_SCREENSHOT);
  for (const line of startLog ?? []) console.error(line);
  process.exitCode = code;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await served?.close();
  process.exit();
}

/** Prints what the suite says, and of the workbench's log what is new. @param {string} level @param {string} text */
function report(level, text) {
  if (startLog && results && !fs.existsSync(results)) return void startLog.push(text);
  startLog = undefined;
  if (results && WORKBENCH_LOG.test(text)) return;
  (level === 'error' ? console.error : console.log)(text);
}

/** @param {string[]} args */
function parseArguments(args) {
  const flag = (/** @type {string} */ name) => args.find((arg) => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  const given = {
    workspace: args.find((arg) => !arg.startsWith('-')),
    userDir: flag('user-data-dir'),
    extensionsDir: flag('extensions-dir'),
    extensionDevelopmentPath: flag('extensionDevelopmentPath'),
    extensionTestsPath: flag('extensionTestsPath'),
  };
  return /** @type {{ [name in keyof typeof given]?: string }} */ (
    Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  );
}

/** Never ends without a limit: then whoever started this waits as long as it likes. @param {number} timeoutMs @returns {Promise<number>} */
function limit(timeoutMs) {
  return new Promise((resolve) => {
    if (timeoutMs > 0) setTimeout(resolve, timeoutMs, 1);
  });
}

/** @param {import('./served.mjs').Served} host @param {string | undefined} file */
async function takeScreenshot(host, file) {
  if (!file) return;
  try {
    await host.page.screenshot({ path: file, timeout: SCREENSHOT_TIMEOUT_MS });
  } catch (error) {
    console.error(`No screenshot: ${error instanceof Error ? error.message : error}`);
  }
}
