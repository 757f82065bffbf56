// Every way a message can end, and what the turn makes of it.
import assert from 'node:assert/strict';
import type { TurnEnd } from '../../src/common/events';
import { reply, text, thinking, toolUse, type Reply } from '../support/model-server/scenario';
import { countedTools, withSession } from '../support/sessionTest';

interface Expected {
  readonly end: TurnEnd;
  readonly requests: number;
  readonly runs?: readonly string[];
  readonly notices?: readonly RegExp[];
  /** Of the last request: what its last message says. */
  readonly lastWords?: RegExp;
}

describe('stop reasons', () => {
  const check = (name: string, replies: readonly Reply[], expected: Expected): void => {
    it(name, async () => {
      const { tools, runs } = countedTools();
      await withSession({ replies, tools }, async ({ session, server, of }) => {
        assert.equal(await session.prompt('Do it'), expected.end);
        assert.equal(server.messageRequests().length, expected.requests);
        assert.equal(server.repliesLeft(), 0);
        assert.deepEqual(runs, expected.runs ?? []);
        const notices = of('notice').map((notice) => notice.text);
        assert.equal(notices.length, expected.notices?.length ?? 0, notices.join('\n'));
        for (const [at, pattern] of (expected.notices ?? []).entries()) assert.match(notices[at] ?? '', pattern);
        if (expected.lastWords)
          assert.match(JSON.stringify(lastMessage(server.messageRequests().at(-1)?.body)), expected.lastWords);
        assert.deepEqual(
          of('turn/finished').map(({ end }) => end),
          [expected.end],
        );
        server.push(reply(text('Still here')));
        assert.equal(await session.prompt('And now?'), 'done');
      });
    });
  };
  const poke = (id: string) => toolUse('poke', { id });
  const done = reply(text('Done'));

  check('end_turn', [done], { end: 'done', requests: 1 });
  check('tool_use', [reply(text('Look'), toolUse('peek', { id: 'a' }), poke('b')), done], {
    end: 'done',
    requests: 2,
    runs: ['peek:a', 'poke:b'],
  });
  check('stop_sequence', [reply(text('So'), { stopReason: 'stop_sequence', stopSequence: 'x' })], {
    end: 'done',
    requests: 1,
  });
  check('calls with another reason run all the same', [reply(poke('a'), { stopReason: 'end_turn' }), done], {
    end: 'done',
    requests: 2,
    runs: ['poke:a'],
  });
  check(
    'max_tokens in words is continued',
    [reply(text('Half'), { stopReason: 'max_tokens' }), reply(text('the rest'))],
    {
      end: 'done',
      requests: 2,
      lastWords: /cut at the output limit/,
    },
  );
  check('max_tokens is continued twice', Array(3).fill(reply(text('More'), { stopReason: 'max_tokens' })), {
    end: 'output_limit',
    requests: 3,
    notices: [/output limit several times/],
  });
  check(
    'max_tokens inside a call: nothing runs, and the model is told what arrived and to split',
    [reply(poke('a'), toolUse('poke', '{"id":"b'), { stopReason: 'max_tokens' }), done],
    {
      end: 'done',
      requests: 2,
      lastWords:
        /"tool_use_id":"[^"]+".*Not run: your message reached the output limit.*split.*Not run: .*\(8 characters of its input arrived, ending in .{4,9}id/,
    },
  );
  check('pause_turn goes on', [reply(text('Wait'), { stopReason: 'pause_turn' }), done], { end: 'done', requests: 2 });
  check('refusal', [reply(text('No'), poke('a'), { stopReason: 'refusal' })], {
    end: 'refused',
    requests: 1,
    notices: [/declined to answer/],
  });
  check('the window is full', [reply(text('Too'), { stopReason: 'model_context_window_exceeded' })], {
    end: 'context_limit',
    requests: 1,
    notices: [/context window/],
  });
  check('nothing at all', [reply()], { end: 'done', requests: 1, notices: [/without a word/] });
  check('only thoughts', [reply(thinking('Hm'))], { end: 'done', requests: 1 });
});

