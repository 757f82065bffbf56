// Everything that can go wrong between the loop and the model: what is tried again, what is kept, and that nothing runs twice.
import assert from 'node:assert/strict';
import type { TurnEnd } from '../../src/common/events';
import { fault, reply, text, thinking, toolUse, type Reply } from '../support/model-server/scenario';
import { messageEvents } from '../support/model-server/message';
import { countedTools, withSession, type SessionTestOptions } from '../support/sessionTest';

const done = reply(text('Done'));
const BUSY_REPLY = reply(
  thinking('Hm'),
  text('Let me see'),
  toolUse('peek', { id: 'a' }),
  toolUse('poke', { id: 'b' }),
);
const EVENTS = messageEvents(BUSY_REPLY, { model: 'm', replyId: '1', requestId: 'r' }).length;

describe('faults that pass', () => {
  const check = (name: string, replies: readonly Reply[], sleptMs: readonly number[], reason: RegExp): void => {
    it(name, async () => {
      await withSession({ replies }, async ({ session, server, clock, of }) => {
        assert.equal(await session.prompt('Hi'), 'done');
        assert.equal(server.messageRequests().length, sleptMs.length + 1);
        assert.deepEqual(clock.slept, sleptMs);
        const waits = of('retry/waiting');
        assert.deepEqual(
          waits.map(({ attempt, attempts, delayMs }) => ({ attempt, attempts, delayMs })),
          sleptMs.map((delayMs, at) => ({ attempt: at + 2, attempts: 8, delayMs })),
        );
        for (const wait of waits) assert.match(wait.reason, reason);
        const bodies = server.messageRequests().map(({ bodyText }) => bodyText);
        assert.equal(new Set(bodies).size, 1, 'the same request again');
      });
    });
  };
  check('529 five times', [...repeat(fault.status(529), 5), done], [1000, 2000, 4000, 8000, 16_000], /overloaded/);
  check('retry-after is honoured', [fault.status(429, { retryAfter: 7 }), done], [7000], /limiting/);
  check('retry-after is capped', [fault.status(429, { retryAfter: 99_999 }), done], [60_000], /limiting/);
  check('500', [fault.status(500), done], [1000], /HTTP 500/);
  check('hung up', [fault.hangUp(), done], [1000], /broke/);
  check('dropped before anything came', [{ ...done, ...fault.dropAfter(1) }, done], [1000], /broke|ended/);

  it('a silent stream is given up and asked again', async () => {
    const replies = [{ ...done, ...fault.stallAfter(2) }, done];
    await withSession({ replies, patience: { headerMs: 60_000, idleMs: 150 } }, async ({ session, server }) => {
      assert.equal(await session.prompt('Hi'), 'done');
      assert.equal(server.messageRequests().length, 2);
    });
  });
});

describe('faults for good', () => {
  const check = (
    name: string,
    options: SessionTestOptions,
    expected: { readonly end: TurnEnd; readonly notice: RegExp; readonly action?: string },
  ): void => {
    it(name, async () => {
      await withSession(options, async ({ session, of }) => {
        assert.equal(await session.prompt('Hi'), expected.end);
        const [notice, ...others] = of('notice');
        assert.match(notice?.text ?? '', expected.notice);
        assert.equal(notice?.action?.command, expected.action);
        assert.deepEqual(others, []);
        assert.equal(session.isRunning(), false);
      });
    });
  };
  const wrongKey = { server: { apiKey: 'other' }, problems: [/x-api-key/, /x-api-key/] };
  check(
    'a wrong key',
    { replies: [], ...wrongKey },
    { end: 'failed', notice: /does not accept the API key/, action: 'lathe.setApiKey' },
  );
  check(
    'a page instead of the API',
    { replies: [fault.html()] },
    { end: 'failed', notice: /web page.*lathe\.baseUrl/, action: 'lathe.openSettings' },
  );
  check(
    'a model that is not there',
    { replies: [fault.status(404, { message: 'model: x' })] },
    { end: 'failed', notice: /lathe\.model/, action: 'lathe.openSettings' },
  );
  check(
    'a long prompt',
    { replies: [fault.status(400, { message: 'prompt is too long: 9 > 8' })] },
    { end: 'context_limit', notice: /new session/ },
  );
  check(
    'busy for ever',
    { replies: [{ ...fault.status(529), times: 8 }] },
    { end: 'failed', notice: /overloaded.* Tried 8 times/ },
  );
  check(
    'an endpoint that is not there',
    { replies: [], baseUrl: 'http://127.0.0.1:59999' },
    { end: 'failed', notice: /Nothing listens|broke.*Tried 8/, action: 'lathe.openSettings' },
  );

  it('goes on with the next prompt', async () => {
    await withSession({ replies: [fault.status(403), done] }, async ({ session, server }) => {
      assert.equal(await session.prompt('One'), 'failed');
      assert.equal(await session.prompt('Two'), 'done');
      const { messages } = server.messageRequests()[1]!.body as { messages: { role: string }[] };
      assert.deepEqual(
        messages.map(({ role }) => role),
        ['user'],
      );
    });
  });
});

