// Stop with a tool whose run goes on: what the model is told, when, and what is left after a close and a restart.
import assert from 'node:assert/strict';
import { defineTool } from '../../src/core/tool/tool';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { withSession, type SessionTest } from '../support/sessionTest';

/** A tool that goes on until `end` is called or its signal aborts. */
function longTool() {
  let end: () => void = () => {};
  const tool = defineTool({
    name: 'watch',
    kind: 'shell',
    description: 'Watches.',
    schema: { type: 'object', properties: {} },
    modes: 'all',
    interrupt: 'ignore',
    title: () => 'Watch',
    prepare: async () => ({ targets: [], plan: undefined }),
    run: (_plan, { out, signal }) =>
      new Promise((resolve) => {
        out.write('watching\n');
        end = () => resolve({ summary: 'Exit code 0.' });
        signal.addEventListener('abort', () => resolve({ failed: true, summary: 'Ended early.' }));
      }),
  });
  return { tools: [tool], end: () => end() };
}

const notes = ({ of }: SessionTest): string[] =>
  of('note/appended').flatMap(({ about, text: note }) => (about.startsWith('run ') ? [note] : []));
const lastRequest = ({ server }: SessionTest): string => JSON.stringify(server.messageRequests().at(-1)?.body);

async function stopped(test: SessionTest): Promise<void> {
  test.session.subscribe((event) => {
    if (event.type === 'tool/started') setImmediate(() => test.session.stop());
  });
  assert.equal(await test.session.prompt('Watch it'), 'stopped');
  assert.deepEqual(
    test.of('tool/finished').map(({ status, background }) => ({ status, background })),
    [{ status: 'stopped', background: true }],
  );
}

describe('O22: a background run', () => {
  it('is told of with the next prompt, once, when it has ended', async () => {
    const { tools, end } = longTool();
    const replies = [reply(toolUse('watch', {}, { id: 'w1' })), { ...reply(text('I see')), times: 'always' } as const];
    await withSession({ replies, tools }, async (test) => {
      await stopped(test);
      assert.equal(await test.session.prompt('And?'), 'done');
      assert.match(lastRequest(test), /it goes on in the background as w1/);
      assert.deepEqual(notes(test), []);
      end();
      // Its output has to be on disk first.
      while (notes(test).length === 0) assert.equal(await test.session.prompt('And now?'), 'done');
      assert.match(lastRequest(test), /The background run w1 of watch \(Watch\) ended with: done.*Exit code 0\./);
      assert.equal(await test.session.prompt('Thanks'), 'done');
      assert.equal(notes(test).length, 1);
    });
  });

  it('ends with the session, and the next opening knows', async () => {
    const { tools } = longTool();
    await withSession(
      { replies: [reply(toolUse('watch', {}, { id: 'w1' })), reply(text('I see'))], tools },
      async (test) => {
        await stopped(test);
        await test.session.close();
        assert.equal(notes(test).length, 1);
        assert.match(notes(test)[0] ?? '', /ended with: a stop\..*Ended early\./s);
        const again = await test.reopen();
        assert.equal(await again.prompt('Go on'), 'done');
        assert.match(lastRequest(test), /goes on in the background as w1.*ended with: a stop/);
        assert.equal(notes(test).length, 1, 'not told twice');
      },
    );
  });

  it('that ended with the process is told at the next opening', async () => {
    const { tools } = longTool();
    await withSession(
      { replies: [reply(toolUse('watch', {}, { id: 'w1' })), reply(text('I see'))], tools },
      async (test) => {
        await stopped(test);
        await test.session.flush();
        const again = await test.reopen();
        assert.equal(await again.prompt('Go on'), 'done');
        assert.match(lastRequest(test), /The background run w1 ended with Lathe itself/);
        await again.flush();
        assert.equal(await (await test.reopen()).flush(), undefined);
        assert.equal(notes(test).length, 0, 'said before anybody listened');
      },
    );
  });
});
