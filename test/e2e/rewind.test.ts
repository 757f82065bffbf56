// Rewinding as a person does it, in a real workbench: the file and the conversation go back, the prompt is in the composer again, and all of it can be undone.
import assert from 'node:assert/strict';
import type { Frame } from 'playwright-core';
import { eventually } from '../support/eventually';
import { reply, text, toolUse } from '../support/model-server/scenario';
import type { ModelServer } from '../support/model-server/server';
import { COMPOSER, openPanel, sendPrompt, waitForEnd } from '../support/panelDriver.mjs';
import { BUG, FIX, openDemoWorkbench, type DemoWorkbench } from '../support/demoWorkbench';
import { saveScreenshot } from '../support/screenshots';
import type { Session } from '../support/vscode-host/session.mjs';

const SCENARIO = [
  reply(text('Hello.')),
  reply(toolUse('read', { file_path: 'src/cart.js' })),
  reply(toolUse('edit', { file_path: 'src/cart.js', old_string: BUG, new_string: FIX })),
  reply(text('Fixed.')),
];

describe('#37 #38 #39 rewinding in the workbench', function () {
  this.timeout(180_000);
  let demo: DemoWorkbench;
  let server: ModelServer;
  let workbench: Session;
  let frame: Frame;

  before(async () => {
    demo = await openDemoWorkbench(SCENARIO, {
      'lathe.permission.mode': 'acceptEdits',
    });
    ({ server, workbench } = demo);
    frame = await openPanel(workbench);
    await sendPrompt(frame, 'Say hello');
    await waitForEnd(frame);
    await sendPrompt(frame, 'Fix the cart');
    await waitForEnd(frame, { turns: 2 });
  });

  after(async () => {
    await demo?.close();
  });

  const cart = () => demo.cart();
  const prompts = () => frame.locator('.prompt-text').allInnerTexts();
  const draft = () => frame.getByLabel(COMPOSER).inputValue();
  const widget = () => workbench.page.locator('.quick-input-widget');
  const title = (words: string | RegExp) => widget().locator('.quick-input-title', { hasText: words }).waitFor();
  const rewindLast = async () => {
    await widget().waitFor({ state: 'hidden' });
    const row = frame.locator('.row-prompt').last();
    await row.hover();
    await row.getByRole('button', { name: 'Rewind to here' }).click();
    await title('Rewind to before');
    // Enter before the list has its focused entry is lost.
    await widget().locator('.monaco-list-row.focused').first().waitFor();
  };

  it('complaint 34: Esc anywhere changes nothing', async () => {
    assert.ok(cart().includes(FIX));
    await rewindLast();
    await saveScreenshot(workbench, 'rewind-what');
    await workbench.page.keyboard.press('Escape');
    await rewindLast();
    await workbench.page.keyboard.press('Enter');
    await title('Files to put back');
    await saveScreenshot(workbench, 'rewind-files');
    assert.match(await widget().innerText(), /src\/cart\.js/);
    await workbench.page.keyboard.press('Escape');
    await widget().waitFor({ state: 'hidden' });
    assert.ok(cart().includes(FIX));
    assert.deepEqual(await prompts(), ['Say hello', 'Fix the cart']);
  });

  it('puts the file back, takes the prompt out, and leaves it to be edited', async () => {
    await rewindLast();
    await workbench.page.keyboard.press('Enter');
    await title('Files to put back');
    await workbench.page.keyboard.press('Enter');
    await frame
      .getByText(/Rewound to before “Fix the cart”/)
      .first()
      .waitFor();
    await eventually('the prompt in the composer', async () => (await draft()) === 'Fix the cart');
    assert.ok(cart().includes(BUG));
    assert.deepEqual(await prompts(), ['Say hello']);
    await saveScreenshot(workbench, 'rewound');
  });

  it('is undone after a reload of the window, file and conversation', async () => {
    await workbench.reload();
    frame = await openPanel(workbench);
    assert.deepEqual(await prompts(), ['Say hello']);
    await frame.getByRole('button', { name: 'Undo Rewind' }).click();
    await title('Undo the latest rewinding');
    await workbench.page.keyboard.press('Enter');
    await eventually('both prompts', async () => (await prompts()).join() === 'Say hello,Fix the cart');
    assert.ok(cart().includes(FIX));
    assert.deepEqual(server.problems(), []);
    await saveScreenshot(workbench, 'rewind-undone');
  });

  it('is asked for in the palette, with the prompts and how many files each changed', async () => {
    await workbench.runCommand('Lathe: Rewind to a Prompt…');
    await title('Rewind to before which prompt?');
    const entries = await widget().locator('.quick-input-list-entry').allInnerTexts();
    assert.equal(entries.length, 2);
    assert.match(entries[0] ?? '', /Fix the cart[^]*1 file changed/);
    assert.doesNotMatch(entries[1] ?? '', /changed/);
    await workbench.page.keyboard.press('Escape');
  });
});
