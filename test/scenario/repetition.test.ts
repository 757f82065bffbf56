// A model that goes in circles: what it is told, what the person is asked, and how the turn ends; real loop, real tools.
import assert from 'node:assert/strict';
import type { AskAnswer } from '../../src/common/asks';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse, type Reply } from '../support/model-server/scenario';
import { countedTools, withSession, type SessionTest } from '../support/sessionTest';

const done = reply(text('Done'));
const peek = reply(toolUse('peek', { id: 'a' }));
const same = (count: number, scripted: Reply = peek): Reply[] => Array.from({ length: count }, () => scripted);
const told = ({ of }: SessionTest): string[] =>
  of('note/appended').flatMap(({ about, text: note }) => (about === 'repetition' ? [note] : []));
const choose = (chosen: readonly string[], own?: string): AskAnswer => ({
  kind: 'question',
  answers: [{ question: '', chosen, ...(own === undefined ? {} : { text: own }) }],
});

/** The person answers every ask like this. */
function answerAll({ session, asks }: SessionTest, answer: AskAnswer): void {
  session.subscribe((event) => {
    if (event.type === 'ask/opened') setImmediate(() => asks.answer(event.ask.id, answer));
  });
}

describe('repetition', () => {
  it('is told at the third time, with the results of that message', async () => {
    const { tools, runs } = countedTools();
    await withSession({ replies: [...same(3), done], tools }, async (test) => {
      assert.equal(await test.session.prompt('Look'), 'done');
      assert.equal(runs.length, 3);
      assert.deepEqual(told(test), [
        'You have made the same call 3 times and got the same result each time. It will not change by being repeated: do something else, or say what keeps you from going on.',
      ]);
      const { messages } = test.server.messageRequests().at(-1)!.body as {
        messages: { content: { type: string }[] }[];
      };
      assert.deepEqual(
        messages.at(-1)?.content.map(({ type }) => type),
        ['tool_result', 'text'],
      );
    });
  });

  it('asks the person at the fifth, and goes on when they say so', async () => {
    const { tools, runs } = countedTools();
    await withSession({ replies: [...same(7), done], tools }, async (test) => {
      answerAll(test, choose(['Go on'], 'but hurry'));
      assert.equal(await test.session.prompt('Look'), 'done');
      assert.equal(runs.length, 7);
      const [asked, ...others] = test.of('ask/opened');
      assert.deepEqual(others, []);
      assert.ok(asked?.ask.kind === 'question');
      assert.equal(
        asked.ask.questions[0]?.question,
        'The same call gave the same result 5 times: Peek a. Shall it go on?',
      );
      assert.deepEqual(
        asked.ask.questions[0]?.options.map(({ label }) => label),
        ['Go on', 'Stop'],
      );
      assert.match(told(test)[1] ?? '', /5 times.* The person was asked and says: Go on; but hurry$/);
      assert.equal(told(test).length, 2, 'two more of the same are told of only from three on');
      const row = test.session.transcript.row(asked.call);
      assert.ok(row?.type === 'tool');
      assert.deepEqual([row.state, row.kind, row.display?.kind], ['done', 'ask', 'questions']);
    });
  });

  it('says to the model that they skipped the question, not that they said anything', async () => {
    const { tools } = countedTools();
    await withSession({ replies: [...same(5), done], tools }, async (test) => {
      answerAll(test, { kind: 'question', answers: [] });
      assert.equal(await test.session.prompt('Look'), 'done');
      assert.match(told(test)[1] ?? '', /5 times.* The person was asked and skipped the question\.$/);
    });
  });

  it('ends the turn when they say so; the next prompt goes on and starts anew', async () => {
    const { tools, runs } = countedTools();
    await withSession({ replies: [...same(5), ...same(2), done], tools }, async (test) => {
      answerAll(test, choose(['Stop']));
      assert.equal(await test.session.prompt('Look'), 'repetition');
      assert.equal(runs.length, 5);
      assert.equal(await test.session.prompt('Once more'), 'done');
      assert.equal(told(test).length, 1);
      assert.deepEqual(
        test.of('turn/finished').map(({ end }) => end),
        ['repetition', 'done'],
      );
    });
  });

  it('starts anew in a session that is opened again', async () => {
    const { tools } = countedTools();
    await withSession({ replies: [...same(2), done, ...same(2), done], tools }, async (test) => {
      assert.equal(await test.session.prompt('Look'), 'done');
      await test.session.close();
      assert.equal(await (await test.reopen()).prompt('Look again'), 'done');
      assert.deepEqual(told(test), []);
    });
  });

  it('ends the turn where nobody is to ask', async () => {
    const { tools } = countedTools();
    await withSession({ replies: same(5), tools, attended: false }, async (test) => {
      assert.equal(await test.session.prompt('Look'), 'repetition');
      assert.deepEqual(test.of('ask/opened'), []);
      assert.deepEqual(
        test.of('notice').map(({ level, text: notice }) => [level, notice]),
        [['warning', 'The same call gave the same result 5 times: Peek a. Nobody is here to ask, so the turn ends.']],
      );
    });
  });

  it('asked about is ended by Stop like anything else', async () => {
    const { tools } = countedTools();
    await withSession({ replies: [...same(5), done], tools }, async (test) => {
      test.session.subscribe((event) => {
        if (event.type === 'ask/opened') test.session.stop();
      });
      assert.equal(await test.session.prompt('Look'), 'stopped');
      assert.equal(test.asks.pending, 0);
      const { status, text: said } = test.of('tool/finished').at(-1) ?? {};
      assert.deepEqual([status, said], ['stopped', 'Not answered']);
      assert.equal(await test.session.prompt('Go on'), 'done');
    });
  });

  it('of the same input counts, however it is written', async () => {
    const run = (timeout: number | string) => reply(toolUse('bash', { command: 'true', timeout }));
    await withSession({ replies: [run(5_000), run('5000'), run(5_000), done], tools: TOOLS }, async (test) => {
      assert.equal(await test.session.prompt('Do it'), 'done');
      assert.equal(told(test).length, 1);
    });
  });

  it('of a tool that is run by another counts as its own', async () => {
    const { tools, runs } = countedTools();
    const byCall = reply(toolUse('call', { name: 'peek', input: { id: 'a' } }));
    await withSession({ replies: [peek, byCall, peek, done], tools: [...TOOLS, ...tools] }, async (test) => {
      assert.equal(await test.session.prompt('Look'), 'done');
      assert.equal(runs.length, 3);
      assert.equal(told(test).length, 1);
    });
  });

  it('of failures counts: a wrong input, a tool that is not there', async () => {
    const { tools } = countedTools();
    const wrong = (json: string) => reply(toolUse('peek', json));
    await withSession(
      { replies: [...same(3, wrong('{"id":7}')), ...same(3, reply(toolUse('pike', { id: 'a' }))), done], tools },
      async (test) => {
        assert.equal(await test.session.prompt('Look'), 'done');
        assert.equal(told(test).length, 2);
      },
    );
  });

  it('of reads beside each other counts each', async () => {
    const { tools } = countedTools();
    const three = reply(...['1', '2', '3'].map((id) => toolUse('peek', { id: 'a' }, { id })));
    await withSession({ replies: [three, done], tools }, async (test) => {
      assert.equal(await test.session.prompt('Look'), 'done');
      assert.equal(told(test).length, 1);
    });
  });

  it('of a read counts, though its result is only a pointer from the second time on', async () => {
    const reads = same(3, reply(toolUse('read', { file_path: 'a.txt' })));
    await withSession({ replies: [...reads, done], tools: TOOLS, files: { 'a.txt': 'one\n' } }, async (test) => {
      assert.equal(await test.session.prompt('Look'), 'done');
      assert.equal(told(test).length, 1);
    });
  });

  it('is not what a cut message is asked to send again', async () => {
    const { tools } = countedTools();
    const cut = reply(toolUse('poke', { id: 'a' }), { stopReason: 'max_tokens' });
    await withSession({ replies: [cut, cut, reply(toolUse('poke', { id: 'a' })), done], tools }, async (test) => {
      assert.equal(await test.session.prompt('Do it'), 'done');
      assert.deepEqual(told(test), []);
    });
  });

  it('in a file is seen through its diffs, by whichever tool', async () => {
    const to = (from: string, into: string) =>
      reply(toolUse('edit', { file_path: 'a.txt', old_string: from, new_string: into }));
    const write = (content: string) => reply(toolUse('write', { file_path: 'a.txt', content }));
    const replies = [
      reply(toolUse('read', { file_path: 'a.txt' })),
      ...[to('one', 'ONE'), to('ONE', 'one'), write('ONE\ntwo\n'), to('ONE', 'one'), write('ONE\ntwo\n')],
    ];
    await withSession({ replies, tools: TOOLS, files: { 'a.txt': 'one\ntwo\n' } }, async (test) => {
      answerAll(test, choose(['Stop']));
      assert.equal(await test.session.prompt('Do it'), 'repetition');
      assert.deepEqual(told(test), [
        'You change a.txt back and forth: it came back to a text that it had before 2 times. Decide on one, or find out what you do not know yet.',
      ]);
      const [asked] = test.of('ask/opened');
      assert.ok(asked?.ask.kind === 'question');
      assert.match(asked.ask.questions[0]?.question ?? '', /^a\.txt was changed back and forth .* 4 times\. Shall/);
      assert.deepEqual(await test.workspace.tree(), { 'a.txt': 'ONE\ntwo\n' });
    });
  });

  it('is not a build after each edit', async () => {
    const edits = ['1', '2', '3', '4', '5', '6'].flatMap((n) => [
      reply(toolUse('edit', { file_path: 'a.txt', old_string: n, new_string: `${Number(n) + 1}` })),
      reply(toolUse('bash', { command: 'true' })),
    ]);
    const replies = [reply(toolUse('read', { file_path: 'a.txt' })), ...edits, done];
    await withSession({ replies, tools: TOOLS, files: { 'a.txt': '1\n' } }, async (test) => {
      assert.equal(await test.session.prompt('Do it'), 'done');
      assert.deepEqual(told(test), []);
    });
  });
});
