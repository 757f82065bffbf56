// Writing: what sends and what does not, what is kept, and how a turn is stopped.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Browser, CDPSession } from 'playwright-core';
import { launchBrowser, openPanel, type PanelOptions, type PanelPage } from '../../support/webview/page';
import { prompt, reply } from '../../support/webview/story';

const SETTLED_MS = 600;

describe('composer of the panel', function () {
  this.timeout(90_000);
  let browser: Browser;
  let panel: PanelPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(() => panel.close());

  const text = () => panel.page.locator('textarea').inputValue();
  const sent = () => panel.host.askedFor('prompt/send').map((payload) => payload.text);

  interface Outcome {
    readonly sent?: readonly string[];
    readonly left?: string;
    readonly stops?: number;
  }

  function check(name: string, options: PanelOptions, act: () => Promise<void>, expected: Outcome): void {
    it(name, async () => {
      panel = await openPanel(browser, options);
      await panel.page.locator('textarea').focus();
      await act();
      await setTimeout(100);
      const stops = panel.host.askedFor('turn/stop').length;
      assert.deepEqual({ sent: sent(), left: await text(), stops }, { sent: [], left: '', stops: 0, ...expected });
    });
  }

  const type = (words: string) => panel.page.keyboard.type(words);
  const press = (key: string) => panel.page.keyboard.press(key);
  const RUNNING = { events: [prompt('Go')], state: { running: true } };

  check(
    'Enter sends',
    {},
    async () => {
      await type('Fix it');
      await press('Enter');
    },
    { sent: ['Fix it'] },
  );
  check(
    'Shift+Enter breaks the line',
    {},
    async () => {
      await type('one');
      await press('Shift+Enter');
      await type('two');
    },
    { left: 'one\ntwo' },
  );
  check(
    'nothing is not sent',
    {},
    async () => {
      await type('  ');
      await press('Enter');
    },
    { left: '  ' },
  );
  check(
    'text during a run stays',
    RUNNING,
    async () => {
      await type('next');
      await press('Enter');
    },
    { left: 'next' },
  );
  check('Esc stops a run', RUNNING, () => press('Escape'), { stops: 1 });
  check('the button stops a run', RUNNING, () => panel.page.getByRole('button', { name: 'Stop' }).click(), {
    stops: 1,
  });
  check(
    'Esc without a run does nothing',
    {},
    async () => {
      await type('a');
      await press('Escape');
    },
    { left: 'a' },
  );
  check(
    'Esc closes the menu before it stops anything',
    RUNNING,
    async () => {
      await panel.page.getByRole('button', { name: 'Permission mode' }).click();
      await press('Escape');
    },
    {},
  );
  check('the draft of the host is there', { draft: 'not sent yet' }, async () => {}, { left: 'not sent yet' });
  check(
    'text from a command is put in, not sent',
    {},
    () => panel.host.tell({ type: 'composer/insert', text: 'Explain @src/a.ts' }),
    { left: 'Explain @src/a.ts' },
  );

  it('Enter of an input method does not send', async () => {
    panel = await openPanel(browser);
    await panel.page.locator('textarea').focus();
    const keyboard: CDPSession = await panel.page.context().newCDPSession(panel.page);
    await keyboard.send('Input.imeSetComposition', { text: 'にほん', selectionStart: 3, selectionEnd: 3 });
    // What browsers send for the Enter that picks a candidate.
    await panel.page.locator('textarea').evaluate((box) => {
      box.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true, cancelable: true }),
      );
      box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }));
    });
    await keyboard.send('Input.insertText', { text: '日本' });
    await setTimeout(100);
    assert.deepEqual({ sent: sent(), text: await text() }, { sent: [], text: '日本' });
    await press('Enter');
    await panel.page.waitForFunction(() => document.querySelector('textarea')?.value === '');
    assert.deepEqual(sent(), ['日本']);
  });

  it('a prompt that is not taken stays, with the reason', async () => {
    panel = await openPanel(browser);
    panel.host.refuse('prompt/send', 'The session file cannot be written: the disk is full.');
    await panel.page.locator('textarea').fill('Fix it');
    await press('Enter');
    await panel.page.getByText('the disk is full').waitFor();
    assert.equal(await text(), 'Fix it');
  });

  it('a prompt too long for a message stays, with what to do', async () => {
    panel = await openPanel(browser);
    const long = 'x'.repeat(70_000);
    await panel.page.locator('textarea').fill(long);
    await press('Enter');
    await panel.page.getByText('too long for one message').waitFor();
    assert.deepEqual({ sent: sent(), length: (await text()).length }, { sent: [], length: long.length });
  });

  it('the draft is saved with the host and outlives the page', async () => {
    panel = await openPanel(browser);
    await panel.page.locator('textarea').fill('half a thought');
    await setTimeout(SETTLED_MS);
    await panel.page.reload();
    await panel.page.waitForSelector('textarea');
    assert.deepEqual(
      { saved: panel.host.askedFor('draft/save').at(-1)?.text, text: await text() },
      { saved: 'half a thought', text: 'half a thought' },
    );
  });

  it('a mode is chosen with the keyboard', async () => {
    panel = await openPanel(browser);
    await panel.page.getByRole('button', { name: 'Permission mode' }).focus();
    for (const key of ['Enter', 'ArrowDown', 'ArrowDown', 'Enter']) await press(key);
    await panel.page.getByRole('button', { name: 'Permission mode: Plan' }).waitFor();
    assert.deepEqual(panel.host.askedFor('mode/set'), [{ sessionId: 's1', mode: 'plan' }]);
  });

  it('typing stays quick in a long conversation', async () => {
    const events = Array.from({ length: 400 }, (_, at) => reply(`b${at}`, `# ${at}\n\n- some **text**\n- more`));
    panel = await openPanel(browser, { events: [prompt('Go'), ...events] });
    await panel.page.locator('textarea').focus();
    const redrawn = await panel.page.evaluate(async () => {
      let changes = 0;
      new MutationObserver((records) => (changes += records.length)).observe(document.querySelector('.rows') as Node, {
        childList: true,
        subtree: true,
        characterData: true,
      });
      const box = document.querySelector('textarea') as HTMLTextAreaElement;
      for (const letter of 'a long line of text') {
        box.value += letter;
        box.dispatchEvent(new InputEvent('input', { bubbles: true }));
        await new Promise(requestAnimationFrame);
      }
      return changes;
    });
    assert.equal(redrawn, 0);
  });
});
