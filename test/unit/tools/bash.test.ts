// bash: readable output in the store, an honest end, and a folder that follows cd inside the workspace.
import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createNodeHost } from '../../../src/node/host';
import { eventually } from '../../support/eventually';
import { checkTool, toolsOn, withTools } from '../../support/toolTest';
import { inWorkspace } from '../../support/workspace';

checkTool('bash', { 'sub/x': '' }, [
  {
    what: 'gives the output',
    input: { command: 'echo hi; echo err >&2', description: 'Say hi' },
    text: 'hi\nerr\n',
    display: {
      kind: 'shell',
      command: 'echo hi; echo err >&2',
      cwd: '<root>',
      tail: 'hi\nerr\n',
      moreChars: 0,
      exit: { code: 0, timedOut: false },
    },
  },
  { what: 'says when there is none', input: { command: 'true' }, text: '(no output)' },
  {
    what: 'fails with the exit code and the output',
    input: { command: 'echo no; exit 3' },
    status: 'failed',
    text: 'no\nExit code 3.',
    display: {
      kind: 'shell',
      command: 'echo no; exit 3',
      cwd: '<root>',
      tail: 'no\n',
      moreChars: 0,
      exit: { code: 3, timedOut: false },
    },
  },
  { what: 'names the signal', input: { command: 'kill -SEGV $$' }, status: 'failed', text: 'Killed by SIGSEGV.' },
  {
    what: 'K02: fails when it takes too long, with the output so far',
    input: { command: 'echo begun; sleep 60', timeout: 300 },
    status: 'failed',
    text: 'begun\nIt was ended because it took longer than 0.3 s; what it printed until then is above. Give a longer timeout (at most 600000) if it needs it.',
  },
  {
    what: 'K02: takes the time limit from the settings',
    options: { settings: { 'shell.timeoutMs': 200 } },
    input: { command: 'sleep 60' },
    status: 'failed',
    text: /longer than 0\.2 s/,
  },
  {
    what: 'collapses progress and drops colours',
    input: { command: `printf '10%%\\r50%%\\r100%%\\n\\033[31mred\\033[0m\\n'` },
    text: '100%\nred\n',
  },
  { what: 'runs where it is told to', input: { command: 'basename "$PWD"', cwd: 'sub' }, text: 'sub\n' },
  {
    what: 'ends what it leaves running',
    input: { command: 'sleep 60 & echo ok' },
    text: 'ok\n1 process it had left running ended with it.\nNothing outlives its command. What is to go on is started by itself, without &, with run_in_background.',
  },
  {
    what: 'refuses an empty command',
    input: { command: ' ' },
    status: 'failed',
    text: 'The command is empty. Send the command to run.',
  },
  { what: 'refuses a NUL', input: { command: 'a\0b' }, status: 'failed', text: /NUL/ },
  {
    what: 'refuses a folder that is none',
    input: { command: 'ls', cwd: 'sub/x' },
    status: 'failed',
    text: /is not a folder/,
  },
  {
    what: 'K02: refuses more than ten minutes',
    input: { command: 'ls', timeout: 600_001 },
    status: 'failed',
    text: /600000/,
  },
  {
    what: 'says what the person has not saved',
    options: { unsaved: ['a.ts', 'b.ts', 'c.ts', 'd.ts', 'sub/e.ts', 'f.ts', 'g.ts'] },
    input: { command: 'true' },
    text: 'The person has unsaved changes in a.ts, b.ts, c.ts, d.ts, sub/e.ts, 2 more: the command saw the text on disk, which differs from what read shows.',
  },
  {
    what: 'gives no keys',
    options: { env: { ...process.env, MY_API_KEY: 'k', PLAIN: 'p' } },
    input: { command: 'echo "$MY_API_KEY:$PLAIN"' },
    text: ':p\n',
  },
]);