// The server answers 400 to any history that the API would refuse, and `withSession` asserts that it never had to.
describe('a stream that breaks at any event', () => {
  const FAULTS = { drop: fault.dropAfter, end: fault.endAfter, error: fault.errorAfter } as const;
  for (const [kind, breakAfter] of Object.entries(FAULTS)) {
    for (let at = 0; at <= EVENTS - 1; at++) {
      it(`${kind} after ${at}`, async () => {
        const { tools, runs } = countedTools();
        const again = reply(text('Again'), toolUse('peek', { id: 'c' }), toolUse('poke', { id: 'd' }));
        const replies = [{ ...BUSY_REPLY, ...breakAfter(at) }, again, done];
        await withSession({ replies, tools }, async ({ session, of, server }) => {
          assert.equal(await session.prompt('Do it'), 'done');
          assert.equal(server.messageRequests().length, 3);
          assertOnce(runs, ['peek:a', 'poke:b', 'peek:c', 'poke:d']);
          assert.ok(runs.includes('poke:d'));
          assertSettled(
            of('tool/queued').map(({ call }) => call),
            of('tool/finished').map(({ call }) => call),
          );
        });
      });
    }
  }

  it('twice after calls have run: each has run once, its result is kept, and the turn goes on', async () => {
    const { tools, runs } = countedTools();
    const breaks = (scripted: Reply): Reply => {
      const events = messageEvents(scripted, { model: 'm', replyId: '1', requestId: 'r' });
      return { ...scripted, ...fault.stallAfter(events.findIndex(({ type }) => type === 'content_block_stop') + 1) };
    };
    const call = (name: string, id: string) => toolUse(name, { id }, { id: `call_${id}` });
    const replies = [
      // The first call of all waits for what has to be loaded.
      reply(call('peek', 'a')),
      breaks(reply(call('peek', 'b'), call('poke', 'x'))),
      breaks(reply(call('peek', 'c'), text('And'), call('poke', 'y'))),
      reply(call('poke', 'd')),
      done,
    ];
    const patience = { headerMs: 60_000, idleMs: 400 };
    await withSession({ replies, tools, patience }, async ({ session, server, of }) => {
      assert.equal(await session.prompt('Do it'), 'done');
      assert.deepEqual(runs, ['peek:a', 'peek:b', 'peek:c', 'poke:d']);
      assert.deepEqual(
        of('tool/finished').map(({ call: id, status }) => [id, status]),
        ['a', 'b', 'c', 'd'].map((id) => [`call_${id}`, 'done']),
      );
      const { messages } = server.messageRequests().at(-1)!.body as {
        messages: { content: { type: string; tool_use_id?: string; content?: unknown }[] }[];
      };
      const results = messages.flatMap(({ content }) => content.filter(({ type }) => type === 'tool_result'));
      assert.deepEqual(
        results.map(({ tool_use_id, content }) => [tool_use_id, content]),
        ['peek a', 'peek b', 'peek c', 'poke d'].map((said) => [`call_${said.at(-1)}`, [{ type: 'text', text: said }]]),
      );
    });
  });

  it('keeps the words that had arrived and asks the model to go on', async () => {
    const replies = [{ ...reply(text(['Half a ', 'thought', ' more'])), ...fault.dropAfter(4) }, done];
    await withSession({ replies }, async ({ session, server, of }) => {
      assert.equal(await session.prompt('Hi'), 'done');
      const { messages } = server.messageRequests()[1]!.body as {
        messages: { role: string; content: { text: string }[] }[];
      };
      assert.deepEqual(messages[1], { role: 'assistant', content: [{ type: 'text', text: 'Half a thought' }] });
      assert.match(messages[2]?.content[0]?.text ?? '', /connection broke.*Go on from there/s);
      assert.deepEqual(
        of('block/finished').map(({ interrupted }) => interrupted),
        [true, undefined],
      );
    });
  });
});

