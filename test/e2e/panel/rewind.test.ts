// Rewinding and reviewing from the panel: every button is named, can be reached by keys, and asks the host for what it says.
import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { EventBody } from '../../../src/common/events';
import { launchBrowser, openPanel, type PanelPage } from '../../support/webview/page';
import { END, prompt, reply, REVIEW } from '../../support/webview/story';

const TWO_TURNS: readonly EventBody[] = [
  prompt('First prompt'),
  reply('b1', 'First answer'),
  END,
  prompt('Second prompt'),
  reply('b2', 'Second answer'),
  END,
];

describe('#37 #41 rewinding and reviewing in the panel', function () {
  this.timeout(60_000);
  let browser: Browser;
  let panel: PanelPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(() => panel.close());

  const rows = () => panel.page.locator('.row').evaluateAll((all) => all.map((row) => row.getAttribute('data-row')));
  const settles = (count: number) =>
    panel.page.waitForFunction((wanted) => document.querySelectorAll('.row').length === wanted, count);

  it('each prompt has a button, seen when it has the focus, that keys can press', async () => {
    panel = await openPanel(browser, { events: TWO_TURNS });
    const buttons = panel.page.getByRole('button', { name: 'Rewind to here' });
    assert.equal(await buttons.count(), 2);
    const opacity = () =>
      buttons.nth(1).evaluate((button) => getComputedStyle(button.closest('.hover-actions') as Element).opacity);
    assert.equal(await opacity(), '0');
    await buttons.nth(1).focus();
    assert.equal(await opacity(), '1');
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(panel.host.askedFor('rewind/start'), [{ sessionId: 's1', turn: 't2' }]);
  });

  it('rows go and come back, and a word about it stands in between', async () => {
    panel = await openPanel(browser, { events: TWO_TURNS });
    await settles(6);
    await panel.host.play({ type: 'conversation/rewound', to: 't2' });
    await settles(4);
    assert.deepEqual(await rows(), ['t1/prompt', 'b1', 't1/end', 'notice/7']);
    await panel.page.getByRole('button', { name: 'Undo Rewind' }).click();
    assert.deepEqual(panel.host.askedFor('command/run'), [{ sessionId: 's1', command: 'lathe.undoRewind' }]);
    await panel.host.play({ type: 'conversation/restored' });
    await settles(6);
    assert.deepEqual(await rows(), ['t1/prompt', 'b1', 't1/end', 't2/prompt', 'b2', 't2/end']);
  });

  it('back to before the first prompt, in a long conversation', async () => {
    const long = Array.from({ length: 300 }, (_, at) => reply(`b${at}`, `Reply ${at}`));
    panel = await openPanel(browser, { events: [prompt('First prompt'), ...long, END] });
    await panel.host.play({ type: 'conversation/rewound', to: 't1' });
    await settles(1);
    assert.match(await panel.page.locator('.row').innerText(), /Rewound to before “First prompt”/);
  });

  it('says how much is to review, quietly, and does what its buttons say', async () => {
    panel = await openPanel(browser, { events: TWO_TURNS });
    const status = panel.page.getByRole('status', { name: 'Changes to review' });
    assert.equal(await status.innerText(), '');
    assert.equal(await panel.page.locator('.review-bar').count(), 0);
    await panel.host.setState({ review: REVIEW });
    await panel.page.locator('.review-bar').waitFor();
    assert.equal(await status.innerText(), '3 files changed, 1216 lines added, 84 removed');
    for (const name of ['Review', 'Keep', 'Undo']) await panel.page.getByRole('button', { name, exact: true }).click();
    await panel.page.getByRole('button', { name: /3 files changed/ }).press('Enter');
    await panel.page.getByRole('button', { name: /^cart\.ts/ }).click();
    for (const name of ['Keep old.ts', 'Undo old.ts']) await panel.page.getByRole('button', { name }).click();
    const [cart, , old] = REVIEW.listed.map(({ path }) => path);
    assert.deepEqual(
      panel.host.askedFor('review/act').map(({ action, path }) => [action, path]),
      [
        ['open', undefined],
        ['keep', undefined],
        ['undo', undefined],
        ['open', cart],
        ['keep', old],
        ['undo', old],
      ],
    );
    await panel.host.setState({ review: { listed: [], files: 0, added: 0, removed: 0 } });
    await panel.page.locator('.review-bar').waitFor({ state: 'detached' });
  });
});
