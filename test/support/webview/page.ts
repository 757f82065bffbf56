// The panel alone in a Chromium: its built files, a theme, the page's policy, and a host that replays a recorded log.
import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';
import type { ToHost, ToPanel } from '../../../src/common/protocol';
import { panelDocument } from '../../../src/vscode/panel/panelDocument';
import { root } from '../sourceTree';
import { ensureBrowser } from '../vscode-host/browser.mjs';
import { createRecordedHost, type HostOptions, type RecordedHost } from './recordedHost';
import { THEMES, type ThemeName } from './themes';

const ORIGIN = 'https://panel.test';
const BUILT = join(root, 'dist/webview');
const TYPES: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript', '.ttf': 'font/ttf' };

const DOCUMENT = panelDocument({ file: (name) => `${ORIGIN}/${name}`, origin: ORIGIN, nonce: 'dGVzdHM' });

export interface PanelPage {
  readonly page: Page;
  readonly host: RecordedHost;
  /** Directives that the page violated, with what it did. */
  readonly violations: () => Promise<readonly string[]>;
  /** Addresses outside the panel's own files that the page tried to load. */
  readonly requests: readonly string[];
  /** Uncaught errors and console errors of the page, policy reports left out. */
  readonly errors: readonly string[];
  close(): Promise<void>;
}

export interface PanelOptions extends HostOptions {
  readonly theme?: ThemeName;
  readonly width?: number;
  readonly height?: number;
  readonly reducedMotion?: boolean;
}

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await ensureBrowser());
}

export async function openPanel(browser: Browser, options: PanelOptions = {}): Promise<PanelPage> {
  const { theme = 'dark', width = 420, height = 760, reducedMotion = true } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const requests: string[] = [];
  const errors: string[] = [];
  await page.route('**/*', async (route) => {
    const url = new URL(route.request().url());
    if (url.origin !== ORIGIN) {
      requests.push(url.href);
      return route.abort();
    }
    if (url.pathname === '/') return route.fulfill({ contentType: 'text/html', body: DOCUMENT });
    const contentType = TYPES[extname(url.pathname)] ?? 'application/octet-stream';
    return route.fulfill({ contentType, body: readFileSync(join(BUILT, url.pathname)) });
  });
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('Content Security Policy')) errors.push(message.text());
  });

  // A page that is going away cannot be told anything.
  const send = async (message: ToPanel) =>
    page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => {});
  const host = createRecordedHost(send, options);
  await page.exposeFunction('toHost', (message: ToHost) => host.receive(message));
  await page.addInitScript(surround, THEMES[theme]);
  await page.goto(`${ORIGIN}/`);
  await page.waitForSelector('.composer, .empty h1');
  return {
    page,
    host,
    requests,
    errors,
    violations: () => page.evaluate(() => (window as unknown as Surrounded).violations),
    close: () => context.close(),
  };
}

interface Surrounded {
  violations: string[];
  toHost(message: unknown): Promise<void>;
  acquireVsCodeApi(): unknown;
}

/** Runs in the page, before anything of it: what VS Code puts around a webview. */
function surround({ variables, bodyClass, kind }: (typeof THEMES)[ThemeName]): void {
  const around = window as unknown as Surrounded;
  around.violations = [];
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, sourceFile, sample, blockedURI }) => {
    around.violations.push(`${effectiveDirective} ${blockedURI} ${sample} ${sourceFile}`.trim());
  });
  const KEY = 'kept';
  let isAcquired = false;
  around.acquireVsCodeApi = () => {
    if (isAcquired) throw new Error('The API of VS Code can be acquired once.');
    isAcquired = true;
    return {
      postMessage: (message: unknown) => void around.toHost(JSON.parse(JSON.stringify(message))),
      getState: (): unknown => JSON.parse(sessionStorage.getItem(KEY) ?? 'null') ?? undefined,
      setState: (state: unknown) => sessionStorage.setItem(KEY, JSON.stringify(state)),
    };
  };
  document.addEventListener('DOMContentLoaded', () => {
    for (const [name, value] of Object.entries(variables)) {
      document.documentElement.style.setProperty(`--vscode-${name}`, value);
    }
    document.body.className = bodyClass;
    document.body.dataset['vscodeThemeKind'] = kind;
    document.body.style.backgroundColor = 'var(--vscode-sideBar-background)';
  });
}