describe('a turn that is stopped', () => {
  for (let at = 1; at < EVENTS; at++) {
    it(`after ${at} events`, async () => {
      const { tools, runs } = countedTools();
      const first = { ...BUSY_REPLY, ...fault.stallAfter(at) };
      await withSession({ replies: [first], tools }, async ({ session, server, of }) => {
        const turn = session.prompt('Do it');
        await server.until(() => server.messageRequests()[0]?.status === 200);
        await settled();
        session.stop();
        assert.equal(await turn, 'stopped');
        assertOnce(runs, ['peek:a', 'poke:b']);
        assertSettled(
          of('tool/queued').map(({ call }) => call),
          of('tool/finished').map(({ call }) => call),
        );
        server.push(done);
        assert.equal(await session.prompt('Go on'), 'done');
      });
    });
  }

  it('before the model has answered', async () => {
    await withSession({ replies: [fault.silence(), done] }, async ({ session, server }) => {
      const turn = session.prompt('Hi');
      await server.until(() => server.messageRequests().length === 1);
      session.stop();
      assert.equal(await turn, 'stopped');
      await server.until(() => server.messageRequests()[0]?.outcome === 'aborted');
      assert.equal(await session.prompt('Again'), 'done');
    });
  });

  it('during the countdown', async () => {
    await withSession({ replies: [fault.status(529), done] }, async ({ session, server }) => {
      session.subscribe((event) => {
        if (event.type === 'retry/waiting') session.stop();
      });
      assert.equal(await session.prompt('Hi'), 'stopped');
      assert.equal(server.messageRequests().length, 1);
    });
  });

  it('while a call runs, whose result counts', async () => {
    const { tools, runs } = countedTools();
    const replies = [reply(toolUse('poke', { id: 'a' }), toolUse('poke', { id: 'b' })), done];
    await withSession({ replies, tools }, async ({ session, of }) => {
      session.subscribe((event) => {
        if (event.type === 'tool/started') session.stop();
      });
      assert.equal(await session.prompt('Do it'), 'stopped');
      assert.deepEqual(runs, ['poke:a']);
      const statuses = new Map(of('tool/finished').map(({ call, status }) => [call, status]));
      assert.deepEqual(
        of('tool/queued').map(({ call }) => statuses.get(call)),
        ['done', 'stopped'],
      );
      assert.equal(await session.prompt('Go on'), 'done');
    });
  });

  it('while a call waits for approval', async () => {
    const { tools, runs } = countedTools();
    const replies = [reply(toolUse('poke', { id: 'a' }), toolUse('poke', { id: 'b' })), done];
    await withSession({ replies, tools, mode: 'ask' }, async ({ session, asks, of }) => {
      session.subscribe((event) => {
        if (event.type === 'ask/opened') session.stop();
      });
      assert.equal(await session.prompt('Do it'), 'stopped');
      assert.deepEqual(runs, []);
      assert.equal(asks.pending, 0);
      assert.deepEqual(
        of('tool/finished').map(({ status }) => status),
        ['stopped', 'stopped'],
      );
      assert.equal(await session.prompt('Never mind'), 'done');
    });
  });
});

function repeat(scripted: Reply, count: number): Reply[] {
  return Array.from({ length: count }, () => scripted);
}

function assertOnce(runs: readonly string[], known: readonly string[]): void {
  assert.equal(new Set(runs).size, runs.length, `ran twice: ${runs.join(' ')}`);
  for (const run of runs) assert.ok(known.includes(run), run);
}

function assertSettled(queued: readonly string[], finished: readonly string[]): void {
  assert.equal(new Set(finished).size, finished.length, 'one result per call');
  for (const call of queued) assert.ok(finished.includes(call), `${call} has no result`);
}

/** Lets what the server has sent reach the session. */
function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 30));
}
