// A suite of cards that ask: one browser for all of its tests, a panel for each, and what a person can do in it.
import type { Browser, Locator } from 'playwright-core';
import type { Ask } from '../../../src/common/asks';
import { launchBrowser, openPanel, type PanelOptions, type PanelPage } from './page';
import { asks, prompt, queued } from './story';

/** Longer than the time a card takes to arm itself. */
export const ARMED_MS = 700;

export interface Asking {
  /** The one that is open. */
  readonly panel: PanelPage;
  open(options: PanelOptions): Promise<void>;
  /** A panel in which this is asked. */
  openAsk(ask: Ask): Promise<void>;
  /** Of the card. */
  button(name: string): Locator;
  isEnabled(name: string): Promise<boolean>;
  /** What the host was answered. */
  answers(): readonly { readonly ask: string; readonly answer: unknown }[];
}

export function useAskingPanel(): Asking {
  let browser: Browser;
  let panel: PanelPage;
  before(async () => {
    browser = await launchBrowser();
  });
  after(() => browser.close());
  afterEach(() => panel.close());

  const open = async (options: PanelOptions) => {
    panel = await openPanel(browser, options);
  };
  const button = (name: string) => panel.page.locator('.ask').getByRole('button', { name, exact: true });
  return {
    get panel() {
      return panel;
    },
    open,
    async openAsk(ask) {
      const [tool, title] = ask.kind === 'permission' ? [ask.tool, ask.title] : ['question', 'Ask'];
      await open({ events: [prompt('Go'), queued(ask.call, tool, 'edit', title)], state: { running: true } });
      await panel.host.play(asks(ask));
      await panel.page.waitForSelector('.ask');
    },
    button,
    isEnabled: (name) => button(name).evaluate((element) => !(element as HTMLButtonElement).disabled),
    answers: () => panel.host.askedFor('ask/answer').map(({ ask, answer }) => ({ ask, answer })),
  };
}
