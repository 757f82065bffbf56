// Calls that only read run while the model still writes: told by the order of events, on a stream that takes its time.
import assert from 'node:assert/strict';
import { TOOLS } from '../../src/tools/index';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { withSession, type SessionTest } from '../support/sessionTest';

const NAMES = Array.from({ length: 10 }, (_, at) => `file${at}.txt`);
const FILES = Object.fromEntries(NAMES.map((name) => [name, `This is ${name}.`]));
/** Comes after the calls: much longer than a few reads take. */
const TAIL = 'While these are being read, here is what I expect to find in them. '.repeat(12);
const MS_PER_EVENT = 20;

const reading = (name: string) => toolUse('read', { file_path: name }, { id: `toolu_${name.slice(0, -4)}` });

/** The starts and ends of calls, and the end of each message. */
function milestones({ events }: SessionTest): string[] {
  return events.flatMap((event) => {
    if (event.type === 'tool/started' || event.type === 'tool/finished') return `${event.type} ${event.call}`;
    return event.type === 'message/finished' ? event.type : [];
  });
}

describe('O18 calls that start early', () => {
  it('ten reads are done before the stream that calls them ends', () =>
    withSession(
      {
        tools: TOOLS,
        files: FILES,
        replies: [
          reply(...NAMES.map(reading), text(TAIL), { delayMsPerEvent: MS_PER_EVENT, stopReason: 'tool_use' }),
          reply(text('Done.')),
        ],
      },
      async (test) => {
        assert.equal(await test.session.prompt('Read them all'), 'done');
        const seen = milestones(test);
        const before = seen.slice(0, seen.indexOf('message/finished'));
        const calls = NAMES.map((name) => `toolu_${name.slice(0, -4)}`);
        assert.deepEqual(
          before.filter((each) => each.startsWith('tool/finished')).sort(),
          calls.map((call) => `tool/finished ${call}`),
        );
        assert.deepEqual(
          test
            .of('tool/finished')
            .map(({ text: result }) => /This is (.+)\.$/.exec(result)?.[1])
            .sort(),
          NAMES,
        );
        const [, second] = test.server.messageRequests();
        const sent = [...(second?.bodyText.matchAll(/"tool_use_id":"(\w+)"/g) ?? [])].map(([, call]) => call);
        assert.deepEqual(sent, calls);
      },
    ));

  it('what comes after a change waits for it, and both for the end of the message', () =>
    withSession(
      {
        tools: TOOLS,
        files: FILES,
        replies: [
          reply(
            reading('file0.txt'),
            toolUse('write', { file_path: 'new.txt', content: 'new' }, { id: 'toolu_write' }),
            reading('file1.txt'),
            text(TAIL),
            { delayMsPerEvent: MS_PER_EVENT, stopReason: 'tool_use' },
          ),
          reply(text('Done.')),
        ],
      },
      async (test) => {
        assert.equal(await test.session.prompt('Go'), 'done');
        assert.deepEqual(milestones(test), [
          'tool/started toolu_file0',
          'tool/finished toolu_file0',
          'message/finished',
          'tool/started toolu_write',
          'tool/finished toolu_write',
          'tool/started toolu_file1',
          'tool/finished toolu_file1',
          'message/finished',
        ]);
      },
    ));
});
