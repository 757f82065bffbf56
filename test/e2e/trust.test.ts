// A workspace that is not trusted, in a real workbench: the panel says so, nothing runs, and trust given there counts at once.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { startModelServer, type ModelServer } from '../support/model-server/server';
import { openPanel, sendPrompt, toolCards, waitForEnd } from '../support/panelDriver.mjs';
import { saveScreenshot } from '../support/screenshots';
import { root } from '../support/sourceTree';
import { openWorkbench, type Session } from '../support/vscode-host/session.mjs';

const KEY = 'e2e-key';

describe('workspace trust', function () {
  this.timeout(180_000);
  let server: ModelServer;
  let workbench: Session;
  let view: Frame;

  before(async () => {
    server = await startModelServer([], { apiKey: KEY });
    workbench = await openWorkbench({
      fixture: join(root, 'media/demo'),
      extension: root,
      trust: 'ask',
      userSettings: { 'lathe.baseUrl': server.url, 'lathe.permission.mode': 'acceptEdits' },
      env: { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url },
      viewport: { width: 1440, height: 900 },
    });
    view = await openPanel(workbench);
  });

  after(async () => {
    await workbench?.close();
    await server?.close();
  });

  it('S50: only reads run, the panel says why, and trust counts without a reload', async () => {
    await view.getByText('This workspace is not trusted').waitFor();
    server.push(
      reply(
        toolUse('read', { file_path: 'package.json' }),
        toolUse('bash', { command: 'ls', description: 'List' }),
        toolUse('write', { file_path: 'made.txt', content: 'x' }),
      ),
      reply(text('Only read.')),
    );
    await sendPrompt(view, 'Look around');
    await waitForEnd(view);
    await saveScreenshot(workbench, 'untrusted');
    assert.deepEqual((await toolCards(view)).map((card) => card.split(': ').at(-1)).sort(), [
      'Denied',
      'Denied',
      'Done',
    ]);
    await view.getByRole('button', { name: 'Manage workspace trust' }).click();
    await workbench.page
      .getByRole('button', { name: /^Trust$/ })
      .first()
      .click();
    await view.getByText('This workspace is not trusted').waitFor({ state: 'detached' });
    await workbench.page.locator('.monaco-modal-editor-block .codicon-close').last().click();
    await workbench.page.locator('.monaco-modal-editor-block').waitFor({ state: 'detached' });
    server.push(reply(toolUse('write', { file_path: 'made.txt', content: 'x' })), reply(text('Made.')));
    await sendPrompt(view, 'Now make it');
    await waitForEnd(view, { turns: 2 });
    assert.equal((await toolCards(view)).at(-1)?.split(': ').at(-1), 'Done');
    assert.deepEqual(server.problems(), []);
  });
});
