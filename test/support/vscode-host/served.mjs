// The browser-served VS Code open in a headless Chromium: what a test drives from outside, and what runs suites inside.
import { format } from 'node:util';
import { chromium } from 'playwright-core';
import { ensureBrowser } from './browser.mjs';
import { openLifetime } from './lifetime.mjs';
import { startServer } from './server.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').BrowserContext} BrowserContext */

/**
 * @typedef {object} ServedExtras
 * @property {(level: string, text: string) => void} [onLog] what the workbench logs and the extension host's console prints
 * @property {{ width: number, height: number }} [viewport]
 * @property {import('./lifetime.mjs').Lifetime} [lifetime] what ends it; one of its own when left out
 */
/** @typedef {Omit<import('./server.mjs').ServerOptions, 'lifetime'> & import('./server.mjs').PageTarget & ServedExtras} ServedOptions */

/**
 * @typedef {object} Served
 * @property {string} origin
 * @property {Page} page
 * @property {BrowserContext} browser
 * @property {Promise<number>} exit 0 or 1 as the suite's `run()` resolves or rejects; 1 when the server or the page dies
 * @property {() => string} output what the server has printed
 * @property {(path: string) => Promise<void>} screenshot
 * @property {() => Promise<void>} close ends the browser, the server and everything they started, and removes their folders
 */

const VIEWPORT = { width: 1280, height: 800 };
const FIRST_LOAD_TIMEOUT_MS = 90_000;

/**
 * @param {ServedOptions} options
 * @returns {Promise<Served>}
 */
export async function startServed({ onLog = printLog, viewport = VIEWPORT, lifetime = openLifetime(), ...options }) {
  try {
    const { executablePath, args } = await ensureBrowser(options.log ? { log: options.log } : {});
    const server = await startServer({ ...options, lifetime });
    // Its folders are inside the run's own, so that its end is ours to see to.
    const browser = await chromium.launchPersistentContext(lifetime.folder('browser'), {
      executablePath,
      args,
      viewport,
      artifactsDir: lifetime.folder('artifacts'),
      env: /** @type {Record<string, string>} */ (lifetime.env),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
    lifetime.onEnd(() => browser.close());
    await browser.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: server.origin });
    const page = browser.pages()[0] ?? (await browser.newPage());
    // A window with unsaved files asks before it reloads; a test has decided already.
    page.on('dialog', (dialog) => void (dialog.type() === 'beforeunload' ? dialog.accept() : dialog.dismiss()));
    let closing = false;
    lifetime.onEnd(() => (closing = true));
    const exits = await watchExit(page, server, (level, text) => {
      if (!closing) onLog(level, text);
    });
    await page.goto(server.url(options), { timeout: FIRST_LOAD_TIMEOUT_MS });
    return {
      origin: server.origin,
      page,
      browser,
      exit: Promise.race(exits),
      output: server.output,
      screenshot: async (path) => void (await page.screenshot({ path })),
      close: lifetime.end,
    };
  } catch (error) {
    await lifetime.end();
    throw error;
  }
}

/**
 * What can end a run, as exit codes. The workbench reports a finished suite through two functions it looks for on its page.
 * @param {Page} page @param {import('./server.mjs').Server} server @param {(level: string, text: string) => void} onLog
 * @returns {Promise<Promise<number>[]>}
 */
async function watchExit(page, server, onLog) {
  /** @type {Promise<number>} */
  const suite = new Promise((resolve) => {
    void page.exposeFunction('codeAutomationExit', resolve);
  });
  await page.exposeFunction('codeAutomationLog', (/** @type {string} */ level, /** @type {unknown[]} */ args) =>
    onLog(level, format(...args)),
  );
  const died = server.exited.then((output) => {
    onLog('error', `The VS Code server ended by itself:\n${output}`);
    return 1;
  });
  /** @type {Promise<number>} */
  const crashed = new Promise((resolve) =>
    page.on('crash', () => {
      onLog('error', 'The page that showed VS Code crashed.');
      resolve(1);
    }),
  );
  return [suite, died, crashed];
}

/** @param {string} level @param {string} text */
function printLog(level, text) {
  (level === 'error' || level === 'warn' ? console.error : console.log)(text);
}
