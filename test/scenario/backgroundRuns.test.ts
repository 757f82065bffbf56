// Commands in the background through the whole agent: started, ready, listed, read, stopped, and how each end is told, once.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../src/node/clock';
import { TOOLS } from '../../src/tools/index';
import { eventually } from '../support/eventually';
import { reply, text, toolUse, type Reply, type ToolUseBlock } from '../support/model-server/scenario';
import { withSession, type SessionTest } from '../support/sessionTest';

const DONE = reply(text('Done'));

/** In the background under this id. */
function starts(id: string, command: string, more: { readonly ready_pattern?: string } = {}): ToolUseBlock {
  return toolUse('bash', { command, description: 'Serve', run_in_background: true, ...more }, { id });
}

/** Until the file `go` is there, outside of the workspace. */
const UNTIL_GO = 'until test -f ../go; do sleep 0.05; done';
const go = ({ workspace }: SessionTest): void => writeFileSync(join(workspace.outside, 'go'), '');

const results = ({ of }: SessionTest): string[] => of('tool/finished').map(({ text: told }) => told);
const notes = ({ of }: SessionTest): string[] =>
  of('note/appended').flatMap(({ about, text: note }) => (about.startsWith('run ') ? [note] : []));
const ends = ({ of }: SessionTest) =>
  of('tool/ended').map(({ call, status, told = false }) => ({ call, status, told }));

/** Whole, with times as `N s`. */
const untimed = (told: readonly string[]): string[] => told.map((one) => one.replace(/\b\d+ s\b/g, 'N s'));

const runsOn = (id: string) =>
  `It goes on in the background as ${id}, and you are told when it ends. Read what it puts out with output, id "${id}"; end it with stop.`;

