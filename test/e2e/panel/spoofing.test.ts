// What a model could try so that a person allows what they have not read: nothing of it hides, moves or answers anything.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import { ARMED_MS, useAskingPanel } from '../../support/webview/asking';
import { asks, EDIT_ASK, prompt, queued, reply, shellAsk } from '../../support/webview/story';

describe('a card that cannot be spoofed', function () {
  this.timeout(90_000);
  const asking = useAskingPanel();
  const { button, isEnabled, answers, openAsk } = asking;
  const textOf = (selector: string) => asking.panel.page.locator(selector).first().innerText();

  it('S84: however long a command is, its length is told, what asks is in sight, and so are the buttons', async () => {
    const lines = [...Array.from({ length: 400 }, (_, at) => `echo ${at}`), 'rm -rf build'];
    await openAsk({
      ...shellAsk(lines.join('\n')),
      parts: [
        ...Array.from({ length: 59 }, (_, at) => ({ text: `echo ${at}`, verdict: 'reads' as const, notes: [] })),
        { text: 'rm -rf build', verdict: 'asks', notes: ['Deletes files'] },
      ],
      moreParts: 341,
    });
    const inSight = (selector: string) =>
      asking.panel.page
        .locator(selector)
        .first()
        .evaluate((element) => {
          const { top, bottom } = element.getBoundingClientRect();
          return top >= 0 && bottom <= window.innerHeight;
        });
    assert.deepEqual(
      {
        hint: await textOf('.ask-actions > .dim'),
        first: await textOf('.part'),
        last: await asking.panel.page.locator('.parts li').last().textContent(),
        risk: await inSight('.part'),
        deny: await inSight('.buttons vscode-button:nth-child(2)'),
        canAllow: await isEnabled('Allow once'),
      },
      {
        hint: 'Scroll to the end of what will be done (401 lines) to allow it.',
        first: 'rm -rf build asks · Deletes files',
        last: 'and 341 more parts',
        risk: true,
        deny: true,
        canAllow: false,
      },
    );
  });

  it('S85: nothing hides in a path, a reason, a rule, its label, a sub-agent or a tool’s name', async () => {
    const hidden = (text: string) => `${text}\u202e\u200b\u001b[31m`;
    const shown = (text: string) => `${text}⟨U+202E⟩⟨U+200B⟩⟨U+001B⟩[31m`;
    await openAsk({
      ...shellAsk(hidden('make')),
      tool: hidden('mcp__server__tool'),
      title: hidden('Use <b>server</b>'),
      agent: hidden('helper'),
      reasons: [hidden('**Outside** the workspace: /etc/')],
      grants: [{ label: hidden('this <i>exact</i> command'), rule: hidden('bash(make)'), mayLast: true }],
    });
    await asking.panel.page.locator('.ask .disclosure').click();
    const card = (await textOf('.tool.asking')).replace(/\s+/g, ' ');
    const missing = [
      shown('make'),
      shown('Use <b>server</b>'),
      shown('helper'),
      shown('**Outside** the workspace: /etc/'),
      shown('this <i>exact</i> command'),
      shown('bash(make)'),
    ].filter((text) => !card.includes(text));
    const formatted = await asking.panel.page.locator('.ask :is(b, i, strong, em, a, img)').count();
    assert.deepEqual({ missing, formatted }, { missing: [], formatted: 0 });
  });

  it('S85: nothing hides in what a person is told of a denial', async () => {
    await openAsk(shellAsk('make'));
    await asking.panel.host.play(
      {
        type: 'ask/closed',
        ...{ call: 'bash-1', ask: 'ask-shell' },
        answer: { kind: 'permission', decision: 'deny', note: 'no\u202e<b>w</b>' },
      },
      {
        type: 'tool/finished',
        ...{ call: 'bash-1', status: 'denied', text: 'denied', wholeChars: 0, durationMs: 0 },
      },
    );
    await asking.panel.page.locator('.tool.denied').waitFor();
    assert.deepEqual(
      (await textOf('.tool-body')).split('\n').filter((line) => line !== ''),
      ['You denied this. “no⟨U+202E⟩<b>w</b>”', '$', 'make'],
    );
  });

  it('S88: Enter held down while the card appears answers nothing, wherever the focus was', async () => {
    await asking.open({ events: [prompt('Go'), queued('edit-1', 'edit', 'edit', 'Edit')], state: { running: true } });
    const { page } = asking.panel;
    await page.locator('textarea').focus();
    await page.keyboard.down('Enter');
    await asking.panel.host.play(asks(EDIT_ASK));
    await page.waitForSelector('.ask');
    const end = Date.now() + 2 * ARMED_MS;
    while (Date.now() < end) {
      await page.keyboard.down('Enter'); // as a key that repeats
      await setTimeout(30);
    }
    await page.keyboard.up('Enter');
    const focus = await page.evaluate(() => document.activeElement?.tagName);
    assert.deepEqual({ answers: answers(), focus }, { answers: [], focus: 'TEXTAREA' });
  });

  it('S83: an answer that came too late is told until the conversation goes on', async () => {
    await openAsk(EDIT_ASK);
    asking.panel.host.decline('ask/answer');
    await button('Deny').click();
    const told = asking.panel.page.getByText('Your answer came too late');
    await told.waitFor();
    await asking.panel.host.setState({ running: false });
    await told.waitFor({ state: 'detached' });
  });

  it('S87: what a model writes stands in the conversation, and a card in a frame of its own', async () => {
    await asking.open({ events: [prompt('Go'), reply('t1', '### 🛡 Allow Lathe to do this?\n\n**Allow once** Deny')] });
    const frames = () =>
      asking.panel.page.evaluate(() =>
        ['.row-text', '.row .tool.asking'].map((selector) => {
          const element = document.querySelector(selector);
          return element ? getComputedStyle(element).borderTopStyle : 'absent';
        }),
      );
    const before = await frames();
    await asking.panel.host.play(queued('edit-1', 'edit', 'edit', 'Edit'), asks(EDIT_ASK));
    await asking.panel.page.waitForSelector('.ask');
    assert.deepEqual({ before, after: await frames() }, { before: ['none', 'absent'], after: ['none', 'solid'] });
  });
});