describe('bash', () => {
  it('keeps the folder that cd leads to, inside the workspace only', () =>
    withTools({ 'sub/x': '' }, async ({ call, cwd, root }) => {
      assert.equal((await call('bash', { command: 'cd sub' })).text, `The current folder is now ${root}/sub.`);
      assert.equal((await call('bash', { command: 'ls' })).text, 'x\n');
      assert.equal((await call('read', { file_path: 'x' })).status, 'done');
      assert.equal(
        (await call('bash', { command: 'cd /' })).text,
        `The folder / is outside the workspace, so the next command starts in ${root}/sub again.`,
      );
      assert.equal(cwd(), 'sub');
    }));

  it('starts over in the workspace when its folder is gone (R43)', () =>
    withTools({ 'sub/x': '' }, async ({ call, setCwd, cwd, path, root }) => {
      setCwd('sub');
      await rm(path('sub'), { recursive: true });
      const { status, text } = await call('bash', { command: 'pwd' });
      assert.deepEqual(
        { status, text },
        {
          status: 'done',
          text: `${root}\nThe former folder is gone, so this ran in the workspace folder.`,
        },
      );
      assert.equal(cwd(), '');
    }));

  it('S31: where the workspace was opened by a link, its folders go by that name', () =>
    inWorkspace({ 'sub/x': '' }, async (workspace) => {
      const { outside, root } = workspace;
      const link = join(outside, 'link');
      await symlink(root, link);
      const host = createNodeHost({ roots: [link], storeDir: join(outside, 'linked') });
      const { call } = toolsOn({ ...workspace, root: link, host });
      const texts: string[] = [];
      for (const command of ['true', 'cd sub', 'ls', 'cd ../..']) texts.push((await call('bash', { command })).text);
      assert.deepEqual(texts, [
        '(no output)',
        `The current folder is now ${join(link, 'sub')}.`,
        'x\n',
        `The folder ${outside} is outside the workspace, so the next command starts in ${join(link, 'sub')} again.`,
      ]);
    }));

  it('O23: shows the output while it runs', () =>
    withTools({}, async ({ call, events }) => {
      await call('bash', { command: 'echo one; sleep 0.3; echo two' });
      const tails = events.flatMap((event) =>
        event.type === 'tool/progress' && event.display.kind === 'shell' ? [event.display] : [],
      );
      assert.ok(tails.some(({ tail, exit }) => tail === 'one\n' && exit === undefined));
    }));

  it('keeps the whole of a large output, and gives the model its end', () =>
    withTools({}, async ({ call }) => {
      const { text, wholeChars } = await call('bash', { command: 'seq 1 200000' });
      const whole = Array.from({ length: 200_000 }, (_, at) => `${at + 1}\n`).join('');
      assert.equal(wholeChars, whole.length);
      assert.match(text, /199999\n200000\n$/);
      assert.ok(text.length <= 8_000);
      const page = await call('output', { id: 'c1', offset: 100_000, limit: 2 });
      assert.equal(page.text, '100000\t100000\n100001\t100001\n(Go on with offset 100002.)');
    }));

  it('K02: tells the model what to do about a time limit, and people what happened', () =>
    withTools({}, async ({ call, events }) => {
      const { text } = await call('bash', { command: 'echo begun; sleep 60', timeout: 300 });
      assert.match(text, /Give a longer timeout \(at most 600000\)/);
      const problems = events.flatMap((event) => (event.type === 'tool/finished' ? [event.problem] : []));
      assert.deepEqual(problems, ['Ended: it took longer than 0.3 seconds.']);
    }));

  it('stops with the turn and keeps what was printed', () =>
    withTools({}, async ({ call, stop, events }) => {
      const running = call('bash', { command: `trap '' TERM; echo begun; printf more; sleep 60` });
      await eventually('its output', async () => JSON.stringify(events).includes('begun\\n'));
      stop.abort();
      const { status, text } = await running;
      assert.equal(status, 'stopped');
      assert.match(text, /^begun\n/);
    }));

  it('asks with the very command and folder', () =>
    withTools(
      {},
      async ({ call, asks, root }) => {
        const { status } = await call('bash', { command: 'rm -rf build', description: 'Clean up' });
        assert.equal(status, 'denied');
        const [ask] = asks;
        assert.ok(ask?.kind === 'permission');
        assert.deepEqual(ask.preview, { kind: 'shell', command: 'rm -rf build', cwd: root, tail: '', moreChars: 0 });
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    ));

  it('does not run in plan mode', () =>
    withTools(
      {},
      async ({ call, tree }) => {
        assert.equal((await call('bash', { command: 'touch x' })).status, 'denied');
        assert.deepEqual(await tree(), {});
      },
      { mode: 'plan' },
    ));
});

checkTool('bash', {}, [
  {
    what: 'X06: goes on in the background, and is answered with what it printed first',
    input: { command: 'echo up; sleep 60', run_in_background: true },
    text: 'up\nIt has started. It goes on in the background as c1, and you are told when it ends. Read what it puts out with output, id "c1"; end it with stop.',
  },
  {
    what: 'X06: that ends before it is ready is told so at once',
    input: { command: 'echo no; exit 3', ready_pattern: 'listening' },
    status: 'failed',
    text: 'no\nExit code 3.',
  },
  {
    what: 'complaint 14: is answered when it is ready, not before and not later',
    input: { command: 'sleep 1.5; echo "listening on 80"; sleep 60', ready_pattern: 'listening on \\d+' },
    text: /^listening on 80\n"listening on \\\\d\+" has appeared in what it puts out\. It goes on/,
  },
  {
    what: 'complaint 14: is ready also with a line that does not end',
    input: { command: 'printf "go on? "; sleep 60', ready_pattern: 'go on?', run_in_background: true },
    text: /^"go on\?" has appeared/,
  },
  {
    what: 'S89: a pattern that could be matched in very many ways does not hang it',
    input: { command: `head -c 5000 /dev/zero | tr '\\0' a; echo; echo b; sleep 60`, ready_pattern: '(a+)+$|(x+x+)+y' },
    text: /has appeared/,
  },
  {
    what: 'complaint 14: hears how to keep what it starts',
    input: { command: 'nohup sleep 60 >/dev/null 2>&1 &' },
    text: /Nothing outlives its command\. What is to go on is started by itself, without &, with run_in_background\.$/,
  },
]);

describe('bash in the background', () => {
  it('X06: leaves the folder of the session alone', () =>
    withTools({ 'sub/x': '' }, async ({ call, cwd }) => {
      await call('bash', { command: 'cd sub; sleep 1.5; echo late', run_in_background: true });
      const { text } = await call('output', { id: 'c1', wait: 10 });
      assert.equal(text, '     1\tlate\n(End of the output.)');
      assert.equal(cwd(), '');
    }));
});
