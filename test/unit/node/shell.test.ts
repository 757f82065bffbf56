// Commands in real shells: complete output, a certain end, and nothing left running.
import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import type { ShellExit } from '../../../src/core/shell';
import { createShell } from '../../../src/node/shell';
import { BACKENDS, runOn, survivorsOf, type TestRun } from '../../support/shells';
import { createWorkspace, type Workspace } from '../../support/workspace';

for (const backend of BACKENDS)
  describe(`Shell.run on ${backend}`, () => {
    let workspace: Workspace;
    before(async () => {
      workspace = await createWorkspace({ 'sub/x': '' });
    });
    after(() => workspace.remove());

    const run = ({ root }: Workspace, command: string, options: Partial<TestRun> = {}) =>
      runOn(backend, command, { cwd: root, ...options });

    const ended = (end: Partial<ShellExit & { ok: true }> = {}) => ({
      ok: true,
      code: 0,
      timedOut: false,
      wasStopped: false,
      cwd: workspace.root,
      ...end,
    });

    const CASES: readonly {
      what: string;
      command: string;
      output: string;
      end?: () => Partial<ShellExit & { ok: true }>;
    }[] = [
      { what: 'prints', command: 'printf hello', output: 'hello' },
      {
        what: 'keeps both streams in order',
        command: 'for i in 1 2 3; do echo o$i; echo e$i >&2; done',
        output: 'o1\ne1\no2\ne2\no3\ne3\n',
      },
      { what: 'reports the exit code', command: 'echo no; exit 7', output: 'no\n', end: () => ({ code: 7 }) },
      {
        what: 'R46: reports the signal',
        command: 'kill -SEGV $$',
        output: '',
        end: () => ({ code: null, signal: 'SIGSEGV' }),
      },
      { what: 'follows cd', command: 'cd sub', output: '', end: () => ({ cwd: workspace.path('sub') }) },
      {
        what: 'follows cd before exit',
        command: 'cd sub; exit 3',
        output: '',
        end: () => ({ code: 3, cwd: workspace.path('sub') }),
      },
      {
        what: 'follows cd into any name',
        command: "mkdir -p $'sub/a\\nb ' && cd $'sub/a\\nb '",
        output: '',
        end: () => ({ cwd: workspace.path('sub/a\nb ') }),
      },
      {
        what: 'does not believe what else comes on its own channel',
        command: 'cd sub; echo /etc >&3; printf "\\0x" >&3',
        output: '',
        end: () => ({ cwd: workspace.path('sub') }),
      },
      { what: 'stays where it was when the channel is closed', command: 'cd sub; exec 3>&-', output: '' },
      {
        what: 'says nothing of its own when the folder is gone',
        command: 'mkdir gone && cd gone && rmdir ../gone',
        output: '',
      },
      { what: 'does not follow a subshell', command: '(cd sub)', output: '' },
      {
        what: 'takes several lines and here-documents',
        command: 'cat <<EOF\n$((1+1))\nEOF\necho end',
        output: '2\nend\n',
      },
      {
        what: 'names lines as the command has them',
        command: 'nope-1',
        output: 'bash: line 1: nope-1: command not found\n',
        end: () => ({ code: 127 }),
      },
      { what: 'shows the command no arguments', command: 'echo "$#:$*:$0"', output: '0::bash\n' },
      {
        what: 'starts with a dash',
        command: '-n',
        output: 'bash: line 1: -n: command not found\n',
        end: () => ({ code: 127 }),
      },
      {
        what: 'R42: does not page or prompt',
        command: 'echo $PAGER $GIT_PAGER $GIT_TERMINAL_PROMPT',
        output: 'cat cat 0\n',
      },
    ];
    for (const { what, command, output, end } of CASES) {
      it(what, async () => {
        const { id, ...found } = await run(workspace, command);
        assert.deepEqual(found, { output, exit: ended(end?.()) });
        assert.deepEqual(survivorsOf(id), []);
      });
    }

    it('R42: has no input where nobody can answer', async () => {
      const { id, ...found } = await run(workspace, 'read x; echo "got $?"; cat; git commit; :', { hasInput: false });
      assert.equal(found.output.startsWith('got 1\n'), true);
      assert.deepEqual(found.exit, ended());
      assert.deepEqual(survivorsOf(id), []);
    });

    it('a run that ends leaves one of the same id alone, as another window may have it', async () => {
      const common = {
        call: 'call_0',
        session: 's1',
        cwd: workspace.root,
        timeoutMs: 30_000,
        onOutput: () => undefined,
      };
      const { signal } = new AbortController();
      const { shell } = workspace.host;
      const long = shell.run({ ...common, signal, command: 'read -t 1 < <(sleep 5); echo' });
      assert.deepEqual(await shell.run({ ...common, signal, command: 'true' }), ended());
      assert.deepEqual(await long, ended({ leftRunning: 1 }));
    });

    it('reports a syntax error in the command’s own words', async () => {
      const { output, exit } = await run(workspace, 'if; then');
      assert.match(output, /^bash: eval: line 1: syntax error near unexpected token `;'\n/);
      assert.deepEqual(exit, ended({ code: exit.ok ? exit.code : null }));
      assert.notEqual(exit.ok && exit.code, 0);
    });

    const BACKGROUND: readonly { what: string; command: string }[] = [
      { what: 'a background process', command: 'sleep 300 & echo done' },
      { what: 'a process with a session of its own that keeps the pipe', command: 'setsid sleep 300 & echo done' },
      { what: 'a process with an empty environment', command: 'env -i sleep 300 & echo done' },
      { what: 'a process without hang-up', command: 'nohup sleep 300 >/dev/null 2>&1 & echo done' },
      { what: 'a process that ignores TERM', command: `(trap '' TERM; while :; do sleep 1; done) & echo done` },
    ];
    for (const { what, command } of BACKGROUND) {
      it(`R41: does not wait for ${what}, and ends it`, async () => {
        const { id, output, exit } = await run(workspace, command);
        assert.equal(output, 'done\n');
        assert.equal(exit.ok && exit.code, 0);
        assert.equal(exit.ok && (exit.leftRunning ?? 0) >= 1, true);
        assert.deepEqual(survivorsOf(id), []);
      });
    }

    it('R41: ends what takes too long, with its output so far', async () => {
      const { id, output, exit } = await run(workspace, `trap '' TERM; echo begun; setsid sleep 300 & sleep 300`, {
        timeoutMs: 300,
      });
      assert.equal(output, 'begun\n');
      assert.deepEqual(exit.ok && { timedOut: exit.timedOut, wasStopped: exit.wasStopped }, {
        timedOut: true,
        wasStopped: false,
      });
      assert.deepEqual(survivorsOf(id), []);
    });

    it('ends when it is stopped', async () => {
      const stop = new AbortController();
      const { id, exit } = await run(workspace, 'echo begun; sleep 300', {
        signal: stop.signal,
        onOutput: () => stop.abort(),
      });
      assert.deepEqual(exit, ended({ code: null, signal: 'SIGTERM', wasStopped: true }));
      assert.deepEqual(survivorsOf(id), []);
    });

    it('says when a command is too long to be started', async () => {
      const { exit } = await run(workspace, `echo ${'x'.repeat(200_000)}`);
      assert.match(exit.ok ? '' : exit.reason, /could not be started: the command is longer than the system takes/);
    });

    it('keeps little of what floods its own channel', async () => {
      const before = process.memoryUsage().rss;
      const { exit } = await run(workspace, 'head -c 300000000 /dev/zero >&3; cd sub');
      assert.deepEqual(exit, ended({ cwd: workspace.path('sub') }));
      assert.ok(process.memoryUsage().rss - before < 200_000_000);
    });

    it('R43: says when the folder is gone', async () => {
      const { exit } = await run(workspace, 'pwd', { cwd: workspace.path('gone') });
      assert.deepEqual(exit, {
        ok: false,
        reason: `The folder ${workspace.path('gone')} does not exist (any more). Run the command in another one.`,
      });
    });

    it('survives its folder being removed', async () => {
      const { exit } = await run(workspace, 'mkdir t && cd t && rm -r ../t');
      assert.equal(exit.ok && exit.code, 0);
      await rm(workspace.path('t'), { recursive: true, force: true });
    });

    it('gives megabytes without loss', async () => {
      const { output, exit } = await run(workspace, 'seq 1 300000');
      assert.equal(exit.ok && exit.code, 0);
      assert.equal(output, Array.from({ length: 300_000 }, (_, at) => `${at + 1}\n`).join(''));
    });

    it('holds a program back as long as it is told to', async () => {
      const held = new Promise<void>((resolve) => setTimeout(resolve, 3000));
      const { output, exit } = await run(workspace, 'yes', { timeoutMs: 300, onOutput: () => held });
      assert.equal(exit.ok && exit.timedOut, true);
      assert.ok(output.length < 8_000_000, `${output.length} characters came through`);
    });

    it('loses nothing of what it holds back', async () => {
      const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 5));
      const { output, exit } = await run(workspace, 'seq 1 100000', { onOutput: pause });
      assert.equal(exit.ok && exit.code, 0);
      assert.equal(output, Array.from({ length: 100_000 }, (_, at) => `${at + 1}\n`).join(''));
    });

    it('mirrors the output', async () => {
      const seen: string[] = [];
      const shell = createShell({
        env: process.env,
        onOutput: ({ call }, bytes) => seen.push(call, String(Buffer.from(bytes))),
      });
      await shell.run({
        call: 'm1',
        session: 's',
        command: 'echo hi',
        cwd: workspace.root,
        timeoutMs: 5000,
        signal: new AbortController().signal,
        onOutput: () => {},
      });
      assert.deepEqual(seen, ['m1', 'hi\n']);
    });
  });
