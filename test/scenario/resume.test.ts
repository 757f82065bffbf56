// A session after the process died at any moment: nothing that was stored is lost, nothing runs again, the next prompt works.
import assert from 'node:assert/strict';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SessionIndex } from '../../src/core/sessions/sessionIndex';
import { defineTool, type Tool } from '../../src/core/tool/tool';
import { fault, reply, text, thinking, toolUse } from '../support/model-server/scenario';
import { countedTools, withSession, type SessionTest } from '../support/sessionTest';

const todowrite: Tool = defineTool({
  name: 'plan',
  kind: 'plan',
  description: 'Plans.',
  schema: { type: 'object', properties: {} },
  modes: 'all',
  title: () => 'Plan',
  prepare: async () => ({ targets: [], plan: undefined }),
  run: async (_, { state }) => {
    state.setTodos([{ id: '1', content: 'Finish', status: 'in_progress' }]);
    return { text: 'Noted.' };
  },
});

const WORK = [
  reply(thinking('Hm'), text('Look'), toolUse('plan', {}), toolUse('peek', { id: 'a' }), toolUse('poke', { id: 'b' })),
  reply(toolUse('poke', { id: 'c' })),
  reply(text('Done')),
];

function fileOf({ workspace, session }: SessionTest): string {
  return join(workspace.outside, 'store', 'sessions', `${session.id}.jsonl`);
}

/** Runs a turn with calls, then `use` with the bytes of its file. */
async function afterWork(
  use: (test: SessionTest & { readonly bytes: Buffer; readonly runs: readonly string[] }) => Promise<void>,
): Promise<void> {
  const { tools, runs } = countedTools();
  await withSession({ replies: WORK, tools: [...tools, todowrite] }, async (test) => {
    assert.equal(await test.session.prompt('Do the work'), 'done');
    await test.session.flush();
    await use({ ...test, bytes: await readFile(fileOf(test)), runs });
  });
}

/** Puts these bytes in the place of the file, opens it and runs a prompt: the server checks the history. */
async function resumeFrom(test: SessionTest, bytes: Uint8Array): Promise<{ notices: string[]; words: string[] }> {
  await writeFile(fileOf(test), bytes);
  test.server.push(reply(text('Back')));
  const session = await test.reopen();
  const { rows } = session.transcript.page(1000);
  for (const row of rows) if (row.type === 'tool') assert.match(row.state, /^(done|failed|denied|stopped)$/);
  const words = rows.flatMap((row) => (row.type === 'text' || row.type === 'prompt' ? [row.text] : []));
  const notices = rows.flatMap((row) => (row.type === 'notice' ? [row.text] : []));
  assert.equal(await session.prompt('Go on'), 'done');
  await session.flush();
  const stored = (await readFile(fileOf(test), 'utf8')).split('\n').filter((line) => line !== '');
  const last = JSON.parse(stored.at(-1) ?? '') as { type: string };
  assert.equal(last.type, 'turn/finished', 'what comes later is not glued to what was torn');
  return { notices, words };
}

describe('resume', () => {
  it('after a kill at each line of the file', async () => {
    await afterWork(async (test) => {
      const lines = test.bytes.toString('utf8').split(/(?<=\n)/);
      const ran = test.runs.length;
      for (let count = 1; count < lines.length; count++) {
        const { notices } = await resumeFrom(test, Buffer.from(lines.slice(0, count).join('')));
        assert.deepEqual(notices, []);
      }
      assert.equal(test.runs.length, ran, 'nothing ran again');
    });
  });

  it('after a kill at each byte of the last two lines', async () => {
    await afterWork(async (test) => {
      const before = test.bytes.subarray(0, -1).lastIndexOf(10);
      const start = test.bytes.subarray(0, before).lastIndexOf(10) + 1;
      for (let end = start; end <= test.bytes.length; end += 13) {
        const { words } = await resumeFrom(test, test.bytes.subarray(0, end));
        assert.deepEqual(words, ['Do the work', 'Look', 'Done']);
      }
    });
  });

  const checkDamage = (name: string, damage: (lines: string[]) => string, notice: RegExp | undefined): void => {
    it(name, async () => {
      await afterWork(async (test) => {
        const lines = test.bytes.toString('utf8').split(/(?<=\n)/);
        const { notices, words } = await resumeFrom(test, Buffer.from(damage(lines)));
        assert.equal(notices.length, notice ? 1 : 0, notices.join('\n'));
        if (notice) assert.match(notices[0] ?? '', notice);
        assert.deepEqual(words, ['Do the work', 'Look', 'Done']);
      });
    });
  };
  checkDamage('two entries on one line', (lines) => lines.join('').replace('\n', ''), undefined);
  checkDamage('NULs at the end', (lines) => `${lines.join('')}${'\0'.repeat(100)}`, undefined);
  checkDamage(
    'lines that are no JSON',
    (lines) => ['not json\n', ...lines, '{"half":\n'].join(''),
    /^2 entries .* could not be read/,
  );
  checkDamage(
    'an event whose fields are missing',
    (lines) =>
      [
        ...lines,
        '{"v":1,"id":"x","type":"block/finished","seq":999,"time":1,"session":"s","turn":"t","agent":"main"}\n',
      ].join(''),
    /^1 entry /,
  );

  it('brings back the transcript, the todos and the outputs, but not the mode', async () => {
    await afterWork(async (test) => {
      test.session.setMode('plan');
      await test.session.flush();
      const again = await test.reopen();
      assert.deepEqual(again.transcript.page(1000), test.session.transcript.page(1000));
      assert.deepEqual(again.todos(), [{ id: '1', content: 'Finish', status: 'in_progress' }]);
      assert.equal(again.mode(), 'bypass');
      const call = test.of('tool/finished').find(({ text: said }) => said.includes('poke b'))!.call;
      assert.equal((await again.outputs.read(call, 0)).text, 'poke b');
    });
  });

  it('tells the model of the todos that are open', async () => {
    await afterWork(async (test) => {
      test.server.push(reply(text('Back')));
      const again = await test.reopen();
      await again.prompt('Go on');
      assert.deepEqual(
        test
          .of('note/appended')
          .filter(({ about }) => about === 'todos')
          .map((note) => note.text),
        ['Your todo list:\n- [in_progress] Finish'],
      );
    });
  });

  it('starts empty, and says so, when nothing is stored', async () => {
    await withSession({ replies: [reply(text('Hi'))] }, async ({ reopen }) => {
      const session = await reopen('session_unknown');
      assert.equal(session.id, 'session_unknown');
      const [row] = session.transcript.page(10).rows;
      assert.match(row?.type === 'notice' ? row.text : '', /starts empty/);
      assert.equal(await session.prompt('Hi'), 'done');
    });
  });
});

