// The package as a person installs it: it holds what it needs and nothing else, and works from where VS Code puts it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { accessSync, constants, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { matching, reply, text, toolUse } from '../support/model-server/scenario';
import { startModelServer, type ModelServer } from '../support/model-server/server';
import { packageExtension } from '../support/package.mjs';
import { openPanel, sendPrompt, toolCards, waitForEnd } from '../support/panelDriver.mjs';
import { root } from '../support/sourceTree';
import { openWorkbench, type Session } from '../support/vscode-host/session.mjs';
import { saveScreenshot } from '../support/screenshots';

const SCENARIO = [
  reply(toolUse('grep', { pattern: 'quantity', output_mode: 'content' })),
  reply(text('Found it.'), { when: { lastToolResult: matching(/cart\.js/) } }),
];

describe('the package', function () {
  this.timeout(240_000);
  const folder = mkdtempSync(join(tmpdir(), 'lathe-vsix-'));
  let server: ModelServer;
  let workbench: Session;
  let installed: string;

  before(async () => {
    const { file } = await packageExtension({ out: join(folder, 'lathe.vsix') });
    server = await startModelServer(SCENARIO);
    workbench = await openWorkbench({
      fixture: join(root, 'media/demo'),
      vsix: file,
      userSettings: { 'lathe.baseUrl': server.url, 'lathe.model': 'claude-sonnet-5-5' },
      env: { ANTHROPIC_API_KEY: undefined },
    });
    const extensions = join(workbench.root, 'extensions');
    installed = join(extensions, readdirSync(extensions).find((name) => name.startsWith('lathe.lathe-')) ?? 'missing');
  });

  after(async () => {
    await workbench?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('holds the product and nothing of its making', () => {
    const files = readdirSync(installed, { recursive: true, encoding: 'utf8' }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    const unwanted = files.filter((file) => /(^|\/)(src|test|node_modules|out)(\/|$)|\.(map|ts|tsx)$/.test(file));
    assert.deepEqual(
      unwanted.filter((file) => !file.startsWith('media/demo/')),
      [],
    );
    for (const needed of [
      'dist/extension.js',
      'dist/webview/panel.js',
      'media/demo/src/cart.js',
      'package.nls.json',
      'dist/ThirdPartyNotices.txt',
    ]) {
      assert.ok(files.includes(needed), `${needed} is missing`);
    }
  });

  it('keeps ripgrep executable', () => {
    const rg = join(installed, 'dist/bin', process.platform === 'win32' ? 'rg.exe' : 'rg');
    accessSync(rg, constants.X_OK);
    assert.match(execFileSync(rg, ['--version'], { encoding: 'utf8' }), /^ripgrep \d/);
  });

  it('opens its panel and runs a tool', async () => {
    const frame = await openPanel(workbench);
    await sendPrompt(frame, 'Where is the quantity used?');
    await waitForEnd(frame);
    assert.deepEqual(
      (await toolCards(frame)).map((card) => card.split(': ').at(-1)),
      ['Done'],
    );
    assert.match(await frame.locator('.row-text').last().innerText(), /Found it/);
    assert.deepEqual(server.problems(), []);
    await saveScreenshot(workbench, 'installed');
  });
});
