// The main job as a person does it, in a real workbench: ask, watch, approve, and find the file changed and the tests run.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import type { Frame } from 'playwright-core';
import { matching, reply, text, toolUse } from '../support/model-server/scenario';
import type { ModelServer } from '../support/model-server/server';
import { answerAsk, openPanel, sendPrompt, toolCards, waitForAsk, waitForEnd } from '../support/panelDriver.mjs';
import type { Session } from '../support/vscode-host/session.mjs';
import { eventually } from '../support/eventually';
import { BUG, FIX, openDemoWorkbench, type DemoWorkbench } from '../support/demoWorkbench';
import { saveScreenshot } from '../support/screenshots';

const SCENARIO = [
  reply(
    text(['I read the cart ', 'and its tests.']),
    toolUse('read', { file_path: 'src/cart.js' }),
    toolUse('read', { file_path: 'test/cart.test.js' }),
  ),
  reply(
    text('The quantity is missing.'),
    toolUse('edit', { file_path: 'src/cart.js', old_string: BUG, new_string: FIX }),
    {
      when: { lastToolResult: matching(/chisel/) },
    },
  ),
  reply(toolUse('bash', { command: 'node --test', description: 'Run the tests' })),
  reply(text('**Fixed**: `total` counts every piece now, and all tests pass.'), {
    when: { lastToolResult: matching(/pass 3/) },
  }),
];

describe('the main job', function () {
  this.timeout(180_000);
  let demo: DemoWorkbench;
  let server: ModelServer;
  let workbench: Session;
  let frame: Frame;

  before(async () => {
    demo = await openDemoWorkbench(SCENARIO);
    ({ server, workbench } = demo);
  });

  after(async () => {
    await demo?.close();
  });

  const cart = () => demo.cart();
  const testsPass = (): boolean => {
    try {
      execFileSync(process.execPath, ['--test'], { cwd: workbench.workspace, stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };

  it('starts from a failing test', () => {
    assert.equal(testsPass(), false);
  });

  it('shows the calls as they come, and asks before it edits', async () => {
    await workbench.openFile('src/cart.js');
    frame = await openPanel(workbench);
    await sendPrompt(frame, 'Fix the failing test');
    assert.match(await waitForAsk(frame), /src\/cart\.js/);
    assert.equal(cart().includes(BUG), true, 'nothing is changed before it is allowed');
    const diff = await frame.locator('.ask .preview').innerText();
    assert.ok(diff.includes(FIX), `the card shows the change: ${diff}`);
    await saveScreenshot(workbench, 'approval');
  });

  it('edits once allowed, and asks before it runs a command', async () => {
    await answerAsk(frame, 'Allow once');
    await waitForAsk(frame);
    assert.ok(cart().includes(FIX), 'the file on disk holds the change');
    assert.match(await frame.locator('.ask .preview').innerText(), /node --test/);
  });

  it('runs the tests and says what came of it', async () => {
    await answerAsk(frame, 'Allow once');
    await waitForEnd(frame);
    const output = frame.locator('.tool .shell .output');
    assert.match(await output.innerText(), /pass 3/);
    assert.match(await frame.locator('.row-text').last().innerText(), /counts every piece now/);
    assert.deepEqual(
      (await toolCards(frame)).map((card) => card.split(': ').at(-1)),
      ['Done', 'Done', 'Done', 'Done'],
    );
    await saveScreenshot(workbench, 'done');
    assert.equal(testsPass(), true);
  });

  it('mirrors the command in a terminal', async () => {
    await frame.getByText('Show terminal').click();
    const rows = workbench.page.locator('.terminal-wrapper.active .xterm-rows');
    const hasRun = async () => (await rows.allInnerTexts()).join('\n').replaceAll('\u00a0', ' ').includes('pass 3');
    await eventually('the end of the run in the terminal', hasRun).finally(() => saveScreenshot(workbench, 'terminal'));
  });

  it('is undone in the editor in one step', async () => {
    await workbench.openFile('src/cart.js');
    assert.ok((await workbench.readEditorText()).includes(FIX));
    await workbench.undo();
    await workbench.page.waitForFunction(
      (bug) =>
        [...document.querySelectorAll('.view-line')].some((line) =>
          line.textContent?.replaceAll('\u00a0', ' ').includes(bug),
        ),
      BUG,
    );
    assert.equal((await workbench.readEditorText()).includes(FIX), false);
  });

  it('sent requests that the API accepts, with the same head each time', () => {
    assert.deepEqual(server.problems(), []);
    assert.equal(server.repliesLeft(), 0);
    const bodies = server.messageRequests().map(({ body }) => body as { system: unknown; tools: { name: string }[] });
    assert.equal(bodies.length, SCENARIO.length);
    assert.equal(new Set(bodies.map(({ system, tools }) => JSON.stringify({ system, tools }))).size, 1);
    const names = bodies[0]?.tools.map(({ name }) => name) ?? [];
    assert.deepEqual(names, [...names].sort());
  });

  it('is all there after the window is reloaded', async () => {
    const before = await toolCards(frame);
    await workbench.reload();
    frame = await openPanel(workbench);
    await waitForEnd(frame);
    assert.deepEqual(await toolCards(frame), before);
    assert.match(await frame.locator('.row-prompt').innerText(), /Fix the failing test/);
  });
});
