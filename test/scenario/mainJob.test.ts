// The main job with the demo model on the demo project: real loop, real tools, real tests of the project before and after.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentEvent } from '../../src/common/events';
import { createAskQueue } from '../../src/core/permission/askQueue';
import { demoProvider } from '../../src/core/provider/demo';
import { openSession } from '../../src/core/session/session';
import { createNodeHost } from '../../src/node/host';
import { programStarter } from '../../src/node/program';
import { TOOLS } from '../../src/tools/index';
import { createQuickClock } from '../support/clock';

const DEMO = new URL('../../../media/demo', import.meta.url);

function projectTestsPass(folder: string): boolean {
  return spawnSync(process.execPath, ['--test'], { cwd: folder, timeout: 30_000 }).status === 0;
}

describe('the main job', () => {
  it('finds the bug, asks, fixes it and proves it', async () => {
    const outside = await realpath(await mkdtemp(join(tmpdir(), 'lathe-job-')));
    const root = join(outside, 'demo');
    await cp(DEMO, root, { recursive: true });
    try {
      assert.equal(projectTestsPass(root), false, 'the bug is there');
      const log = { info: () => {}, warn: () => {}, error: () => {} };
      const host = createNodeHost({ roots: [root], storeDir: join(outside, 'store'), clock: createQuickClock(), log });
      const asker = createAskQueue();
      const session = await openSession({
        host,
        tools: TOOLS,
        asker,
        start: programStarter(),
        provider: async () => demoProvider(host),
        mode: 'ask',
      });
      const events: AgentEvent[] = [];
      session.subscribe((event) => {
        events.push(event);
        if (event.type !== 'ask/opened') return;
        // The ask is there before anybody can be waiting for its answer.
        setImmediate(() => asker.answer(event.ask.id, { kind: 'permission', decision: 'once' }));
      });
      assert.equal(await session.prompt('Fix the failing test'), 'done');
      await session.flush();

      const asked = events.flatMap((event) =>
        event.type === 'ask/opened' && event.ask.kind === 'permission' ? [event.ask.tool] : [],
      );
      assert.deepEqual(asked, ['bash', 'edit', 'bash']);
      const runs = events.flatMap((event) =>
        event.type === 'tool/finished' && event.display?.kind === 'shell' ? [event.display.exit?.code] : [],
      );
      assert.deepEqual(runs, [1, 0], 'the tests fail before and pass after');
      assert.deepEqual(
        session
          .todos()
          .map(({ status }) => status)
          .filter((status) => status !== 'completed'),
        [],
      );
      assert.match(await readFile(join(root, 'src/cart.js'), 'utf8'), /item\.price \* item\.quantity/);
      assert.equal(projectTestsPass(root), true);
    } finally {
      await rm(outside, { recursive: true, force: true });
    }
  });
});
