// Long and live conversations: bounded pages, following what arrives, keeping the place that is read, nothing lost.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Browser } from 'playwright-core';
import type { EventBody } from '../../../src/common/events';
import { launchBrowser, openPanel, type PanelPage } from '../../support/webview/page';
import { asks, delta, done, EDIT_ASK, prompt, queued, reply, started } from '../../support/webview/story';

const MAX_DRAWN_ROWS = 200;
const DRAWN_MS = 250;

function talk(count: number): EventBody[] {
  return [prompt('Go'), ...Array.from({ length: count }, (_, at) => reply(`b${at}`, `Reply number ${at}.`))];
}

/** Another reply than the one of the same number. */
function renamed(event: EventBody): EventBody {
  return 'block' in event ? { ...event, block: `later-${event.block}` } : event;
}

describe('transcript of the panel', function () {
  this.timeout(90_000);
  let browser: Browser;
  let panel: PanelPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(() => panel.close());

  const drawn = () =>
    panel.page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.dataset['row'] ?? ''),
    );
  const scroll = (top: number) =>
    panel.page.evaluate((to) => {
      const box = document.querySelector('.transcript') as HTMLElement;
      box.scrollTop = to < 0 ? box.scrollHeight : to;
    }, top);
  const distanceToEnd = () =>
    panel.page.evaluate(() => {
      const box = document.querySelector('.transcript') as HTMLElement;
      return Math.round(box.scrollHeight - box.scrollTop - box.clientHeight);
    });
  const topOf = (row: string) =>
    panel.page.evaluate(
      (id) => Math.round(document.querySelector(`[data-row="${id}"]`)?.getBoundingClientRect().top ?? NaN),
      row,
    );

  it('10,000 rows: few are drawn, all can be reached, in order', async () => {
    panel = await openPanel(browser, { events: talk(10_000) });
    let most = 0;
    const seen = new Set<string>();
    for (let step = 0; step < 400 && !seen.has('b9000'); step++) {
      const rows = await drawn();
      most = Math.max(most, rows.length);
      rows.forEach((row) => seen.add(row));
      await scroll(0);
      await panel.page.evaluate(
        () => new Promise((frame) => requestAnimationFrame(() => requestAnimationFrame(frame))),
      );
    }
    const rows = await drawn();
    const numbers = rows.map((row) => Number(row.slice(1)));
    const isInOrder = numbers.every((number, at) => at === 0 || number === (numbers[at - 1] ?? 0) + 1);
    await panel.page.getByRole('button', { name: 'Jump to latest' }).click();
    await setTimeout(DRAWN_MS);
    assert.deepEqual(
      { isBounded: most <= MAX_DRAWN_ROWS, reached: seen.has('b9000'), isInOrder, last: (await drawn()).at(-1) },
      { isBounded: true, reached: true, isInOrder: true, last: 'b9999' },
    );
  });

  it('rows that come in above leave the one that is read where it is', async () => {
    panel = await openPanel(browser, { events: talk(500) });
    await setTimeout(DRAWN_MS);
    await scroll(40);
    const [, , row = ''] = await drawn();
    const before = await topOf(row);
    await panel.page.waitForFunction(
      (id) => document.querySelector('[data-row]')?.getAttribute('data-row') !== id,
      'b440',
    );
    await setTimeout(DRAWN_MS);
    const moved = Math.abs((await topOf(row)) - before);
    assert.ok(moved <= 40, `the row moved by ${moved} px`);
  });

  it('follows what arrives until the person scrolls up, and again from the end on', async () => {
    panel = await openPanel(browser, { events: talk(60) });
    await panel.host.play(...Array.from({ length: 10 }, (_, at) => reply(`c${at}`, 'More.\n\nAnd more.')));
    await setTimeout(DRAWN_MS);
    const following = await distanceToEnd();
    await panel.page.mouse.move(200, 200);
    await panel.page.mouse.wheel(0, -400);
    await setTimeout(DRAWN_MS);
    const before = await distanceToEnd();
    await panel.host.play(...Array.from({ length: 10 }, (_, at) => reply(`d${at}`, 'More.\n\nAnd more.')));
    await setTimeout(DRAWN_MS);
    const away = (await distanceToEnd()) > before;
    await panel.page.getByRole('button', { name: 'Jump to latest' }).click();
    await panel.host.play(reply('e', 'The last one.'));
    await setTimeout(DRAWN_MS);
    assert.deepEqual({ following, away, again: await distanceToEnd() }, { following: 0, away: true, again: 0 });
  });

  it('a small turn of the wheel is enough to stay, also while text grows', async () => {
    panel = await openPanel(browser, { events: talk(60), state: { running: true } });
    await panel.page.mouse.move(200, 200);
    await panel.page.mouse.wheel(0, -6);
    await setTimeout(DRAWN_MS);
    const before = await topOf('b58');
    await panel.host.play(delta('s', 'It grows.\n\nAnd grows.'));
    await setTimeout(DRAWN_MS);
    assert.equal(await topOf('b58'), before);
  });

  it('what the person sends is shown, wherever they were', async () => {
    panel = await openPanel(browser, { events: talk(80) });
    await panel.page.mouse.move(200, 200);
    await panel.page.mouse.wheel(0, -900);
    await setTimeout(DRAWN_MS);
    await panel.page.locator('textarea').fill('Go on');
    await panel.page.locator('textarea').press('Enter');
    await panel.host.play(prompt('Go on'));
    await setTimeout(DRAWN_MS);
    assert.equal(await distanceToEnd(), 0);
  });

  it('an approval out of sight is announced and found', async () => {
    panel = await openPanel(browser, {
      events: [...talk(80), queued('edit-1', 'edit', 'edit', 'Edit src/cart.ts')],
      state: { running: true },
    });
    await panel.page.mouse.move(200, 200);
    await panel.page.mouse.wheel(0, -900);
    await setTimeout(DRAWN_MS);
    await panel.host.play(asks(EDIT_ASK));
    await panel.page.getByText('Lathe waits for you').click();
    await setTimeout(DRAWN_MS);
    const isInSight = await panel.page.locator('.ask').evaluate((card) => {
      const { top, bottom } = card.getBoundingClientRect();
      return bottom > 0 && top < window.innerHeight;
    });
    const said = await panel.page.locator('[aria-live="assertive"]').innerText();
    assert.deepEqual({ isInSight, said }, { isInSight: true, said: 'Lathe asks for approval: Edit src/cart.ts' });
  });

  it('while text streams only its last block is drawn again', async () => {
    panel = await openPanel(browser, { events: [prompt('Go')], state: { running: true } });
    await panel.host.play(delta('b1', '# Title\n\nFirst paragraph.\n\nSecond'));
    await panel.page.getByText('Second').waitFor();
    await panel.page.evaluate(() => {
      const changed = new Set<string>();
      (window as unknown as { changed: Set<string> }).changed = changed;
      new MutationObserver((records) => {
        for (const { target } of records)
          changed.add(
            (target.parentElement?.closest('p, h3') ?? target).nodeName + (target.textContent ?? '').slice(0, 5),
          );
      }).observe(document.querySelector('.markdown') as Node, { childList: true, subtree: true, characterData: true });
    });
    for (const word of [' paragraph', ' grows', ' on.']) {
      await panel.host.play(delta('b1', word));
      await setTimeout(50);
    }
    const changed = await panel.page.evaluate(() => [...(window as unknown as { changed: Set<string> }).changed]);
    assert.deepEqual(
      { changed, text: await panel.page.locator('.markdown').innerText() },
      { changed: ['PSecon'], text: 'Title\n\nFirst paragraph.\n\nSecond paragraph grows on.' },
    );
  });

  it('a text longer than a message arrives whole', async () => {
    const words = Array.from({ length: 9_000 }, (_, at) => `word${at}`).join(' ');
    panel = await openPanel(browser, { events: [prompt('Go'), reply('b1', words)] });
    await panel.page.getByText('word8999').waitFor();
    assert.equal(await panel.page.locator('.row-text .markdown').innerText(), words);
  });

  it('a lost message is made up for', async () => {
    panel = await openPanel(browser, { events: talk(3) });
    panel.host.dropNext();
    await panel.host.play(reply('lost', 'This was lost.'));
    await panel.host.play(reply('next', 'This was not.'));
    await panel.page.getByText('This was lost.').waitFor();
    assert.deepEqual(await drawn(), ['t1/prompt', 'b0', 'b1', 'b2', 'lost', 'next']);
  });

  it('the whole output of a call is fetched piece by piece', async () => {
    const whole = Array.from({ length: 2_000 }, (_, line) => `line ${line}`).join('\n');
    const shell = {
      kind: 'shell',
      command: 'make',
      cwd: '',
      tail: 'line 1999',
      moreChars: whole.length - 9,
      exit: { code: 0, timedOut: false },
    } as const;
    panel = await openPanel(browser, {
      events: [
        prompt('Go'),
        queued('bash-1', 'bash', 'shell', 'Run make'),
        started('bash-1'),
        done('bash-1', shell, whole.length),
      ],
    });
    panel.host.outputs.set('bash-1', whole);
    await panel.page.getByRole('button', { name: 'Show the whole output' }).click();
    await panel.page.getByRole('button', { name: 'Show more' }).click();
    await panel.page.getByRole('button', { name: 'Show more' }).waitFor({ state: 'detached' });
    assert.equal(await panel.page.locator('pre.whole').textContent(), whole);
  });

  it('G8: a long text shows both its ends, what lies between by its length, and the whole on request', async () => {
    const whole = Array.from({ length: 3_000 }, (_, line) => `line ${line}`).join('\n');
    const text = {
      kind: 'text',
      text: whole.slice(0, 100),
      moreChars: whole.length - 150,
      tail: whole.slice(-50),
    } as const;
    panel = await openPanel(browser, {
      events: [prompt('Go'), queued('a', 'probe', 'shell', 'Probe'), started('a'), done('a', text, whole.length)],
    });
    panel.host.outputs.set('a', whole);
    await panel.page.getByRole('button', { name: 'Probe' }).click();
    await panel.page.getByText('⋯ 28,739 more characters').waitFor();
    assert.deepEqual(await panel.page.locator('pre.output').allTextContents(), [text.text, text.tail]);
    await panel.page.getByRole('button', { name: 'Show the whole output' }).click();
    const shown = (await panel.page.locator('pre.whole').textContent()) ?? '';
    assert.ok(whole.startsWith(shown) && shown.length > 10_000);
  });

  it('links, files and diffs open through the host', async () => {
    const diff = {
      kind: 'diff',
      files: [{ path: 'src/a.ts', change: 'edited', added: 1, removed: 0, hunks: [] }],
    } as const;
    panel = await openPanel(browser, {
      events: [
        prompt('Go'),
        reply('b1', 'See [docs](https://example.com/a) and [code](src/a.ts:7).'),
        queued('edit-1', 'edit', 'edit', 'Edit src/a.ts'),
        done('edit-1', diff),
      ],
    });
    await panel.page.getByText('docs').click();
    await panel.page.getByRole('button', { name: 'code' }).click();
    await panel.page.getByRole('button', { name: 'Open diff' }).click();
    const opened = panel.host.asked
      .filter(({ name }) => name.endsWith('/open'))
      .map(({ name, payload }) => ({ name, payload }));
    assert.deepEqual(opened, [
      { name: 'link/open', payload: { sessionId: 's1', url: 'https://example.com/a' } },
      { name: 'file/open', payload: { sessionId: 's1', path: 'src/a.ts', line: 7 } },
      { name: 'diff/open', payload: { sessionId: 's1', call: 'edit-1', path: 'src/a.ts' } },
    ]);
    assert.deepEqual(panel.requests, []);
  });

  it('a countdown runs until the next attempt, and can be stopped', async () => {
    panel = await openPanel(browser, { events: [prompt('Go')], state: { running: true } });
    await panel.host.play({
      type: 'retry/waiting',
      attempt: 2,
      attempts: 8,
      delayMs: 9_000,
      reason: 'Overloaded.',
      transient: true,
    });
    await panel.page.getByText(/Trying again in [1-9] s/).waitFor();
    await panel.page.locator('.row-retry vscode-button').click();
    await panel.host.play({ type: 'request/started', model: 'm', attempt: 2, transient: true });
    await panel.page.getByText('Tried again (attempt 2 of 8)').waitFor();
    assert.equal(panel.host.askedFor('turn/stop').length, 1);
  });

  it('I5: a call that is far back is in view with the focus when it is to be revealed; one that is gone is told', async () => {
    const call = [
      queued('far', 'edit', 'edit', 'Edit src/a.ts'),
      started('far'),
      done('far', { kind: 'text', text: 'x' }),
    ];
    panel = await openPanel(browser, { events: [...talk(300), ...call, ...talk(300).slice(1).map(renamed)] });
    await setTimeout(DRAWN_MS);
    await panel.host.tell({ type: 'row/reveal', row: 'far' });
    await panel.page.locator('[data-row="far"] button:focus').waitFor();
    await setTimeout(DRAWN_MS);
    const { height } = panel.page.viewportSize() ?? { height: 0 };
    const top = await topOf('far');
    await panel.host.tell({ type: 'row/reveal', row: 'rewound' });
    await panel.page.getByText('no part of the conversation any more').waitFor();
    assert.deepEqual(
      { isInView: top > 0 && top < height, moved: (await topOf('far')) - top < 1 },
      { isInView: true, moved: true },
    );
  });

  it('what it was shown is there again after the page was dropped', async () => {
    panel = await openPanel(browser, { events: talk(3) });
    await panel.host.play(reply('later', 'Said while it was shown.'));
    await panel.page.reload();
    await panel.page.getByText('Said while it was shown.').waitFor();
    assert.deepEqual(await drawn(), ['t1/prompt', 'b0', 'b1', 'b2', 'later']);
  });
});
