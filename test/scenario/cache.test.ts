// The prompt cache lives on bytes: what one request has sent, the next one begins with.
import assert from 'node:assert/strict';
import { reply, text, thinking, toolUse } from '../support/model-server/scenario';
import { headOf, marksOf, prefixOf } from '../support/requestBody';
import { countedTools, withSession } from '../support/sessionTest';

describe('B09: prompt cache', () => {
  it('every request begins with the bytes of the one before', async () => {
    const { tools } = countedTools();
    const replies = [
      reply(thinking('Hm'), text('Look'), toolUse('peek', { id: 'a' }), toolUse('poke', { id: 'b' })),
      reply(text('Done')),
      reply(toolUse('peek', { id: 'c' })),
      reply(text('More'), { stopReason: 'max_tokens' }),
      reply(text('Done again')),
    ];
    await withSession({ replies, tools }, async ({ session, server, of, workspace }) => {
      await session.prompt('One');
      session.setMode('acceptEdits');
      await workspace.host.edits.apply({
        label: 'x',
        call: 'x',
        changes: [{ kind: 'create', path: workspace.path('new.txt'), text: 'new' }],
      });
      await session.prompt('Two');
      const bodies = server.messageRequests().map(({ bodyText }) => bodyText);
      assert.equal(bodies.length, 5);
      for (const [at, body] of bodies.slice(1).entries()) {
        assert.ok(prefixOf(body).startsWith(prefixOf(bodies[at]!)), `request ${at + 2}`);
      }
      assert.equal(of('prompt/frozen').length, 1);
      assert.deepEqual(
        of('note/appended').map(({ about }) => about),
        ['date', 'mode', 'mode', 'limit'],
      );
    });
  });

  it('marks the end of the messages, and the end before when it is far back', async () => {
    const { tools } = countedTools();
    const many = Array.from({ length: 9 }, (_, at) => toolUse('peek', { id: String(at) }));
    const replies = [reply(toolUse('peek', { id: 'a' })), reply(...many), reply(text('Done'))];
    await withSession({ replies, tools }, async ({ session, server }) => {
      await session.prompt('One');
      assert.deepEqual(
        server.messageRequests().map(({ bodyText }) => marksOf(bodyText)),
        [['0.2'], ['2.0'], ['2.0', '4.8']].map((places) => ['tools.poke', 'system.1', ...places]),
      );
    });
  });

  it('O03: system and tools are byte-identical as long as nothing changes, with the mark after the last built-in tool', async () => {
    const { tools } = countedTools();
    const replies = [reply(toolUse('peek', { id: 'a' })), reply(text('Done')), reply(text('Done again'))];
    await withSession({ replies, tools: [...tools].reverse() }, async ({ session, server }) => {
      await session.prompt('One');
      session.setMode('plan');
      await session.prompt('Two');
      const bodies = server.messageRequests().map(({ bodyText }) => bodyText);
      assert.equal(bodies.length, 3);
      assert.deepEqual(new Set(bodies.map(headOf)), new Set([headOf(bodies[0]!)]));
      assert.deepEqual(marksOf(bodies[0]!), ['tools.poke', 'system.1', '0.2']);
    });
  });

  it('finds the end of the request before also when the turn was stopped in between', async () => {
    const { tools } = countedTools();
    const many = Array.from({ length: 9 }, (_, at) => toolUse('peek', { id: String(at) }));
    const replies = [reply(...many), reply(text('Done'))];
    await withSession({ replies, tools }, async ({ session, server, events }) => {
      session.subscribe((event) => {
        if (event.type === 'tool/queued') session.stop();
      });
      assert.equal(await session.prompt('One'), 'stopped');
      assert.equal(await session.prompt('Two'), 'done');
      const marks = server.messageRequests().map(({ bodyText }) => marksOf(bodyText).slice(2));
      const calls = events.filter(({ type }) => type === 'tool/finished').length;
      assert.deepEqual(marks, calls > 7 ? [['0.2'], ['0.2', `2.${calls}`]] : [['0.2'], [`2.${calls}`]]);
    });
  });

  it('a session that is opened again sends the same head', async () => {
    const { tools } = countedTools();
    const replies = [reply(toolUse('peek', { id: 'a' })), reply(text('Done')), reply(text('Again'))];
    await withSession({ replies, tools }, async ({ session, server, reopen, of }) => {
      await session.prompt('One');
      await session.flush();
      const again = await reopen();
      assert.equal(await again.prompt('Two'), 'done');
      const [, before, after] = server.messageRequests().map(({ bodyText }) => prefixOf(bodyText));
      assert.ok(after!.startsWith(before!));
      assert.equal(of('prompt/frozen').length, 1);
    });
  });
});
