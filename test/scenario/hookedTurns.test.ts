// Hooks around turns and sessions, and hooks that fail, hang or are set up wrongly.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { at, check, kept, keeps, lastWords, POKED, type HooksSetting, labelOf } from '../support/hookTest';
import { reply, text, toolUse } from '../support/model-server/scenario';

describe('O07: hooks around a turn', () => {
  check('a prompt can be blocked: the model never sees it, the person keeps it', {
    hooks: at('UserPromptSubmit', 'if grep -q secret; then echo "that is a secret" >&2; exit 2; fi'),
    replies: [reply(text('Hello'))],
    prompts: ['my secret', 'hello'],
    ends: ['blocked', 'done'],
    notices: [/did not let this prompt through: that is a secret$/],
    also: ({ server, session }) => {
      assert.equal(server.messageRequests().length, 1);
      assert.doesNotMatch(JSON.stringify(server.messageRequests()[0]?.body), /my secret/);
      const prompts = session.transcript.page(50).rows.flatMap((row) => (row.type === 'prompt' ? [row.text] : []));
      assert.deepEqual(prompts, ['my secret', 'hello']);
    },
  });
  check('a blocked prompt stays out after the session is opened again', {
    hooks: at('UserPromptSubmit', 'if grep -q secret; then exit 2; fi'),
    replies: [reply(text('Hello'))],
    prompts: ['my secret'],
    ends: ['blocked'],
    notices: [/did not let this prompt through: It gave no reason\.$/],
    also: async (test) => {
      await test.session.close();
      const again = await test.reopen();
      assert.equal(await again.prompt('hello'), 'done');
      assert.doesNotMatch(JSON.stringify(test.server.messageRequests()[0]?.body), /my secret/);
      await again.close();
    },
  });
  check('what another hook adds to a blocked prompt is not said to have reached the model', {
    hooks: at('UserPromptSubmit', 'echo "ticket 12"', 'exit 2'),
    ends: ['blocked'],
    notices: [/did not let this prompt through/],
  });
  check('plain output is context for prompt and session', {
    hooks: { ...at('SessionStart', 'echo "branch main"'), ...at('UserPromptSubmit', 'echo "ticket 12"') },
    replies: [reply(text('One')), reply(text('Two'))],
    prompts: ['a', 'b'],
    ends: ['done', 'done'],
    notices: [/told the model: branch main$/, /told the model: ticket 12$/, /told the model: ticket 12$/],
    lastWords: /ticket 12/,
    also: ({ server }) => {
      const [first, second] = server.messageRequests().map(({ body }) => JSON.stringify(body));
      assert.match(first ?? '', /branch main.*ticket 12/);
      assert.equal(second?.split('branch main').length, 2, 'once per session');
    },
  });
  check('a session’s start says whether it is resumed', {
    hooks: {
      SessionStart: [
        { matcher: 'startup', hooks: [{ type: 'command', command: 'echo "fresh"' }] },
        { matcher: 'resume', hooks: [{ type: 'command', command: 'echo "again"' }] },
      ],
    },
    replies: [reply(text('One')), reply(text('Two'))],
    notices: [/told the model: fresh$/],
    lastWords: /fresh/,
    also: async (test) => {
      await test.session.close();
      const again = await test.reopen();
      assert.equal(await again.prompt('go on'), 'done');
      assert.match(lastWords(test), /again/);
      await again.close();
    },
  });
  check('a Stop hook sends the model back to work, three times at most', {
    hooks: at('Stop', `${keeps()}; echo "tests are red" >&2; exit 2`),
    replies: Array(4).fill(reply(text('Done'))),
    notices: [/keeps the turn going: tests are red$/, /would not let the turn end, 3 times/],
    lastWords: /does not let you stop yet: tests are red/,
    also: async (test) => assert.equal((await kept(test))['stop_hook_active'], true),
  });
  check('a turn’s start and end are told', {
    hooks: { ...at('TurnStart', 'cat >> ../start'), ...at('TurnEnd', 'cat >> ../end') },
    runs: ['poke:a'],
    also: async ({ workspace }) => {
      const [start, end] = await Promise.all(
        ['start', 'end'].map((name) => readFile(`${workspace.outside}/${name}`, 'utf8')),
      );
      assert.equal(JSON.parse(start ?? '').turn_id, JSON.parse(end ?? '').turn_id);
      assert.equal(JSON.parse(end ?? '').end, 'done');
    },
  });
});

