// One hook as a real process: what it gets, what is kept of it, and that nothing of it is left behind.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../../src/common/json';
import { runHook, type HookExit } from '../../../../src/core/hooks/run';
import { systemClock } from '../../../../src/node/clock';
import { programStarter } from '../../../../src/node/program';
import { inWorkspace } from '../../../support/workspace';

interface Case {
  readonly timeoutMs?: number;
  readonly input?: JsonObject;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  readonly stopAfterMs?: number;
}

function check(name: string, command: string, expected: Partial<HookExit>, options: Case = {}): void {
  it(name, async () => {
    const { exit, left } = await run(command, options);
    assert.deepEqual({ ...exit, ...expected }, exit);
    assert.deepEqual(left, []);
  });
}

/** Runs the hook in a folder of its own; `left` is what is still alive of it when everything has been waited for. */
async function run(command: string, { timeoutMs = 30_000, input = {}, env = process.env, cwd, stopAfterMs }: Case) {
  let exit: HookExit = { how: 'stopped' };
  const left: string[] = [];
  await inWorkspace({}, async ({ root, tree, host }) => {
    const endings: Promise<void>[] = [];
    const stop = new AbortController();
    if (stopAfterMs === 0) stop.abort();
    else if (stopAfterMs !== undefined) void sleep(stopAfterMs).then(() => stop.abort());
    exit = await runHook(
      { event: 'PreToolUse', command, timeoutMs },
      input,
      {
        host: { clock: systemClock, ids: host.ids },
        start: programStarter({ env }),
        cwd: cwd ?? root,
        env: { LATHE_PROJECT_DIR: root },
        leave: (ending) => endings.push(ending),
      },
      stop.signal,
    );
    await Promise.all(endings);
    // Each process of a test writes its id down.
    for (const pid of Object.values(await tree())
      .join(' ')
      .split(/\s+/))
      if (pid !== '' && isAlive(Number(pid))) left.push(pid);
  });
  return { exit, left };
}

/** A zombie has ended; only its parent can make it vanish. */
function isAlive(pid: number): boolean {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim();
  return state !== '' && !state.startsWith('Z');
}

describe('O07: a hook as a process', () => {
  const done = (stdout: string): HookExit => ({
    how: 'exited',
    ended: 'exit code 0',
    code: 0,
    stdout,
    stderr: '',
    isCut: false,
  });

  check('gets the event as one line of JSON', 'cat', done('{"text":"a\\nb"}\n'), { input: { text: 'a\nb' } });
  check('need not read it, however long it is', 'exec <&-; sleep 0.2; echo ok', done('ok\n'), {
    input: { x: 'x'.repeat(1_000_000) },
  });
  check(
    'runs through a shell, in its folder',
    'cd .. && basename "$LATHE_PROJECT_DIR" | tr a-z A-Z',
    done('WORKSPACE\n'),
  );
  check('gets no keys', 'echo "${ANTHROPIC_API_KEY:-none} ${HOME:-none}"', done('none /h\n'), {
    env: { PATH: process.env['PATH'], HOME: '/h', ANTHROPIC_API_KEY: 'sk-1' },
  });
  check('is kept to a bound', 'head -c 100000 /dev/zero | tr "\\0" x; head -c 100000 /dev/zero | tr "\\0" y >&2', {
    stdout: 'x'.repeat(64 * 1024),
    stderr: 'y'.repeat(64 * 1024),
    isCut: true,
  });
  check('a signal is no exit code', 'kill -KILL $$', { how: 'exited', ended: 'SIGKILL' });
  check(
    'a folder that is gone',
    'true',
    { how: 'unstarted', reason: 'there is no folder /no/such/folder' },
    { cwd: '/no/such/folder' },
  );
  check(
    'is ended by its time limit',
    'echo $$ > one; sleep 60 & echo $! > two; wait',
    { how: 'timeout' },
    { timeoutMs: 300 },
  );
  check(
    'is ended by its time limit, however stubborn',
    `trap '' TERM; echo $$ > one; while :; do sleep 0.1; done`,
    { how: 'timeout' },
    {
      timeoutMs: 300,
    },
  );
  check('is ended by Stop', 'echo $$ > one; sleep 60', { how: 'stopped' }, { stopAfterMs: 300 });
  check('does not start after Stop', 'echo $$ > one', { how: 'stopped' }, { stopAfterMs: 0 });
  check('leaves nothing running', 'sleep 60 > /dev/null 2>&1 & echo $! > one; echo ok', done('ok\n'));
});