describe('session files', () => {
  it('are not made for a session that was never used', async () => {
    await withSession({ replies: [] }, async ({ session, workspace }) => {
      session.setMode('plan');
      await session.flush();
      assert.deepEqual(await new SessionIndex(workspace.host.store, workspace.host.log).list(), []);
    });
  });

  it('are listed newest first, with the first prompt', async () => {
    await withSession(
      { replies: [{ ...reply(text('Hi')), times: 'always' }] },
      async ({ session, reopen, workspace, clock }) => {
        const startedMs = clock.now();
        await session.prompt('  Fix\nthe bug  ');
        await clock.sleep(1000);
        const other = await reopen('other');
        await other.prompt(`${'x'.repeat(300_000)}`);
        await Promise.all([session.flush(), other.flush()]);
        await clock.sleep(1000);
        const listed = await new SessionIndex(workspace.host.store, workspace.host.log).list();
        assert.deepEqual(
          listed.map(({ id, title, startedMs: started, lastMs }) => ({ id, title, started, lastMs })),
          [
            { id: 'other', title: `${'x'.repeat(199)}…`, started: startedMs + 1000, lastMs: startedMs + 1000 },
            { id: session.id, title: 'Fix the bug', started: startedMs, lastMs: startedMs },
          ],
        );
      },
    );
  });

  it('hold one JSON object per line, stamped, in order, and no transient event', async () => {
    await afterWork(async ({ bytes, events }) => {
      const entries = bytes
        .toString('utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.deepEqual(
        entries.slice(1).map(({ v: _, id: __, ...event }) => event),
        JSON.parse(JSON.stringify(events.filter((event) => !('transient' in event)))),
      );
      assert.equal(new Set(entries.map(({ id }) => id)).size, entries.length);
      assert.deepEqual(new Set(entries.map(({ v }) => v)), new Set([1]));
    });
  });

  it('that cannot be written are warned about once, and made good later', async () => {
    await withSession({ replies: [{ ...reply(text('Hi')), times: 'always' }] }, async (test) => {
      await test.session.prompt('One');
      await test.session.flush();
      const folder = join(test.workspace.outside, 'store', 'sessions');
      await rename(folder, `${folder}-away`);
      // A file where the folder should be: nothing can be written below it.
      await writeFile(folder, '');
      assert.equal(await test.session.prompt('Two'), 'done');
      await test.session.flush();
      assert.equal(await test.session.prompt('Three'), 'done');
      await rm(folder);
      await rename(`${folder}-away`, folder);
      await test.session.flush();
      const notices = test.of('notice').map((notice) => notice.text);
      assert.equal(notices.length, 2, notices.join('\n'));
      assert.match(notices[0] ?? '', /cannot be saved at the moment, but goes on: /);
      assert.match(notices[1] ?? '', /saved again/);
      const again = await test.reopen();
      assert.deepEqual(again.transcript.page(100), test.session.transcript.page(100));
    });
  });

  it('closing waits for the end of the turn that it stops', async () => {
    await withSession({ replies: [reply(text('Hi'), fault.stallAfter(3))] }, async (test) => {
      const begun = new Promise<void>((resolve) => {
        test.session.subscribe(({ type }) => {
          if (type === 'text/delta') resolve();
        });
      });
      const turn = test.session.prompt('Hi');
      await begun;
      await test.session.close();
      assert.equal(await turn, 'stopped');
      const lines = (await readFile(fileOf(test), 'utf8')).trimEnd().split('\n');
      const last = JSON.parse(lines.at(-1) ?? '') as { type: string; end: string };
      assert.deepEqual([last.type, last.end], ['turn/finished', 'stopped']);
    });
  });

  it('a prompt that fails is stored too', async () => {
    await withSession({ replies: [fault.status(403)] }, async (test) => {
      await test.session.prompt('Hi');
      await test.session.flush();
      const again = await test.reopen();
      assert.deepEqual(again.transcript.page(10), test.session.transcript.page(10));
    });
  });
});