describe('O07: a hook that fails is seen and changes nothing', () => {
  const failing = (name: string, command: string, notice: RegExp, timeout?: number): void => {
    const hook = { type: 'command' as const, command, ...(timeout === undefined ? {} : { timeout }) };
    check(name, {
      hooks: { PreToolUse: [{ hooks: [hook] }] },
      replies: [reply(toolUse('poke', { id: 'a' })), reply(toolUse('poke', { id: 'b' })), reply(text('Done'))],
      runs: ['poke:a', 'poke:b'],
      results: [/^done/, /^done/],
      // Once in a turn, though it is so at each call.
      notices: [notice],
    });
  };
  failing(
    'another exit code',
    'echo oops >&2; exit 1',
    /^The hook “echo oops.*” \(PreToolUse\) ended with exit code 1: oops\.$/,
  );
  failing('a command that is not there', '/no/such/hook', /ended with exit code 127: .*not found\.$/);
  failing('a crash', 'kill -SEGV $$', /ended with SIGSEGV\.$/);
  failing('too slow', 'sleep 60', /did not end within 0\.2 s and was ended\.$/, 0.2);
  failing('an answer that is no JSON', 'echo "{ no"', /answered with what begins like JSON and is none: \{ no\.$/);
  const endless = `printf '{'; head -c 3000000 /dev/zero | tr '\\0' x`;
  check('an answer without end may have been a no, so a person is asked', {
    hooks: at('PreToolUse', endless),
    answer: 'once',
    reasons: [[`The hook “${labelOf(endless)}” asks: Its answer is too long to be read.`]],
    runs: ['poke:a'],
    notices: [/answered with more than 64 KB/],
  });
});

describe('O07: hooks and Stop', () => {
  check('a hook that hangs ends with the turn, however stubborn', {
    hooks: at('PreToolUse', `trap '' TERM; echo started > ../started; while :; do sleep 0.05; done`),
    replies: [reply(toolUse('poke', { id: 'a' }))],
    ends: [],
    prompts: [],
    also: async (test) => {
      const turn = test.session.prompt('Go');
      while (!(await readFile(`${test.workspace.outside}/started`, 'utf8').catch(() => ''))) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      test.session.stop();
      assert.equal(await turn, 'stopped');
      assert.deepEqual(
        test.of('tool/finished').map(({ status }) => status),
        ['stopped'],
      );
      // Resolves when nothing of it is left.
      await test.session.close();
    },
  });
});

describe('O07: a setting that cannot be followed', () => {
  check('is told once per session, and what is right in it holds', {
    hooks: {
      PreToolUze: [],
      PreToolUse: [
        { matcher: '(', hooks: [{ type: 'command', command: 'exit 2' }] },
        { hooks: [{ type: 'prompt', command: 'x' }] },
        { hooks: [{ type: 'command', command: ':', timeout: 6000 }] },
      ],
      PreCompact: [{ hooks: [{ type: 'command', command: ':' }] }],
    } as unknown as HooksSetting,
    replies: [...POKED, reply(text('Again'))],
    prompts: ['a', 'b'],
    ends: ['done', 'done'],
    runs: ['poke:a'],
    notices: [
      /^lathe\.hooks: there is no event "PreToolUze"; the nearest is PreToolUse\.$/,
      /^lathe\.hooks: PreToolUse, entry 1 does not run: its matcher "\(" is no regular expression\.$/,
      /^lathe\.hooks: PreToolUse, entry 2 has a hook whose type is not "command"; it does not run\.$/,
      /^lathe\.hooks: PreToolUse, entry 3 has a timeout that is not between 0 and 600 seconds; 600 holds\.$/,
    ],
  });
});
