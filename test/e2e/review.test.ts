// Reviewing in the ordinary editor as a person does it: marks, peek, lenses and the list of changed files, and after a reload too.
import assert from 'node:assert/strict';
import { eventually } from '../support/eventually';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { openPanel, sendPrompt, waitForEnd } from '../support/panelDriver.mjs';
import { BUG, FIX, openDemoWorkbench, type DemoWorkbench } from '../support/demoWorkbench';
import { saveScreenshot } from '../support/screenshots';
import type { Session } from '../support/vscode-host/session.mjs';

const SCENARIO = [
  reply(toolUse('read', { file_path: 'src/cart.js' })),
  reply(
    toolUse('edit', { file_path: 'src/cart.js', old_string: BUG, new_string: FIX }),
    toolUse('write', { file_path: 'src/tax.js', content: 'export const TAX = 0.2;\n' }),
  ),
  reply(text('Done.')),
];

describe('review in the editor', function () {
  this.timeout(180_000);
  let demo: DemoWorkbench;
  let workbench: Session;

  before(async () => {
    demo = await openDemoWorkbench(SCENARIO, {
      'lathe.permission.mode': 'acceptEdits',
    });
    ({ workbench } = demo);
  });

  after(async () => {
    await demo?.close();
  });

  const cart = () => demo.cart();
  const lens = (title: string) => workbench.page.locator('.codelens-decoration a', { hasText: title });
  const gutter = () => workbench.page.locator('.dirty-diff-glyph');

  it('#42: marks the change in the ordinary editor', async () => {
    const frame = await openPanel(workbench);
    await sendPrompt(frame, 'Count every piece in the cart');
    await waitForEnd(frame);
    assert.ok(cart().includes(FIX));
    await workbench.openFile('src/cart.js');
    await lens('from “Count every piece in the cart”').waitFor();
    await gutter().first().waitFor();
  });

  it('#41: lists the changed files', async () => {
    await workbench.runCommand('Source Control: Focus on Changes View');
    const rows = workbench.page.locator('.scm-view .monaco-list-row');
    await rows.filter({ hasText: 'tax.js' }).waitFor();
    await rows.filter({ hasText: 'cart.js' }).waitFor();
    await saveScreenshot(workbench, 'review');
  });

  it('#42: the peek of a mark has Keep and Undo', async () => {
    await workbench.openFile('src/cart.js');
    await workbench.runCommand('Show Next Change');
    const peek = workbench.page.locator('.peekview-widget');
    await peek.waitFor();
    // By attribute: the editor hides what lies between its lines from the tree of roles.
    await peek.locator('[aria-label^="Keep Change"]').waitFor();
    await peek.locator('[aria-label^="Undo Change"]').waitFor();
    await saveScreenshot(workbench, 'review-peek');
    await workbench.runCommand('Preferences: Toggle between Light/Dark Themes');
    await workbench.page.locator('.monaco-workbench.vs:not(.vs-dark)').waitFor();
    await saveScreenshot(workbench, 'review-peek-light');
    await workbench.page.keyboard.press('Escape');
    await saveScreenshot(workbench, 'review-light');
  });

  it('#42: survives a reload, and Undo puts the line back', async () => {
    await workbench.reload();
    await workbench.openFile('src/cart.js');
    await lens('Undo').first().waitFor();
    await saveScreenshot(workbench, 'review-reloaded');
    await lens('Undo').first().click();
    await eventually('the line is back', async () => cart().includes(BUG));
    await lens('Undo').first().waitFor({ state: 'detached' });
  });
});
