// The main job from end to end in a real VS Code, with the built-in demo model: shows that the demo project's test fails,
// lets the agent fix it through the panel, shows that it passes, and saves a screenshot of the panel.
//
//   npm run demo [-- --screenshot FILE.png]
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { eventPrinter } from './events.mjs';
import { answerAsk, openPanel, sendPrompt, waitForAsk, waitForEnd } from './panelDriver.mjs';
import { openWorkbench } from './vscode-host/session.mjs';

const root = join(import.meta.dirname, '../..');
/** The edit, and the tests before and after it. */
const APPROVALS = 3;

/** @param {string} folder */
function runTests(folder) {
  const { status, stdout } = spawnSync(process.execPath, ['--test'], { cwd: folder, encoding: 'utf8' });
  const failing = /^# fail (\d+)/m.exec(stdout)?.[1] ?? /ℹ fail (\d+)/.exec(stdout)?.[1] ?? '?';
  return { passed: status === 0, summary: status === 0 ? 'all tests pass' : `${failing} tests fail` };
}

/** What the session file has recorded: the same events that the panel was drawn from. @param {string} profile */
function readEvents(profile) {
  const files = readdirSync(profile, { recursive: true, encoding: 'utf8' });
  const session = files.find((file) => /sessions[/\\][^/\\]+\.jsonl$/.test(file));
  if (!session) throw new Error('The session was not stored.');
  const lines = readFileSync(join(profile, session), 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}

async function main() {
  const { values } = parseArgs({ options: { screenshot: { type: 'string' } } });
  const screenshot = resolve(process.env.INIT_CWD ?? '.', values.screenshot ?? join(root, 'out/demo.png'));
  mkdirSync(dirname(screenshot), { recursive: true });
  console.log('Building the extension…');
  await build();
  console.log('Opening VS Code with the demo project…');
  const workbench = await openWorkbench({
    fixture: join(root, 'media/demo'),
    extension: root,
    // Without a key the demo model answers, whatever the person's shell holds.
    env: { ANTHROPIC_API_KEY: undefined },
    viewport: { width: 1440, height: 900 },
    log: console.log,
  });
  try {
    const folder = workbench.workspace ?? '';
    const before = runTests(folder);
    console.log(`Before: ${before.summary}.`);
    const frame = await openPanel(workbench);
    await sendPrompt(frame, 'Fix the failing test');
    for (let i = 0; i < APPROVALS; i++) {
      console.log(`Allowing: ${await waitForAsk(frame)}`);
      await answerAsk(frame, 'Allow once');
    }
    await waitForEnd(frame);
    await workbench.screenshot(screenshot);
    const print = eventPrinter((text) => process.stdout.write(text));
    console.log('\nThe session’s events:\n');
    for (const event of readEvents(workbench.root)) print(event);
    const after = runTests(folder);
    console.log(`\nAfter: ${after.summary}.`);
    console.log(`Screenshot: ${relative(process.cwd(), screenshot)}`);
    if (before.passed || !after.passed) throw new Error('The demo should turn a failing test into a passing one.');
  } catch (error) {
    await workbench.screenshot(screenshot).catch(() => {});
    console.error(`What VS Code showed then: ${relative(process.cwd(), screenshot)}`);
    throw error;
  } finally {
    await workbench.close();
  }
}

try {
  await main();
} catch (error) {
  console.error(`The demo failed: ${/** @type {Error} */ (error).message}`);
  process.exitCode = 1;
}
