// A person's hands in the Lathe panel of a real workbench: type, send, answer, read what stands there.
/** @typedef {import('playwright-core').Frame} Frame */
/** @typedef {import('./vscode-host/session.mjs').Session} Session */

const STEP_TIMEOUT_MS = 60_000;
export const COMPOSER = 'What Lathe should do';

/**
 * Opens the panel and waits until it can be written in.
 * @param {Session} session @returns {Promise<Frame>}
 */
export async function openPanel(session) {
  await session.runCommand('Lathe: Open');
  const frame = await session.webviewFrame('Lathe');
  await frame.getByLabel(COMPOSER).waitFor({ timeout: STEP_TIMEOUT_MS });
  return frame;
}

/** @param {Frame} frame @param {string} text */
export async function sendPrompt(frame, text) {
  const composer = frame.getByLabel(COMPOSER);
  await composer.click();
  await composer.pressSequentially(text);
  await composer.press('Enter');
}

/** The tool cards as their labels say: "Edited src/cart.js: Done". @param {Frame} frame @returns {Promise<string[]>} */
export function toolCards(frame) {
  return frame.locator('.tool').evaluateAll((cards) => cards.map((card) => card.getAttribute('aria-label') ?? ''));
}

/** Until an approval is asked for; answers the title of its card. @param {Frame} frame @returns {Promise<string>} */
export async function waitForAsk(frame) {
  const card = frame.locator('.tool', { has: frame.locator('.ask') }).first();
  await card.waitFor({ timeout: STEP_TIMEOUT_MS });
  return card.locator('.tool-title').innerText();
}

/**
 * Answers the open approval as a person does: reads to the end of the preview, then clicks. A button is enabled only when
 * the whole has been in view and half a second has passed.
 * @param {Frame} frame @param {'Allow once' | 'Deny' | RegExp} button
 */
export async function answerAsk(frame, button) {
  const card = frame.locator('.ask').first();
  await card.scrollIntoViewIfNeeded();
  await card.locator('.preview-end').scrollIntoViewIfNeeded();
  const id = await card.getAttribute('aria-labelledby');
  // The control is no native button, so a click on a disabled one would simply be lost.
  await card.locator('vscode-button:not([disabled])', { hasText: button }).click({ timeout: STEP_TIMEOUT_MS });
  // The same card is gone; another one may stand there already.
  await frame.locator(`.ask[aria-labelledby="${id}"]`).waitFor({ state: 'detached', timeout: STEP_TIMEOUT_MS });
}

/** Until the turn has ended. @param {Frame} frame @param {{ turns?: number }} [options] how many turns have ended by then */
export async function waitForEnd(frame, { turns = 1 } = {}) {
  await frame
    .locator('.end')
    .nth(turns - 1)
    .waitFor({ timeout: STEP_TIMEOUT_MS });
}
