// A conversation with the sandbox on: what runs by itself inside, what fails there, and that only the person lets it out.
import assert from 'node:assert/strict';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSandbox } from '../../src/node/sandbox/sandbox';
import { bash } from '../../src/tools/bash';
import { reply, text, toolUse } from '../support/model-server/scenario';
import { withSession, type SessionTest } from '../support/sessionTest';

const run = (id: string, command: string, more: object = {}) => reply(toolUse('bash', { command, ...more }, { id }));
const write = (path: string) => `node -e "require('fs').writeFileSync('${path}', 'x')"`;

/** Not below the system's temporary folder, of which a sandbox has its own. */
const OUTSIDE = `/var/tmp/lathe-sandbox-${process.pid}.txt`;

const notes = ({ of }: SessionTest): string[] =>
  of('note/appended').flatMap(({ about, text: note }) => (about === 'sandbox' ? [note] : []));
const warnings = ({ of }: SessionTest): string[] =>
  of('notice').flatMap(({ level, text: said }) => (level === 'warning' && said.includes('sandbox') ? [said] : []));
const statuses = ({ of }: SessionTest) => of('tool/finished').map(({ call, status }) => `${call} ${status}`);
const asked = ({ of }: SessionTest) => of('ask/opened').map(({ ask }) => ask.call);

/** The person answers every card so. */
function answering({ session, asks }: SessionTest, decision: 'once' | 'deny'): void {
  session.subscribe((event) => {
    if (event.type !== 'ask/opened') return;
    setImmediate(() => asks.answer(event.ask.id, { kind: 'permission', decision }));
  });
}

describe('S16, S18: a session whose commands run in a sandbox', () => {
  let isHere: boolean;
  before(async () => {
    isHere = (await createSandbox({ roots: () => [] }).missing()) === undefined;
  });

  afterEach(() => rmSync(OUTSIDE, { force: true }));

  for (const decision of ['once', 'deny'] as const) {
    it(`writes in the workspace unasked, fails outside, and asks for outside: ${decision}`, async () => {
      const replies = [
        run('c1', write('in.txt')),
        run('c2', write(OUTSIDE)),
        run('c3', write(OUTSIDE), { outside_sandbox: true }),
        { ...reply(text('Done')), times: 'always' } as const,
      ];
      const options = { replies, tools: [bash], mode: 'ask', settings: { 'shell.sandbox': 'auto' } } as const;
      await withSession(options, async (test) => {
        answering(test, decision);
        assert.equal(await test.session.prompt('Go'), 'done');
        const isAllowed = decision === 'once';
        const { root } = test.workspace;
        assert.deepEqual(
          {
            asked: asked(test).filter((call) => isHere || call === 'c3'),
            statuses: statuses(test).filter((line) => isHere || line.startsWith('c3')),
            isInside: existsSync(join(root, 'in.txt')),
            isOutside: existsSync(OUTSIDE),
          },
          {
            asked: isHere || isAllowed ? ['c3'] : asked(test).filter((call) => call === 'c3'),
            statuses: [...(isHere ? ['c1 done', 'c2 failed'] : []), isAllowed ? 'c3 done' : 'c3 denied'],
            isInside: isHere || isAllowed,
            isOutside: isAllowed,
          },
        );
        const body = JSON.stringify(test.server.messageRequests().at(-1)?.body);
        assert.equal(body.includes('send it again with outside_sandbox: true'), isHere);
      });
    });
  }

  it('tells the model where commands run, once, and the person where there is no sandbox', async () => {
    const replies = [{ ...reply(text('Hello')), times: 'always' } as const];
    await withSession({ replies, settings: { 'shell.sandbox': 'auto' } }, async (test) => {
      await test.session.prompt('Hello');
      await test.session.prompt('Again');
      assert.equal(notes(test).length, 1);
      assert.match(
        notes(test)[0] ?? '',
        isHere ? /^Commands run in a sandbox: / : /^Commands run without a sandbox: there is none here/,
      );
      assert.equal(warnings(test).length, isHere ? 0 : 1);
    });
  });

  it('says nothing of it where it is off', async () => {
    await withSession({ replies: [reply(text('Hello'))] }, async (test) => {
      await test.session.prompt('Hello');
      assert.deepEqual([notes(test), warnings(test)], [[], []]);
    });
  });
});
