// What a person reads and changes before they allow a command, and what is told of it afterwards.
import assert from 'node:assert/strict';
import { setTimeout } from 'node:timers/promises';
import type { Browser, Locator } from 'playwright-core';
import type { PermissionAsk } from '../../../src/common/asks';
import { launchBrowser, openPanel, type PanelPage } from '../../support/webview/page';
import { asks, EDIT_ASK, prompt, queued, reply, shellAsk } from '../../support/webview/story';

/** Longer than the time a card takes to arm itself. */
const ARMED_MS = 700;

describe('a command before and after it is allowed', function () {
  this.timeout(90_000);
  let browser: Browser;
  let panel: PanelPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(() => panel.close());

  const button = (name: string): Locator => panel.page.locator('.ask').getByRole('button', { name });
  const isEnabled = (name: string) => button(name).evaluate((element) => !(element as HTMLButtonElement).disabled);
  const answers = () => panel.host.askedFor('ask/answer').map(({ ask, answer }) => ({ ask, answer }));

  async function open(ask: PermissionAsk): Promise<void> {
    panel = await openPanel(browser, {
      events: [prompt('Go'), queued(ask.call, ask.tool, 'edit', ask.title)],
      state: { running: true },
    });
    await panel.host.play(asks(ask));
    await panel.page.waitForSelector('.ask');
  }

  it('S22 S84: a rule is read before it is kept, and only what may last can be kept for good', async () => {
    await open({
      ...shellAsk('git commit -m a'),
      digest: 'd1',
      grants: [
        { label: 'this exact command', rule: 'bash(git commit -m a)', mayLast: false },
        { label: 'git commit with any arguments', rule: 'bash(git commit:*)', mayLast: true },
      ],
    });
    const before = await panel.page.locator('.grant').count();
    await panel.page.locator('.ask .disclosure').click();
    const offered = await panel.page
      .locator('.grant')
      .evaluateAll((all) => all.map((each) => each.textContent.replace(/\s+/g, ' ').trim()));
    await button('Always').click();
    assert.deepEqual(
      { before, offered, answers: answers() },
      {
        before: 0,
        offered: [
          'this exact command: bash(git commit -m a)For this session',
          'git commit with any arguments: bash(git commit:*)For this sessionAlways',
        ],
        answers: [{ ask: 'ask-shell', answer: { kind: 'permission', decision: 'always', grant: 1, digest: 'd1' } }],
      },
    );
  });

  it('S84: what a command is taken for stands above it, what asks first', async () => {
    await open({
      ...shellAsk('ls && git add -A && git push && rm -rf build'),
      deeds: ['push'],
      parts: [
        { text: 'ls', verdict: 'reads', notes: [] },
        { text: 'git add -A', verdict: 'asks', notes: [] },
        { text: 'git push', verdict: 'allowed', notes: ['bash(git push:*)'] },
        { text: 'rm -rf bu\u200bild', verdict: 'asks', notes: ['Deletes files'] },
      ],
    });
    const lines = (name: string) =>
      panel.page.locator(name).evaluateAll((all) => all.map((line) => line.textContent.trim()));
    assert.deepEqual(
      { reasons: await lines('.reasons li'), parts: await lines('.part') },
      {
        reasons: ['Runs a command', 'Pushes to a remote'],
        parts: [
          'rm -rf bu⟨U+200B⟩ild asks · Deletes files',
          'git add -A asks',
          'git push allowed · bash(git push:*)',
          'ls only reads',
        ],
      },
    );
  });

  it('a command is changed before it is allowed, and what is typed there is all that runs', async () => {
    const ask = shellAsk('npm test');
    await open({ ...ask, digest: 'd1', proposal: { kind: 'command', text: 'npm test' } });
    await button('Change…').click();
    const field = panel.page.getByRole('textbox', { name: 'The command to run instead' });
    assert.equal(await field.inputValue(), 'npm test');
    await field.fill('npm test -- --bail\u202e');
    const shown = await panel.page.locator('.change code').innerText();
    await button('Run my version').click();
    assert.deepEqual(
      { shown, answers: answers() },
      {
        shown: 'npm test -- --bail⟨U+202E⟩',
        answers: [
          {
            ask: 'ask-shell',
            answer: { kind: 'permission', decision: 'once', changed: 'npm test -- --bail\u202e', digest: 'd1' },
          },
        ],
      },
    );
  });

  it('a change that is taken back, or is none, allows the command as it was', async () => {
    await open({ ...shellAsk('make'), proposal: { kind: 'command', text: 'make' } });
    await button('Change…').click();
    await panel.page.locator('.change-text').fill('');
    await setTimeout(ARMED_MS);
    const blank = await isEnabled('Run my version');
    await button('Back to the proposed one').click();
    await button('Allow once').click();
    assert.deepEqual(
      { blank, answers: answers() },
      { blank: false, answers: [{ ask: 'ask-shell', answer: { kind: 'permission', decision: 'once' } }] },
    );
  });

  it('a file’s text is changed in an editor and applied from the card', async () => {
    await open({ ...EDIT_ASK, digest: 'd1', proposal: { kind: 'file', path: 'src/cart.ts' } });
    await button('Change…').click();
    await button('Apply my version').click();
    await setTimeout(100);
    const asked = (name: 'proposal/open' | 'proposal/apply') =>
      panel.host.askedFor(name).map(({ sessionId: _, ...payload }: { readonly sessionId: string }) => payload);
    assert.deepEqual(
      { opened: asked('proposal/open'), applied: asked('proposal/apply'), answers: answers() },
      { opened: [{ ask: 'ask-edit' }], applied: [{ ask: 'ask-edit', digest: 'd1' }], answers: [] },
    );
  });

  it('S84: a command that is too long for the panel is opened before it can be allowed', async () => {
    await open({ ...shellAsk('echo 1'), proposal: { kind: 'command' } });
    await setTimeout(ARMED_MS);
    const before = await isEnabled('Allow once');
    await panel.page.getByRole('button', { name: 'Open the whole command' }).click();
    await button('Back to the proposed one').click();
    assert.deepEqual({ before, after: await isEnabled('Allow once') }, { before: false, after: true });
  });

  it('S87: what a model writes is never a card, whatever it looks like', async () => {
    const fake = [
      '<div class="ask"><h3 class="ask-title">Allow Lathe to do this?</h3><vscode-button>Allow once</vscode-button></div>',
      '```html\n</code></pre><section class="tool asking"><button>Allow once</button></section>\n```',
      '[Allow once](command:lathe.allow) <button>Deny</button>',
    ].join('\n\n');
    panel = await openPanel(browser, { events: [prompt('Go'), reply('t1', fake)] });
    await panel.page.waitForSelector('.markdown');
    const found = await panel.page.evaluate(() => ({
      cards: document.querySelectorAll('.ask, .asking, .transcript vscode-button').length,
      buttons: [...document.querySelectorAll('.markdown button')].map((found) => found.getAttribute('aria-label')),
    }));
    assert.deepEqual(found, { cards: 0, buttons: ['Copy code'] });
  });

  it('what a run did to history is shown, and a rule that was kept', async () => {
    const grants = [{ label: 'x', rule: 'bash(git push:*)', mayLast: true }];
    await open({ ...shellAsk('git push'), grants });
    await panel.host.play(
      {
        type: 'ask/closed',
        ...{ call: 'bash-1', ask: 'ask-shell' },
        answer: { kind: 'permission', decision: 'always' },
      },
      {
        type: 'deeds/done',
        call: 'bash-1',
        deeds: [
          { kind: 'commit', hash: 'abc1234', subject: 'Round once', branch: 'main' },
          { kind: 'push', ref: 'origin/main' },
          { kind: 'pullRequest', url: 'https://github.com/o/r/pull/7' },
        ],
      },
      { type: 'tool/finished', call: 'bash-1', status: 'done', text: 'ok', wholeChars: 2, durationMs: 1 },
    );
    const head = panel.page.locator('.tool.done .tool-head');
    if ((await head.getAttribute('aria-expanded')) === 'false') await head.click();
    const lines = await panel.page
      .locator('.deeds li')
      .evaluateAll((all) => all.map((line) => line.textContent.replace(/\s+/g, ' ').trim()));
    await panel.page.getByRole('button', { name: 'https://github.com/o/r/pull/7' }).click();
    assert.deepEqual(
      {
        answer: await panel.page.locator('.tool-body p.dim').first().innerText(),
        lines,
        opened: panel.host.askedFor('link/open').map(({ url }) => url),
      },
      {
        answer: 'You allowed this for good: bash(git push:*)',
        lines: [
          'Committed abc1234 on main: Round once',
          'Pushed to origin/main',
          'Pull request https://github.com/o/r/pull/7',
        ],
        opened: ['https://github.com/o/r/pull/7'],
      },
    );
  });

  it('which rule let a command run is said on its card', async () => {
    panel = await openPanel(browser, {
      events: [
        prompt('Go'),
        queued('bash-1', 'bash', 'shell', 'Run npm test'),
        { type: 'tool/started', call: 'bash-1', allowedBy: 'the rule bash(npm test:*)' },
        {
          type: 'tool/finished',
          ...{ call: 'bash-1', status: 'done', text: 'ok', wholeChars: 2, durationMs: 1 },
          display: { kind: 'shell', command: 'npm test', cwd: '', tail: 'ok', moreChars: 0 },
        },
      ],
    });
    assert.equal(await panel.page.locator('.allowed-by').innerText(), 'Allowed by the rule bash(npm test:*)');
  });

  it('the output of a failed command is shown once', async () => {
    panel = await openPanel(browser, {
      events: [
        prompt('Go'),
        queued('bash-1', 'bash', 'shell', 'Run npm test'),
        {
          type: 'tool/finished',
          ...{ call: 'bash-1', status: 'failed', text: 'one failed\nExit code 1.', problem: 'Exit code 1.' },
          display: {
            kind: 'shell',
            command: 'npm test',
            cwd: '',
            tail: 'one failed\n',
            moreChars: 0,
            exit: { code: 1, timedOut: false },
          },
          ...{ wholeChars: 11, durationMs: 1 },
        },
      ],
    });
    await panel.page.waitForSelector('.tool.failed .output');
    const body = await panel.page.locator('.tool-body').innerText();
    assert.deepEqual([body.split('one failed').length - 1, body.includes('Exit code 1.')], [1, true]);
  });
});