describe('calls that cannot run', () => {
  const check = (name: string, call: ReturnType<typeof toolUse>, answer: RegExp): void => {
    it(name, async () => {
      const { tools, runs } = countedTools();
      await withSession({ replies: [reply(call), reply(text('I see'))], tools }, async ({ session, server, of }) => {
        assert.equal(await session.prompt('Do it'), 'done');
        assert.deepEqual(runs, []);
        assert.match(JSON.stringify(lastMessage(server.messageRequests().at(-1)?.body)), answer);
        assert.deepEqual(
          of('tool/finished').map(({ status }) => status),
          ['failed'],
        );
      });
    });
  };
  check('an unknown tool', toolUse('pike', { id: 'a' }), /no tool called .*pike.*poke/);
  check('a name that cannot go back as it is', toolUse('a b', { id: 'a' }), /no tool called/);
  check('malformed JSON', toolUse('poke', '{"id":"a",}'), /is_error":true/);
  check('JSON that was cut', toolUse('poke', '{"id":"a'), /broke off after 8 characters.*is_error":true/);
  check('wrong arguments', toolUse('poke', { id: 7, more: true }), /is_error":true/);
  check('no object', toolUse('poke', '["a"]'), /is_error":true/);
});

describe('a turn', () => {
  it('tells its whole story in events', async () => {
    const { tools } = countedTools();
    const replies = [
      reply(thinking('Hm'), text(['Let me ', 'look']), toolUse('peek', { id: 'a' })),
      reply(text('Done')),
    ];
    await withSession({ replies, tools }, async ({ session, of, events }) => {
      await session.prompt('Do it');
      const told = events.filter((event) => !('transient' in event)).map(({ type }) => type);
      // A call that only reads runs while the message still streams, so its events may stand on either side of its end.
      const isOfCall = (type: string) => type.startsWith('tool/');
      assert.deepEqual(told.filter(isOfCall), ['tool/queued', 'tool/started', 'tool/finished']);
      assert.deepEqual(
        told.filter((type) => !isOfCall(type)),
        [
          'turn/started',
          'prompt/frozen',
          'note/appended',
          'note/appended',
          'block/finished',
          'block/finished',
          'block/finished',
          'message/finished',
          'block/finished',
          'message/finished',
          'turn/finished',
        ],
      );
      assert.deepEqual(
        of('text/delta').map(({ text }) => text),
        ['Let me ', 'look', 'Done'],
      );
      assert.deepEqual(of('turn/finished')[0]?.usage, {
        inputTokens: 200,
        outputTokens: 20,
        cacheReadTokens: 0,
        cacheWriteTokens: 0,
      });
      assert.deepEqual(
        events.map(({ seq }) => seq),
        events.map((_, at) => at + 2),
        'counts every event from the first one on',
      );
    });
  });

  it('refuses a second prompt meanwhile', async () => {
    await withSession({ replies: [reply(text('Done'))] }, async ({ session }) => {
      const first = session.prompt('One');
      assert.equal(session.isRunning(), true);
      assert.equal(await session.prompt('Two'), 'busy');
      assert.equal(await first, 'done');
      assert.equal(session.isRunning(), false);
    });
  });

  it('gives calls ids of their own when the endpoint counts from zero in every message', async () => {
    const { tools, runs } = countedTools();
    const again = (id: string) => toolUse('peek', { id }, { id: 'call_0' });
    await withSession(
      { replies: [reply(again('a')), reply(again('b')), reply(text('Done'))], tools },
      async ({ session, of }) => {
        assert.equal(await session.prompt('Do it'), 'done');
        assert.deepEqual(runs, ['peek:a', 'peek:b']);
        assert.equal(new Set(of('tool/finished').map(({ call }) => call)).size, 2);
      },
    );
  });
});

function lastMessage(body: unknown): unknown {
  return (body as { messages: unknown[] }).messages.at(-1);
}
