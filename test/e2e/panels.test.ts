// Several panels and sessions in a real workbench: what waits is found, and what is pressed is meant for the panel at hand.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { eventually } from '../support/eventually';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { startModelServer, type ModelServer } from '../support/model-server/server';
import {
  answerAsk,
  COMPOSER,
  openPanel,
  sendPrompt,
  toolCards,
  waitForAsk,
  waitForEnd,
} from '../support/panelDriver.mjs';
import { root } from '../support/sourceTree';
import { openWorkbench, type Session } from '../support/vscode-host/session.mjs';

const KEY = 'e2e-key';
/** Between the width of the view and that of an editor tab. */
const VIEW_MAX_PX = 500;
/** Above the height of a frame that is not laid out yet. */
const UNLAID_MAX_PX = 300;
/** Of the person's own: lets no secret through. */
const HOOKS = {
  UserPromptSubmit: [
    { hooks: [{ type: 'command', command: 'if grep -q secret; then echo "no secrets" >&2; exit 2; fi' }] },
  ],
};
const RUN = toolUse('bash', { command: 'node -p 1', description: 'Say hello' });

describe('panels and sessions', function () {
  this.timeout(180_000);
  let server: ModelServer;
  let workbench: Session;
  let view: Frame;

  before(async () => {
    server = await startModelServer([], { apiKey: KEY });
    workbench = await openWorkbench({
      fixture: join(root, 'media/demo'),
      extension: root,
      userSettings: { 'lathe.baseUrl': server.url, 'lathe.hooks': HOOKS },
      env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url },
      viewport: { width: 1440, height: 900 },
    });
    view = await openPanel(workbench);
  });

  after(async () => {
    await workbench?.close();
    await server?.close();
  });

  const frame = (isView: boolean): Promise<Frame> =>
    workbench.webviewFrame(async (found) => {
      // While the window is laid out the view may be as wide as a tab for a moment.
      if (found === view || (await found.title()) !== 'Lathe') return false;
      const [width, height] = await found.evaluate(() => [window.innerWidth, window.innerHeight] as const);
      // A page that is not laid out yet has the measures of any new frame.
      return height > UNLAID_MAX_PX && width < VIEW_MAX_PX === isView;
    });
  const isEmpty = (found: Frame) => found.locator('.rows .empty').waitFor();
  const statusItem = () => workbench.page.locator('[id*="lathe.status"]').first();

  it('show one session in the view and in a tab, and an answer in one counts in both', async () => {
    await workbench.runCommand('Lathe: Open in Editor Tab');
    const tab = await frame(false);
    server.push(reply(RUN), reply(text('Said.')));
    await sendPrompt(tab, 'Say hello');
    await waitForAsk(view);
    await answerAsk(tab, 'Allow once');
    await waitForEnd(view);
    assert.deepEqual(await toolCards(view), await toolCards(tab));
  });

  it('the button above the view starts a session there, though the tab was used last', async () => {
    const tab = await frame(false);
    await view.getByLabel('What Lathe should do').click();
    await workbench.page.locator('.part.auxiliarybar .action-label.codicon-add').first().click();
    await isEmpty(view);
    assert.equal((await toolCards(tab)).length, 1);
  });

  it('an approval that no panel shows is a click on the status bar away', async () => {
    const slow = reply(text('word '.repeat(100)), RUN, { delayMsPerEvent: 10 });
    server.push(slow, reply(text('Said again.')));
    await sendPrompt(view, 'Say hello slowly');
    await view.locator('.row-text').waitFor();
    await workbench.page.locator('.part.auxiliarybar .action-label.codicon-add').first().click();
    await isEmpty(view);
    await workbench.waitForNotification('Lathe asks for your approval: Say hello');
    await statusItem().click();
    assert.equal(await waitForAsk(view), 'Say hello');
    await answerAsk(view, 'Allow once');
    await waitForEnd(view);
  });

  it('are there again after a reload in the middle of an approval, which is then over', async () => {
    server.push(reply(RUN));
    await sendPrompt(view, 'And once more');
    await waitForAsk(view);
    await workbench.reload();
    view = await frame(true);
    await waitForEnd(view, { turns: 2 });
    const tab = await frame(false);
    await waitForEnd(tab);
    assert.deepEqual(
      (await toolCards(view)).map((card) => card.split(': ').at(-1)),
      ['Done', 'Stopped'],
    );
    assert.deepEqual(
      (await toolCards(tab)).map((card) => card.split(': ').at(-1)),
      ['Done'],
    );
    assert.deepEqual(server.problems(), []);
  });

  it('O07: a prompt that a hook blocks is in the composer again, and the model never sees it', async () => {
    const before = server.messageRequests().length;
    await sendPrompt(view, 'my secret');
    await view.locator('.notice', { hasText: 'did not let this prompt through: no secrets' }).waitFor();
    await waitForEnd(view, { turns: 3 });
    assert.match(await view.locator('.end').last().innerText(), /^Not sent: a hook blocked the prompt/);
    await eventually(
      'the prompt in the composer',
      async () => (await view.getByLabel(COMPOSER).inputValue()) === 'my secret',
    );
    assert.equal(server.messageRequests().length, before);
  });
});
