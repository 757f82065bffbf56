// Commands in a real workbench: changed before they run, kept as a rule, answered in the terminal, ended with the window.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { eventually } from '../support/eventually';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { startModelServer, type ModelServer } from '../support/model-server/server';
import { answerAsk, openPanel, sendPrompt, toolCards, waitForAsk, waitForEnd } from '../support/panelDriver.mjs';
import { saveScreenshot } from '../support/screenshots';
import { root } from '../support/sourceTree';
import { openWorkbench, type Session } from '../support/vscode-host/session.mjs';

const KEY = 'e2e-key';

describe('commands that ask', function () {
  this.timeout(180_000);
  let server: ModelServer;
  let workbench: Session;
  let view: Frame;
  let turns = 0;

  before(async () => {
    server = await startModelServer([], { apiKey: KEY });
    workbench = await openWorkbench({
      fixture: join(root, 'media/demo'),
      extension: root,
      userSettings: { 'lathe.baseUrl': server.url },
      env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url },
      viewport: { width: 1440, height: 900 },
    });
    view = await openPanel(workbench);
  });

  after(async () => {
    await workbench?.close();
    await server?.close();
  });

  const pressInAsk = (button: string) =>
    view.locator('.ask vscode-button:not([disabled])', { hasText: button }).last().click();
  const lastResult = () => JSON.stringify(server.messageRequests().at(-1)?.body);
  const end = () => waitForEnd(view, { turns });

  async function propose(command: string, more: Record<string, unknown> = {}): Promise<void> {
    server.push(reply(toolUse('bash', { command, description: 'Do it', ...more })), reply(text('Over.')));
    turns += 1;
    await sendPrompt(view, 'Go on');
  }

  it('a command is changed before it runs, and the model is told', async () => {
    await propose('touch theirs.txt');
    await waitForAsk(view);
    await pressInAsk('Change…');
    await view.locator('.change-text').fill('touch mine.txt');
    await answerAsk(view, /Run my version/);
    await end();
    assert.match(lastResult(), /The person changed the command before they allowed it, to:\\ntouch mine\.txt/);
  });

  it('S22: a rule that is kept stands in the user’s settings and holds at once', async () => {
    await propose('touch a.txt');
    await waitForAsk(view);
    await view.locator('.ask .disclosure').click();
    await saveScreenshot(workbench, 'rule');
    await pressInAsk('Always');
    await end();
    await propose('touch b.txt');
    await end();
    const settings = readFileSync(join(workbench.root, 'user/User/settings.json'), 'utf8');
    assert.deepEqual(JSON.parse(settings)['lathe.permission.allow'], ['bash(touch:*)']);
    assert.equal((await toolCards(view)).at(-1), 'Do it: Done');
  });

  it('S22: in the next session the same command passes, and its card names the rule', async () => {
    await workbench.page.locator('.part.auxiliarybar .action-label.codicon-add').first().click();
    await view.locator('.rows .empty').waitFor();
    turns = 0;
    await propose('touch c.txt');
    await end();
    assert.equal(await view.locator('.allowed-by').innerText(), 'Allowed by the rule bash(touch:*)');
  });

  it('S21: a proposed file is changed in the editor’s diff, which then closes without a question', async () => {
    const { page } = workbench;
    server.push(reply(toolUse('write', { file_path: 'new.txt', content: 'one\ntwo\n' })), reply(text('Over.')));
    turns += 1;
    await sendPrompt(view, 'Write it');
    await waitForAsk(view);
    await pressInAsk('Change…');
    await page.locator('.tab', { hasText: 'new.txt (as you want it)' }).waitFor();
    await page.locator('.editor.modified .view-lines:not(.line-delete)').click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('zero ');
    await answerAsk(view, /Apply my version/);
    await end();
    await page.locator('.tab', { hasText: 'new.txt (as you want it)' }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.monaco-dialog-box').count(), 0);
    assert.equal(readFileSync(join(workbench.workspace ?? '', 'new.txt'), 'utf8'), 'zero one\ntwo\n');
    assert.match(lastResult(), /The person changed your text of new\.txt/);
  });

  it('R42: a command that asks is answered in the terminal', async () => {
    await propose('read -p "Name? " name; echo "Hello $name"');
    await waitForAsk(view);
    await answerAsk(view, 'Allow once');
    await view.locator('.tool .output', { hasText: 'Name?' }).waitFor();
    await view.getByText('Show terminal').last().click();
    await workbench.page.locator('.xterm').last().click();
    await workbench.page.keyboard.type('Ada\n');
    await end();
    await saveScreenshot(workbench, 'terminal');
    assert.match(lastResult(), /Hello Ada\\nThe person typed into it\./);
    assert.deepEqual(server.problems(), []);
  });

  it('R41: what runs in the background ends with the editor, however that ends', async () => {
    await propose('echo "pid=$$"; sleep 600; true', { run_in_background: true });
    await waitForAsk(view);
    await answerAsk(view, 'Allow once');
    await end();
    const pid = Number(/pid=(\d+)/.exec(lastResult())?.[1]);
    assert.equal(isAlive(pid), true);
    await workbench.close();
    await eventually('the command has ended', async () => !isAlive(pid));
  });
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
