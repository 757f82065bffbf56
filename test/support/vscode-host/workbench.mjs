// A person's hands and eyes in the workbench: palette, files, undo, notifications and webviews, through a Playwright page.
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('playwright-core').Frame} Frame */

const START_TIMEOUT_MS = 90_000;
const STEP_TIMEOUT_MS = 30_000;
/** How long a list gets to show an entry before it is asked anew: it does not follow commands that appear later. */
const LIST_TIMEOUT_MS = 2_000;
const POLL_MS = 100;
const BELL = '#status\\.notifications';
const MODIFIER = process.platform === 'darwin' ? 'Meta' : 'Control';

/** Until the workbench is laid out and has restored what was open. @param {Page} page */
export async function waitForWorkbench(page) {
  await page.waitForSelector('.monaco-workbench .part.statusbar', { timeout: START_TIMEOUT_MS });
  // Only the browser-served host is started with the driver; in the desktop one the layout has to be enough.
  await page.evaluate(async () => {
    /** @type {{ driver?: { whenWorkbenchRestored?: () => Promise<void> } }} */
    const { driver } = /** @type {any} */ (window);
    await driver?.whenWorkbenchRestored?.();
  });
}

/**
 * Runs a command from the palette by its whole title ("Lathe: New Session"). Waits until the palette offers it: an
 * extension's commands appear a moment after the workbench.
 * @param {Page} page @param {string} title
 */
export async function runCommand(page, title) {
  await pick(page, 'F1', `>${title}`, title);
}

/**
 * Opens a file of the workspace in the active editor group, as Quick Open does.
 * @param {Page} page @param {string} file path relative to the workspace, or absolute
 */
export async function openFile(page, file) {
  const name = path.basename(file);
  await pick(page, `${MODIFIER}+P`, file, name);
  await page.locator(`.editor-group-container.active .tab.active[data-resource-name="${name}"]`).waitFor();
}

/** Ctrl+Z in the active editor. @param {Page} page */
export async function undo(page) {
  await runCommand(page, 'View: Focus Active Editor Group');
  await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
  await page.keyboard.press(`${MODIFIER}+Z`);
}

/** The active text editor's lines, as far as they are in view. @param {Page} page */
export function readEditorText(page) {
  return page.evaluate(() => {
    const lines = [...document.querySelectorAll('.editor-group-container.active .monaco-editor .view-line')];
    const top = (/** @type {Element} */ line) => Number.parseFloat(/** @type {HTMLElement} */ (line).style.top);
    const inOrder = lines.sort((a, b) => top(a) - top(b));
    // Monaco draws spaces as no-break spaces, so that they keep their width.
    return inOrder.map((line) => (line.textContent ?? '').replaceAll('\u00a0', ' ')).join('\n');
  });
}

/**
 * The texts of the notifications, newest first. They are read from the notification centre, which is left closed: with
 * the test driver on, VS Code shows no toasts.
 * @param {Page} page
 */
export async function notifications(page) {
  const centre = await openNotifications(page);
  const texts = await centre.locator('.notification-list-item-message').allInnerTexts();
  await closeNotifications(page, centre);
  return texts;
}

/** Waits for a notification whose text contains `text`, and gives the whole text. @param {Page} page @param {string} text */
export async function waitForNotification(page, text) {
  const centre = await openNotifications(page);
  const message = centre.locator('.notification-list-item-message').filter({ hasText: text }).first();
  const whole = await message.innerText({ timeout: STEP_TIMEOUT_MS });
  await closeNotifications(page, centre);
  return whole;
}

/** Presses a button of the notification whose text contains `text`. @param {Page} page @param {string} text @param {string} button */
export async function answerNotification(page, text, button) {
  const centre = await openNotifications(page);
  const item = centre.locator('.monaco-list-row').filter({ hasText: text });
  await item
    .locator('.monaco-button')
    .filter({ hasText: exactly(button) })
    .first()
    .click({ timeout: STEP_TIMEOUT_MS });
}

/** @param {Page} page */
async function openNotifications(page) {
  const centre = page.locator('.notifications-center.visible');
  if (!(await centre.isVisible())) await page.locator(BELL).click();
  await centre.waitFor({ timeout: STEP_TIMEOUT_MS });
  return centre;
}

/** @param {Page} page @param {import('playwright-core').Locator} centre */
async function closeNotifications(page, centre) {
  await page.locator(BELL).click();
  await centre.waitFor({ state: 'hidden', timeout: STEP_TIMEOUT_MS });
}

/**
 * The inner frame of a webview, the one that holds the extension's own document. A webview that is rebuilt (hidden and
 * shown, moved, reloaded) gets a new frame: ask again.
 * @param {Page} page
 * @param {string | ((frame: Frame) => boolean | Promise<boolean>)} match the document's title, or a test of the frame;
 *   `frame.parentFrame().url()` holds `extensionId=` and `purpose=webviewView` (a view) or `purpose=` (an editor tab)
 * @returns {Promise<Frame>}
 */
export async function webviewFrame(page, match) {
  const matches =
    typeof match === 'function' ? match : async (/** @type {Frame} */ frame) => (await frame.title()) === match;
  const deadlineMs = Date.now() + STEP_TIMEOUT_MS;
  while (Date.now() < deadlineMs) {
    // The newest last: a webview whose document is replaced has two for a moment.
    for (const frame of innerFrames(page).reverse()) {
      if (await Promise.resolve(matches(frame)).catch(() => false)) return frame;
    }
    await sleep(POLL_MS);
  }
  const seen = await Promise.all(innerFrames(page).map((frame) => frame.title().catch(() => '?')));
  throw new Error(`No webview matched ${match}; there were: ${seen.map((title) => `"${title}"`).join(', ') || 'none'}`);
}

/** @param {Page} page */
const innerFrames = (page) => page.frames().filter((frame) => /\/fake\.html(\?|$)/.test(frame.url()));

/** @param {Page} page @param {string} key @param {string} text @param {string} label */
async function pick(page, key, text, label) {
  const widget = page.locator('.quick-input-widget');
  const input = widget.locator('input').first();
  const row = widget
    .locator('.monaco-list-row')
    .filter({ has: page.locator('.label-name', { hasText: exactly(label) }) });
  const deadlineMs = Date.now() + STEP_TIMEOUT_MS;
  let offered = '';
  while (Date.now() < deadlineMs) {
    await page.keyboard.press(key);
    try {
      await input.waitFor({ timeout: LIST_TIMEOUT_MS });
      // Something else may take the focus, and with it the list, at any moment: the next round opens it anew.
      await input.fill(text, { timeout: LIST_TIMEOUT_MS });
      await row.first().waitFor({ timeout: LIST_TIMEOUT_MS });
      await row.first().click({ timeout: LIST_TIMEOUT_MS });
      return;
    } catch {
      offered = (await widget.locator('.label-name').allInnerTexts()).join(', ');
      await page.keyboard.press('Escape');
    }
  }
  throw new Error(`"${label}" was not offered for "${text}"; there were: ${offered || 'no entries'}`);
}

/** @param {string} text */
const exactly = (text) => new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
