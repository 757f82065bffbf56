// What goes on in the background, in the panel: how much of it is shown, and what it leaves room for.
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { Task } from '../../../src/common/tasks';
import { launchBrowser, openPanel, type PanelPage } from '../../support/webview/page';
import { asks, prompt, queued, shellAsk } from '../../support/webview/story';

const RUN: Task = { id: 'run-0', kind: 'run', title: 'Serve', state: 'running', startedAt: 0, tail: '', moreChars: 0 };
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('');

describe('commands in the background', function () {
  this.timeout(90_000);
  let browser: Browser;
  let panel: PanelPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(() => panel.close());

  for (const [what, task, offered] of [
    ['shown as a whole', { tail: 'ready\n' }, []],
    ['of which earlier lines are not drawn', { tail: lines(13) }, ['Show the whole output (7 more characters)']],
    [
      'of which only the end came',
      { tail: 'ready\n', moreChars: 2_000 },
      ['Show the whole output (2k more characters)'],
    ],
  ] as const) {
    it(`more is offered only where there is more: an output ${what}`, async () => {
      panel = await openPanel(browser, { events: [prompt('Go')], state: { tasks: [{ ...RUN, ...task }] } });
      await panel.page.locator('.task-bar .disclosure').click();
      await panel.page.locator('.task .tail').waitFor();
      const links = await panel.page.locator('.task .card-actions').getByText('whole output').allInnerTexts();
      assert.deepEqual(links, offered);
    });
  }

  for (const [width, height] of [
    [200, 350],
    [300, 500],
  ] as const) {
    it(`their open list leaves a card that asks in reach in a panel of ${width} × ${height}`, async () => {
      const ask = shellAsk('git push');
      const tasks = Array.from({ length: 8 }, (_, at) => ({ ...RUN, id: `run-${at}`, title: `Serve ${at}` }));
      panel = await openPanel(browser, {
        events: [prompt('Go'), queued(ask.call, ask.tool, 'edit', ask.title), asks(ask)],
        state: { running: true, tasks },
        ...{ width, height },
      });
      await panel.page.locator('.task-bar .disclosure').click();
      await panel.page.locator('.task').last().waitFor({ state: 'attached' });
      const measured = await panel.page.evaluate(() => {
        const box = (selector: string) => document.querySelector(selector)?.getBoundingClientRect();
        const bar = document.querySelector('.task-bar');
        return {
          composerInView: (box('.composer')?.bottom ?? Infinity) <= innerHeight,
          roomForCard: (box('.transcript')?.height ?? 0) > innerHeight / 3,
          headingFits: bar !== null && bar.scrollWidth <= bar.clientWidth,
        };
      });
      await panel.page.locator('.ask').getByRole('button', { name: 'Deny' }).click({ timeout: 3_000 });
      assert.deepEqual(measured, { composerInView: true, roomForCard: true, headingFits: true });
    });
  }
});
