// What the machinery around the calls looks like to a person: a hook’s no, a model in circles, tools found by search, a long result, an image.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { root } from '../support/sourceTree';
import { reply, text, toolUse } from '../support/model-server/scenario';
import type { ModelServer } from '../support/model-server/server';
import { answerAsk, openPanel, sendPrompt, toolCards, waitForAsk, waitForEnd } from '../support/panelDriver.mjs';
import type { Session } from '../support/vscode-host/session.mjs';
import { openDemoWorkbench, type DemoWorkbench } from '../support/demoWorkbench';
import { saveScreenshot } from '../support/screenshots';

const READ = toolUse('read', { file_path: 'src/cart.js' });
const DENY = `cat >/dev/null; echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no shell on Mondays"}}'`;
const LINES = Array.from({ length: 30_000 }, (_, at) => `match number ${at}`).join('\n');
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const SCENARIO = [
  reply(toolUse('bash', { command: 'rm -rf build', description: 'Clean up' })),
  reply(text('Then not.')),
  reply(
    toolUse('toolsearch', { query: 'echo' }),
    toolUse('call', { name: 'mcp__box__echo', input: { text: 'hello' } }),
  ),
  reply(toolUse('grep', { pattern: 'match', path: 'log.txt' }), toolUse('read', { file_path: 'pixel.png' })),
  reply(text('Found and seen.')),
  ...Array.from({ length: 5 }, () => reply(READ)),
  reply(text('I see it now.')),
];

describe('the engine in the panel', function () {
  this.timeout(180_000);
  let demo: DemoWorkbench;
  let server: ModelServer;
  let workbench: Session;
  let frame: Frame;

  before(async () => {
    demo = await openDemoWorkbench(SCENARIO, {
      'lathe.tools.deferAbove': 0,
      'lathe.hooks': { PreToolUse: [{ matcher: 'bash', hooks: [{ type: 'command', command: DENY }] }] },
      'lathe.mcp.servers': { box: { command: process.execPath, args: [join(root, 'test/fixtures/mcp/stdio.mjs')] } },
    });
    ({ server, workbench } = demo);
    writeFileSync(join(workbench.workspace ?? '', 'log.txt'), LINES);
    writeFileSync(join(workbench.workspace ?? '', 'pixel.png'), Buffer.from(PIXEL, 'base64'));
    frame = await openPanel(workbench);
  });

  after(async () => {
    await demo?.close();
  });

  it('says which hook denied a call, and why', async () => {
    await sendPrompt(frame, 'Clean up');
    await waitForEnd(frame);
    await saveScreenshot(workbench, 'hook');
    assert.match(
      await frame.locator('.tool').last().innerText(),
      /The hook “.*” denied this call: no shell on Mondays/,
    );
  });

  it('shows the tool that a dispatched call means, both ends of a long result, and an image', async () => {
    await sendPrompt(frame, 'Look around');
    assert.match(await waitForAsk(frame), /echo of box/);
    await answerAsk(frame, 'Allow once');
    await waitForEnd(frame, { turns: 2 });
    await saveScreenshot(workbench, 'search');
    const cards = await toolCards(frame);
    assert.match(cards.at(-3) ?? '', /echo of box/);
    assert.deepEqual(
      cards.slice(-4).map((card) => card.split(': ').at(-1)),
      ['Done', 'Done', 'Done', 'Done'],
    );
  });

  it('asks the person when the model goes in circles', async () => {
    await sendPrompt(frame, 'Think');
    await frame.locator('.ask').waitFor();
    await saveScreenshot(workbench, 'circles');
    assert.match(await frame.locator('.ask').innerText(), /same result 5 times/);
    await frame.locator('.ask').getByText('Go on', { exact: true }).click();
    await frame.locator('.ask vscode-button', { hasText: 'Send answer' }).click();
    await waitForEnd(frame, { turns: 3 });
    assert.match(await frame.locator('.row-text').last().innerText(), /I see it now/);
    assert.deepEqual(server.problems(), []);
    assert.equal(server.repliesLeft(), 0);
  });
});