describe('X06: commands in the background', function () {
  this.timeout(60_000);

  /** In real time, since the commands are real. */
  function check(
    title: string,
    replies: readonly Reply[],
    use: (test: SessionTest) => Promise<void>,
    { isQuick = false } = {},
  ): void {
    const clock = isQuick ? {} : { hostClock: systemClock };
    it(`X06: ${title}`, () => withSession({ replies, tools: TOOLS, ...clock }, use));
  }

  check(
    'is answered when ready, listed, read for what is new, and stopped; the call that stops it tells how it ended',
    [
      reply(
        starts('b1', `echo starting; sleep 0.3; echo "ready on 3000"; ${UNTIL_GO}; echo more; sleep 600`, {
          ready_pattern: 'ready on \\d+',
        }),
      ),
      reply(toolUse('tasks', { state: 'running' })),
      reply(toolUse('output', { id: 'b1', only_new: true })),
      reply(toolUse('output', { id: 'b1', only_new: true, wait: 10, pattern: 'more' })),
      reply(toolUse('output', { id: 'b1', only_new: true })),
      reply(toolUse('output', { id: 'b1', only_new: true })),
      reply(toolUse('stop', { id: 'b1' })),
      DONE,
      DONE,
    ],
    async (test) => {
      test.session.subscribe((event) => {
        if (event.type === 'tool/finished' && results(test).length === 3) go(test);
      });
      assert.equal(await test.session.prompt('Serve'), 'done');
      assert.equal(await test.session.prompt('Thanks'), 'done');
      assert.deepEqual(untimed(results(test)), [
        `starting\nready on 3000\n"ready on \\\\d+" has appeared in what it puts out. ${runsOn('b1')}`,
        'b1: Serve, running for N s, last line: ready on 3000',
        '     1\tstarting\n     2\tready on 3000\n(End of the output.)\n(It has been running for N s and may print more.)',
        '     3:\tmore\n(It has been running for N s and may print more.)',
        '     3\tmore\n(End of the output.)\n(It has been running for N s and may print more.)',
        'Nothing new.\n(It has been running for N s and may print more.)',
        'The background run b1 of bash (Serve) ended with: a stop. Its output has 28 characters: read it with output, id "b1".\nYou ended it before it finished.',
      ]);
      assert.deepEqual([ends(test), notes(test)], [[{ call: 'b1', status: 'stopped', told: true }], []]);
    },
  );

  check(
    'one that ends by itself is told once, with the next request',
    [reply(starts('b1', `${UNTIL_GO}; echo bye; exit 3`)), DONE, DONE, DONE],
    async (test) => {
      assert.equal(await test.session.prompt('Run'), 'done');
      go(test);
      await eventually('its end', async () => ends(test).length > 0);
      assert.equal(await test.session.prompt('And?'), 'done');
      assert.equal(await test.session.prompt('Thanks'), 'done');
      assert.deepEqual(notes(test), [
        'The background run b1 of bash (Serve) ended with: an error. Its output has 4 characters: read it with output, id "b1".\nExit code 3.',
      ]);
      const told = test.server.messageRequests().map(({ body }) => JSON.stringify(body).split('ended with').length - 1);
      assert.deepEqual(told, [0, 0, 1, 1]);
    },
  );

  check(
    'one that ends while the model works is told with the next result',
    [reply(starts('b1', UNTIL_GO)), reply(toolUse('output', { id: 'b1', wait: 30 })), DONE],
    async (test) => {
      test.session.subscribe((event) => {
        if (event.type === 'tool/started' && event.call !== 'b1') go(test);
      });
      assert.equal(await test.session.prompt('Run'), 'done');
      assert.equal(notes(test).length, 1);
      assert.match(JSON.stringify(test.server.messageRequests().at(-1)?.body), /b1 of bash \(Serve\) ended with: done/);
    },
  );

  check(
    'one that the person stops is told as theirs, and a click on one that has ended does nothing',
    [reply(starts('b1', 'sleep 600')), DONE, DONE],
    async (test) => {
      const { session } = test;
      const late: boolean[] = [];
      session.subscribe((event) => {
        if (event.type === 'tool/ended') queueMicrotask(() => setImmediate(() => late.push(session.stopRun('b1'))));
      });
      assert.equal(await session.prompt('Run'), 'done');
      assert.equal(session.stopRun('b1'), true);
      await eventually('the late click', async () => late.length > 0);
      assert.equal(await session.prompt('And?'), 'done');
      assert.deepEqual([late, ends(test)], [[false], [{ call: 'b1', status: 'stopped', told: false }]]);
      assert.match(notes(test).join('\n'), /ended with: a stop\..*\nStopped by the person before it finished/s);
    },
  );

  check(
    'a command that the person lets go on outlives its time limit',
    [
      reply(toolUse('bash', { command: `echo begun; ${UNTIL_GO}; echo over`, timeout: 1_000 }, { id: 'b1' })),
      reply(toolUse('bash', { command: 'sleep 1.2' })),
      reply(toolUse('output', { id: 'b1', wait: 30 })),
      DONE,
    ],
    async (test) => {
      const { session } = test;
      const released: string[] = [];
      session.subscribe((event) => {
        const hasBegun = event.type === 'tool/progress' && JSON.stringify(event.display).includes('begun\\n');
        if (hasBegun && released.length === 0) released.push(session.continueInBackground('b1'));
        if (event.type === 'tool/finished' && results(test).length === 2) go(test);
      });
      assert.equal(await session.prompt('Run'), 'done');
      assert.deepEqual([released, ends(test)], [['released'], [{ call: 'b1', status: 'done', told: false }]]);
      assert.match(
        results(test)[0] ?? '',
        /^begun\nThe person let it go on in the background, without a time limit, as b1/,
      );
      assert.match(results(test)[2] ?? '', /^ {5}1\tbegun\n {5}2\tover\n/);
    },
  );

  check(
    'is answered although its pattern never comes',
    [reply(starts('b1', 'echo up; sleep 600', { ready_pattern: 'never' })), reply(toolUse('stop', { id: 'b1' })), DONE],
    async (test) => {
      assert.equal(await test.session.prompt('Serve'), 'done');
      assert.match(
        results(test)[0] ?? '',
        /^(up\n)?"never" has not appeared within 30 s: it may not be ready yet\. It goes on/,
      );
    },
    { isQuick: true },
  );

  const IDS = Array.from({ length: 9 }, (_, at) => `b${at + 1}`);
  check(
    'the ninth is refused with what runs; an unknown one is not stopped, and several are at once',
    [
      reply(...IDS.map((id) => starts(id, 'sleep 600'))),
      reply(toolUse('stop', { id: 'b9' })),
      reply(toolUse('stop', { id: IDS.slice(0, 8).join(' ') })),
      reply(toolUse('tasks', { state: 'running' })),
      DONE,
    ],
    async (test) => {
      assert.equal(await test.session.prompt('Serve all'), 'done');
      const ninth = test.of('tool/finished').find(({ call }) => call === 'b9')?.text ?? '';
      const [unknown = '', stopped = '', left] = results(test).slice(9);
      assert.match(
        ninth,
        /^At most 8 runs go on in the background\. Now there are b1 \(Serve\), .*b8 \(Serve\)\. End one/,
      );
      assert.match(unknown, /^There is no background run "b9" in this session\. Now there are b1 \(Serve\), /);
      assert.equal(stopped.match(/ended with: a stop/g)?.length, 8);
      assert.deepEqual([left, notes(test)], ['None is running.', []]);
    },
  );
});
