// Approvals: nothing is allowed unseen, by accident, or twice; the host is told exactly what the person chose.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Display } from '../../../src/common/display';
import { ARMED_MS, useAskingPanel } from '../../support/webview/asking';
import { asks, EDIT_ASK, prompt, QUESTION_ASK, queued, reply, shellAsk } from '../../support/webview/story';

const LONG_COMMAND = `echo start${' '.repeat(60)}\n${Array.from({ length: 200 }, (_, line) => `echo ${line}`).join('\n')}\nrm -rf build`;
describe('approval in the panel', function () {
  this.timeout(90_000);
  const asking = useAskingPanel();
  const { button, isEnabled, answers, openAsk } = asking;

  function check(name: string, act: () => Promise<void>, expected: readonly unknown[]): void {
    it(name, async () => {
      await openAsk(EDIT_ASK);
      await act();
      await setTimeout(100);
      assert.deepEqual(answers(), expected);
    });
  }

  const once = { ask: 'ask-edit', answer: { kind: 'permission', decision: 'once' } };
  check('allowed once', () => button('Allow once').click(), [once]);
  const openGrants = () => asking.panel.page.locator('.ask .disclosure').click();
  check(
    'allowed for the session',
    async () => {
      await openGrants();
      await button('For this session').click();
    },
    [{ ask: 'ask-edit', answer: { kind: 'permission', decision: 'session' } }],
  );
  check('denied', () => button('Deny').click(), [
    { ask: 'ask-edit', answer: { kind: 'permission', decision: 'deny' } },
  ]);
  check(
    'denied with a note',
    async () => {
      await asking.panel.page.locator('.ask input').fill('Round first');
      await button('Deny').click();
    },
    [{ ask: 'ask-edit', answer: { kind: 'permission', decision: 'deny', note: 'Round first' } }],
  );
  check('two quick clicks count once', () => button('Allow once').dblclick(), [once]);
  check(
    'Ctrl+Enter in the card allows it once',
    async () => {
      await setTimeout(ARMED_MS);
      await asking.panel.page.locator('.preview').focus();
      await asking.panel.page.keyboard.press('Control+Enter');
    },
    [once],
  );
  check(
    'keys that are meant for the composer allow nothing',
    async () => {
      await setTimeout(ARMED_MS);
      await asking.panel.page.locator('textarea').focus();
      for (const key of ['Enter', 'Control+Enter', 'y', 'Enter', 'Space']) await asking.panel.page.keyboard.press(key);
    },
    [],
  );
  check(
    'Esc in the card allows nothing',
    async () => {
      await setTimeout(ARMED_MS);
      await asking.panel.page.locator('.preview').focus();
      await asking.panel.page.keyboard.press('Escape');
    },
    [],
  );

  check(
    'S88: Enter and Ctrl+Enter among the words of a denial allow nothing',
    async () => {
      await setTimeout(ARMED_MS);
      await asking.panel.page.locator('.ask input').focus();
      for (const key of ['Enter', 'Control+Enter', 'y', 'Control+Enter']) await asking.panel.page.keyboard.press(key);
    },
    [],
  );

  it('takes no focus when it appears', async () => {
    await asking.open({
      events: [prompt('Go'), queued('edit-1', 'edit', 'edit', 'Edit')],
      state: { running: true },
    });
    await asking.panel.page.locator('textarea').focus();
    await asking.panel.host.play(asks(EDIT_ASK));
    await asking.panel.page.waitForSelector('.ask');
    assert.equal(await asking.panel.page.evaluate(() => document.activeElement?.tagName), 'TEXTAREA');
  });

  it('a key or click that was on its way when the card appeared allows nothing', async () => {
    await asking.open({ events: [prompt('Go'), queued('edit-1', 'edit', 'edit', 'Edit')] });
    // In the page: from outside half a second may pass before the click.
    const isEarly = asking.panel.page.evaluate(
      () =>
        new Promise<boolean>((resolve) => {
          new MutationObserver((_, observer) => {
            const allow = [...document.querySelectorAll<HTMLElement>('.ask vscode-button')].find((found) =>
              found.textContent.includes('Allow once'),
            );
            if (!allow) return;
            observer.disconnect();
            allow.click();
            resolve((allow as HTMLButtonElement).disabled);
          }).observe(document.body, { childList: true, subtree: true });
        }),
    );
    await asking.panel.host.play(asks(EDIT_ASK));
    assert.equal(await isEarly, true);
    assert.deepEqual(answers(), []);
  });

  it('a long command is allowed only when its end has been seen, and none of it hides', async () => {
    await openAsk(shellAsk(LONG_COMMAND));
    await setTimeout(ARMED_MS);
    const before = await isEnabled('Allow once');
    const shown = await asking.panel.page.locator('.preview').evaluate((box) => ({
      blanks: box.textContent.includes('␣×60'),
      wrapped: box.scrollWidth <= box.clientWidth,
    }));
    await asking.panel.page.locator('.preview').evaluate((box) => box.scrollTo(0, box.scrollHeight));
    await button('Allow once').click();
    assert.deepEqual(
      { before, ...shown, answers: answers() },
      {
        before: false,
        blanks: true,
        wrapped: true,
        answers: [{ ask: 'ask-shell', answer: { kind: 'permission', decision: 'once' } }],
      },
    );
  });

  it('hidden characters of a command are shown', async () => {
    await openAsk(shellAsk('echo a\u202eb\u200b'));
    assert.equal(await asking.panel.page.locator('.preview .command code').innerText(), 'echo a⟨U+202E⟩b⟨U+200B⟩');
  });

  it('a change that does not fit is opened as a whole first', async () => {
    const preview: Display = {
      kind: 'diff',
      files: [{ path: 'src/big.ts', change: 'edited', added: 900, removed: 900, hunks: [], moreHunks: 40 }],
    };
    await openAsk({ ...EDIT_ASK, preview });
    await setTimeout(ARMED_MS);
    const before = await isEnabled('Allow once');
    await asking.panel.page.getByRole('button', { name: 'Open the whole change' }).click();
    await button('Allow once').click();
    const opened = asking.panel.host.askedFor('diff/open').map(({ call, path }) => ({ call, path }));
    assert.deepEqual(
      { before, opened, answers: answers() },
      {
        before: false,
        opened: [{ call: 'edit-1', path: 'src/big.ts' }],
        answers: [once],
      },
    );
  });

  it('when the host does not take the answer the card stays and says why', async () => {
    await openAsk(EDIT_ASK);
    asking.panel.host.refuse('ask/answer', 'The disk is full.');
    await button('Allow once').click();
    await asking.panel.page.getByText('The disk is full.').waitFor();
    assert.equal(await isEnabled('Allow once'), true);
  });

  it('leaves the focus in the composer when it had it', async () => {
    await openAsk(EDIT_ASK);
    await setTimeout(ARMED_MS);
    await asking.panel.page.locator('.preview').focus();
    await asking.panel.page.keyboard.press('Control+Enter');
    await asking.panel.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    assert.equal(answers().length, 1);
  });

  it('a denial says what the person said, and not what the model is told', async () => {
    await openAsk(EDIT_ASK);
    await asking.panel.host.play(
      {
        type: 'ask/closed',
        ...{ call: 'edit-1', ask: EDIT_ASK.id },
        answer: { kind: 'permission', decision: 'deny', note: 'Round first' },
      },
      {
        type: 'tool/finished',
        ...{ call: 'edit-1', status: 'denied', text: 'The person declined this call.', wholeChars: 0, durationMs: 1 },
      },
    );
    await asking.panel.page.locator('.tool.denied').waitFor();
    assert.equal(await asking.panel.page.locator('.tool-body').innerText(), 'You denied this. “Round first”');
  });

  for (const [width, height] of [
    [200, 500],
    [300, 900],
    [900, 900],
  ] as const) {
    it(`nothing lies on the buttons in a panel of ${width} × ${height}`, async () => {
      const before = Array.from({ length: 30 }, (_, at) => reply(`t${at}`, `Line ${at}`));
      await asking.open({
        events: [prompt('Go'), ...before, queued('edit-1', 'edit', 'edit', 'Edit'), asks(EDIT_ASK)],
        state: { running: true },
        ...{ width, height },
      });
      await asking.panel.page.locator('.preview-end').scrollIntoViewIfNeeded();
      // Beside the card, whose preview would scroll instead.
      await asking.panel.page.locator('.transcript').hover({ position: { x: 3, y: 3 } });
      await asking.panel.page.mouse.wheel(0, -40);
      await asking.panel.page.getByRole('button', { name: 'Jump to latest' }).waitFor();
      await button('Deny').click({ timeout: 3_000 });
      await setTimeout(100);
      assert.deepEqual(answers(), [{ ask: 'ask-edit', answer: { kind: 'permission', decision: 'deny' } }]);
    });
  }

  it('its controls say to a screen reader what they are for', async () => {
    await openAsk(EDIT_ASK);
    const names = () =>
      asking.panel.page.locator('.ask').evaluate((card) =>
        [...card.querySelectorAll('vscode-button, vscode-text-field, vscode-radio, vscode-checkbox')].map((control) => {
          const inner = control.shadowRoot?.querySelector('input, button') ?? control;
          const label = inner.getAttribute('aria-label') ?? control.getAttribute('aria-label');
          return label ?? control.textContent.trim();
        }),
      );
    assert.deepEqual(await names(), ['What Lathe should do instead; sent with Deny', 'Allow once', 'Deny']);
    await asking.panel.close();
    await asking.open({
      events: [prompt('Go'), queued('question-1', 'question', 'ask', 'Ask'), asks(QUESTION_ASK)],
    });
    assert.deepEqual(await names(), [
      'Half up As shops do',
      'Half even As banks do',
      'Your own answer to: How should totals be rounded?',
      'Empty carts',
      'Large numbers Beyond 2^53',
      'Your own answer to: What should be tested?',
      'Send answers',
      'Skip',
    ]);
  });

  it('answers questions with choices and words', async () => {
    await asking.open({
      events: [prompt('Go'), queued('question-1', 'question', 'ask', 'Ask'), asks(QUESTION_ASK)],
    });
    const isReady = () => isEnabled('Send answers');
    const before = await isReady();
    await asking.panel.page.locator('vscode-radio', { hasText: 'Half even' }).click();
    await asking.panel.page.locator('vscode-checkbox', { hasText: 'Empty carts' }).click();
    await asking.panel.page.locator('vscode-checkbox', { hasText: 'Large numbers' }).click();
    await asking.panel.page.locator('.ask input').nth(1).fill('and time zones');
    await button('Send answers').click();
    assert.equal(before, false);
    assert.deepEqual(answers(), [
      {
        ask: 'ask-question',
        answer: {
          kind: 'question',
          answers: [
            { question: 'How should totals be rounded?', chosen: ['Half even'] },
            { question: 'What should be tested?', chosen: ['Empty carts', 'Large numbers'], text: 'and time zones' },
          ],
        },
      },
    ]);
  });

  it('a question is answered with the keyboard alone, and the focus goes to the composer', async () => {
    await asking.open({
      events: [prompt('Go'), queued('question-1', 'question', 'ask', 'Ask'), asks(QUESTION_ASK)],
    });
    await asking.panel.page.locator('.ask input').first().focus();
    for (const key of ['Shift+Tab', 'ArrowDown']) await asking.panel.page.keyboard.press(key);
    await asking.panel.page.locator('.ask input').nth(1).focus();
    for (const key of ['Shift+Tab', 'Space', 'Tab', 'Enter']) await asking.panel.page.keyboard.press(key);
    await asking.panel.page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA', undefined, {
      timeout: 3_000,
    });
    assert.deepEqual(
      answers().map(({ answer }) => answer),
      [
        {
          kind: 'question',
          answers: [
            { question: 'How should totals be rounded?', chosen: ['Half even'] },
            { question: 'What should be tested?', chosen: ['Large numbers'] },
          ],
        },
      ],
    );
  });
});
