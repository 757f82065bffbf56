// Opens VS Code for a test that works from outside, as a person does: with the extension from source or from its .vsix.
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { promisify } from 'node:util';
import { ensureHost } from './install.mjs';
import { openLifetime } from './lifetime.mjs';
import { startServed } from './served.mjs';
import { installVsix, writeSettings } from './server.mjs';
import * as workbench from './workbench.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */
/** @typedef {import('./lifetime.mjs').Lifetime} Lifetime */

/**
 * @typedef {object} WorkbenchOptions
 * @property {string} [fixture] folder to open a temporary copy of
 * @property {string} [workspace] folder to open in place; neither opens an empty window
 * @property {string} [extension] folder of an extension to run from source
 * @property {string} [vsix] package to install and run instead
 * @property {Record<string, unknown>} [userSettings]
 * @property {Record<string, string | undefined>} [env] the extension host's environment, besides this process's
 * @property {'disabled' | 'ask'} [trust] 'ask' starts the workspace untrusted
 * @property {{ width: number, height: number }} [viewport] browser-served only
 * @property {(line: string) => void} [log] progress of an installation
 */

/**
 * @typedef {object} Session
 * @property {'served' | 'desktop'} kind
 * @property {Page} page
 * @property {string | undefined} workspace the opened folder
 * @property {string} root temporary folder of this session, removed by close()
 * @property {() => Promise<void>} waitForWorkbench
 * @property {(title: string) => Promise<void>} runCommand
 * @property {(file: string) => Promise<void>} openFile
 * @property {() => Promise<void>} undo
 * @property {() => Promise<string>} readEditorText
 * @property {() => Promise<string[]>} notifications newest first
 * @property {(text: string) => Promise<string>} waitForNotification
 * @property {(text: string, button: string) => Promise<void>} answerNotification
 * @property {(match: Parameters<typeof workbench.webviewFrame>[1]) => Promise<Frame>} webviewFrame
 * @property {(path: string) => Promise<void>} screenshot
 * @property {() => Promise<void>} reload reloads the window and waits for it; storage, secrets and editors survive
 * @property {() => Promise<void>} close ends VS Code and everything it started
 */

const DESKTOP_START_TIMEOUT_MS = 90_000;

/**
 * A ready workbench. The browser-served VS Code is preferred, because it needs no display; the desktop one is taken where
 * only that can be had.
 * @param {WorkbenchOptions} options
 * @returns {Promise<Session>}
 */
export async function openWorkbench(options) {
  const host = await ensureHost({ prefer: 'served', ...(options.log && { log: options.log }) });
  const lifetime = openLifetime();
  try {
    const workspace = options.fixture ? lifetime.folder('workspace') : options.workspace;
    if (options.fixture) fs.cpSync(options.fixture, lifetime.folder('workspace'), { recursive: true });
    const opened = { ...options, ...(workspace && { workspace }) };
    const page = await (host.kind === 'served' ? openServed(opened, lifetime) : openDesktop(opened, lifetime, host));
    const session = bindPage(page, { kind: host.kind, workspace, root: lifetime.root, close: lifetime.end });
    await session.waitForWorkbench();
    return session;
  } catch (error) {
    await lifetime.end();
    throw error;
  }
}

/** @param {Page} page @param {Pick<Session, 'kind' | 'workspace' | 'root' | 'close'>} rest @returns {Session} */
function bindPage(page, rest) {
  return {
    ...rest,
    page,
    waitForWorkbench: () => workbench.waitForWorkbench(page),
    runCommand: (title) => workbench.runCommand(page, title),
    openFile: (file) => workbench.openFile(page, file),
    undo: () => workbench.undo(page),
    readEditorText: () => workbench.readEditorText(page),
    notifications: () => workbench.notifications(page),
    waitForNotification: (text) => workbench.waitForNotification(page, text),
    answerNotification: (text, button) => workbench.answerNotification(page, text, button),
    webviewFrame: (match) => workbench.webviewFrame(page, match),
    screenshot: async (path) => void (await page.screenshot({ path })),
    reload: async () => {
      await page.reload();
      await workbench.waitForWorkbench(page);
    },
  };
}

/** @param {WorkbenchOptions} options @param {Lifetime} lifetime */
async function openServed({ extension, vsix, ...options }, lifetime) {
  const userDir = lifetime.folder('user');
  const extensionsDir = lifetime.folder('extensions');
  if (vsix) await installVsix({ vsix, extensionsDir, userDir });
  const development = extension && !vsix ? { extensionDevelopmentPath: extension } : {};
  const served = await startServed({ ...options, ...development, userDir, extensionsDir, lifetime, onLog: () => {} });
  return served.page;
}

/**
 * NOT TESTED where this was written, for want of a desktop build: kept to what Playwright's Electron support documents.
 * @param {WorkbenchOptions} options @param {Lifetime} lifetime @param {import('./install.mjs').DesktopHost} host
 */
async function openDesktop({ workspace, extension, vsix, userSettings, env, trust }, lifetime, host) {
  const { _electron } = await import('playwright-core');
  const userDir = lifetime.folder('user');
  writeSettings(userDir, userSettings);
  const profile = [`--user-data-dir=${userDir}`, `--extensions-dir=${lifetime.folder('extensions')}`];
  if (vsix) {
    const { resolveCliArgsFromVSCodeExecutablePath } = await import('@vscode/test-electron');
    const [cli = host.executablePath, ...before] = resolveCliArgsFromVSCodeExecutablePath(host.executablePath);
    await promisify(execFile)(cli, [...before, ...profile, '--install-extension', vsix], {
      shell: process.platform === 'win32',
    });
  }
  const app = await _electron.launch({
    executablePath: host.executablePath,
    args: [
      ...(workspace ? [workspace] : ['--new-window']),
      ...profile,
      ...(extension && !vsix ? [`--extensionDevelopmentPath=${extension}`] : []),
      ...(trust === 'ask' ? [] : ['--disable-workspace-trust']),
      ...['--no-sandbox', '--disable-gpu-sandbox', '--disable-updates', '--skip-welcome', '--skip-release-notes'],
    ],
    env: /** @type {Record<string, string>} */ ({ ...lifetime.env, ...env }),
    artifactsDir: lifetime.folder('artifacts'),
    timeout: DESKTOP_START_TIMEOUT_MS,
  });
  lifetime.onEnd(() => app.close());
  return app.firstWindow();
}
