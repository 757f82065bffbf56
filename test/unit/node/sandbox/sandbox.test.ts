// Commands in a sandbox, really run in one where this machine has it; where it has none, what is said instead.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { ShellExit } from '../../../../src/core/shell';
import { createSandbox } from '../../../../src/node/sandbox/sandbox';
import { createConfinement } from '../../../../src/node/sandbox/confine';
import { createSettings } from '../../../../src/node/settings';
import { createShell } from '../../../../src/node/shell';
import { createWorkspace, type Workspace } from '../../../support/workspace';

interface Run {
  readonly output: string;
  readonly exit: ShellExit;
}

async function run(
  { root, host }: Workspace,
  command: string,
  options: { cwd?: string; place?: 'inside' | 'outside'; shell?: typeof host.shell } = {},
): Promise<Run> {
  let output = '';
  const exit = await (options.shell ?? host.shell).run({
    ...{ call: `sandbox-${process.pid}`, session: 's', command, cwd: options.cwd ?? root, timeoutMs: 20_000 },
    ...(options.place ? { place: options.place } : {}),
    signal: new AbortController().signal,
    onOutput: (bytes) => void (output += String(Buffer.from(bytes))),
  });
  return { output, exit };
}

const REFUSAL = /^Commands run in a sandbox only .* is required\), and there is none here: .*\. Tell the person: /;

describe('the sandbox of commands', () => {
  let workspace: Workspace;
  let isHere: boolean;
  const at = (name: string) => join(workspace.root, name);
  const text = (name: string) => readFileSync(at(name), 'utf8');

  before(async () => {
    workspace = await createWorkspace(
      { 'a.txt': 'a', 'sub/deep/b.txt': 'b', '.env': 'KEY=1', 'package.json': '{}', 'sub/.vscode/settings.json': '{}' },
      { settings: { 'shell.sandbox': 'required' } },
    );
    isHere = (await createSandbox({ roots: () => [] }).missing()) === undefined;
    execFileSync('git', ['init', '-q'], { cwd: workspace.root });
    execFileSync('git', ['init', '-q', 'nested'], { cwd: workspace.root });
    execFileSync('git', ['init', '-q', '--bare', 'bare.git'], { cwd: workspace.root });
    execFileSync('git', ['config', 'user.email', 'a@example.com'], { cwd: workspace.root });
    execFileSync('git', ['config', 'user.name', 'A'], { cwd: workspace.root });
  });
  after(() => workspace.remove());

  /** What a command prints and leaves inside; where there is no sandbox, it is refused with what to do. */
  async function check(command: string, expected: { output: RegExp | string; code?: number; setAside?: string[] }) {
    const { output, exit } = await run(workspace, command);
    if (!isHere) {
      assert.equal(output, '');
      assert.ok(!exit.ok);
      assert.match(exit.reason, REFUSAL);
      return;
    }
    if (typeof expected.output === 'string') assert.equal(output, expected.output);
    else assert.match(output, expected.output);
    assert.deepEqual(exit, {
      ...{ ok: true, code: expected.code ?? 0, timedOut: false, wasStopped: false },
      ...{ cwd: workspace.root, wasSandboxed: true },
      ...(expected.setAside ? { setAside: expected.setAside.map(at) } : {}),
    });
  }

  it('a command reads and writes in the workspace, and its exit code is its own', async () => {
    await check('cat a.txt && echo new > made.txt && exit 3', { output: 'a', code: 3 });
    assert.equal(existsSync(at('made.txt')), isHere);
  });

  it('where the shell stood is told from inside', async () => {
    const { exit } = await run(workspace, 'cd sub/deep');
    assert.equal(exit.ok && exit.cwd, isHere && at('sub/deep'));
  });

  it('S11: nothing outside the workspace can be written', async () => {
    const outside = join(workspace.root, '..', `outside-${process.pid}`);
    await check(
      `echo x > /usr/x; echo x > ~/x; echo x > /etc/x; echo x >| ${outside}; echo x > "$TMPDIR/x" && echo temp`,
      {
        output: /^(.*Read-only file system\n){3}(?:.*Read-only file system\n)?temp\n$/,
      },
    );
    assert.deepEqual([outside, '/usr/x', '/etc/x', '/tmp/x'].filter(existsSync), []);
  });

  it('S16, S70: no network, not even the machine’s own', async () => {
    const server = createServer((socket) => socket.end('reached'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as { port: number };
    const connect = (host: string, to: number) => `(exec 5<>/dev/tcp/${host}/${to} && cat <&5) 2>/dev/null || echo no`;
    await check([connect('127.0.0.1', port), connect('169.254.169.254', 80)].join('\n'), { output: 'no\nno\n' });
    server.close();
  });

  it('S16: sockets of programs outside cannot be reached by their file', async () => {
    const server = createServer((socket) => socket.end('reached'));
    await new Promise<void>((done) => server.listen(at('x.sock'), done));
    const script = `require('net').connect('x.sock').on('data', (d) => console.log(String(d))).on('error', () => console.log('no'))`;
    await check(`"${process.execPath}" -e "${script}"`, { output: 'no\n' });
    await new Promise((done) => server.close(done));
  });

  for (const command of [
    'echo x > .git/config',
    'git config core.fsmonitor ./evil',
    'echo x > .git/hooks/pre-commit',
    'mv .git .git2',
    'rm -rf .git/hooks',
    'mkdir -p .vscode && echo "{}" > .vscode/settings.json',
    'echo x > sub/.vscode/settings.json',
    'mv sub/.vscode sub/x',
    'mv sub sub2',
    'echo x > package.json',
    'rm package.json',
    'mount -o remount,rw /',
    'echo sub > .git/commondir',
    'rm .git/commondir',
    'echo "* filter=x" > .git/info/attributes',
    'mv .git/info .git/x',
    'echo /x > .git/objects/info/alternates',
    'git config --worktree core.fsmonitor x || echo "[core]" > .git/config.worktree',
    'mkdir .git/modules/x',
    'mkdir .git/worktrees/x',
    'echo sub > nested/.git/commondir',
    'echo x > nested/.git/config',
    'echo x > bare.git/hooks/pre-receive',
    'echo x > bare.git/config',
  ]) {
    it(`S33, S35: what runs by itself later is read-only: ${command}`, async () => {
      await check(`{ ${command}; } 2>/dev/null || echo refused`, { output: 'refused\n' });
      const left = ['.git2', 'sub2', '.vscode', '.git/hooks/pre-commit', '.git/x', '.git/commondir'].filter((name) =>
        existsSync(at(name)),
      );
      assert.deepEqual({ left, package: text('package.json') }, { left: [], package: '{}' });
    });
  }

  it('S35: what appears anew and would take effect by itself is set aside under another name', async () => {
    const names = ['AGENTS.md', 'new/.mcp.json', 'new/repo/.git', 'new/bare/HEAD'];
    const command = `mkdir -p new/repo/.git new/bare/{objects,refs} && echo be evil | tee AGENTS.md new/.mcp.json new/repo/.git/config new/bare/HEAD > /dev/null`;
    const { exit } = await run(workspace, command);
    if (!isHere) return assert.match(exit.ok ? '' : exit.reason, REFUSAL);
    assert.deepEqual([...((exit.ok && exit.setAside) || [])].sort(), names.map(at).sort());
    assert.deepEqual(
      names.filter((name) => existsSync(at(name))),
      [],
    );
    assert.deepEqual([text('AGENTS.md.sandboxed'), text('new/repo/.git.sandboxed/config')], ['be evil\n', 'be evil\n']);
  });

  it('S31: a link of a protected name that is made to lead elsewhere is set aside', async () => {
    writeFileSync(at('other.txt'), '');
    symlinkSync('a.txt', at('CLAUDE.md'));
    await check('ln -sfn other.txt CLAUDE.md', { output: '', ...(isHere ? { setAside: ['CLAUDE.md'] } : {}) });
  });

  it('secrets cannot be read, in the workspace or at home', async () => {
    await check('cat .env 2>&1; echo x > .env', {
      output: /\.env: Permission denied\n.*\.env: .*(denied|Read-only).*\n$/,
      code: 1,
    });
    assert.equal(text('.env'), 'KEY=1');
  });

  it('S35: however long its name is', async () => {
    const name = `${'x'.repeat(240)}.code-workspace`;
    await check(`echo {} > ${name}`, { output: '', ...(isHere ? { setAside: [name] } : {}) });
    assert.equal(existsSync(at(name)), false);
  });

  it('S35: what cannot be set aside is told', async () => {
    const { exit } = await run(workspace, 'mkdir -p locked/x && echo x > locked/x/AGENTS.md && chmod 555 locked/x');
    const mayTakeEffect = isHere && process.getuid?.() !== 0 ? [at('locked/x/AGENTS.md')] : undefined;
    assert.deepEqual(exit.ok && exit.mayTakeEffect, isHere && mayTakeEffect);
    if (isHere) execFileSync('chmod', ['755', at('locked/x')]);
  });

  it('S01: what the person hides from the agent is hidden inside, and cannot be moved to where it is not', async () => {
    const files = {
      '.latheignore': 'private/\n/plans/next.md\n',
      'private/a': 'A',
      'plans/next.md': 'B',
      'denied/c': 'C',
    };
    const settings = { 'shell.sandbox': 'required', 'permission.deny': ['read(denied/**)'] } as const;
    const hiding = await createWorkspace(files, { settings });
    const { output } = await run(hiding, '(cat private/a plans/next.md denied/c; mv plans p; mv private q) 2>&1; ls');
    if (isHere) assert.match(output, /^(cat: .*Permission denied\n){3}(mv: .*\n){2}denied\nplans\nprivate\n$/);
    assert.deepEqual(readdirSync(hiding.root).sort(), ['.latheignore', 'denied', 'plans', 'private']);
    await hiding.remove();
  });

  it('git commits, branches and tags work', async () => {
    await check(
      'git add a.txt && git commit -qm one && git tag t && git checkout -qb other && git log --oneline | wc -l',
      {
        output: '1\n',
      },
    );
  });

  it('R41: nothing outlives a command, however it was started', async () => {
    const marker = `left-${process.pid}`;
    const { exit } = await run(
      workspace,
      `env -i setsid bash -c 'exec -a ${marker} sleep 300' >/dev/null 2>&1 & sleep 0.2`,
    );
    assert.equal(exit.ok, isHere);
    const left = readdirSync('/proc').filter((pid) => {
      try {
        return /^\d+$/.test(pid) && readFileSync(join('/proc', pid, 'cmdline'), 'latin1').startsWith(marker);
      } catch {
        return false;
      }
    });
    assert.deepEqual(left, []);
  });

  it('two commands at once share what is held for them, and leave nothing behind', async () => {
    const fresh = await createWorkspace({ x: '' }, { settings: { 'shell.sandbox': 'required' } });
    const runs = await Promise.all([run(fresh, 'sleep 0.1; ls -A'), run(fresh, 'mkdir .vscode/x; git init -q; true')]);
    assert.deepEqual(
      runs.map(({ exit }) => exit.ok),
      [isHere, isHere],
    );
    assert.deepEqual(readdirSync(fresh.root), ['x']);
    await fresh.remove();
  });

  it('required: nobody gets out, and a command decided inside never runs elsewhere', async () => {
    const { exit } = await run(workspace, 'echo x > ../outside', { place: 'outside' });
    assert.deepEqual([exit.ok, existsSync(join(workspace.outside, 'outside'))], [isHere, false]);
    const shell = createShell({ env: process.env });
    assert.deepEqual(await run(workspace, 'echo ran', { shell, place: 'inside' }), {
      output: '',
      exit: { ok: false, reason: 'The sandbox that this was to run in is no longer there. Send the call again.' },
    });
  });

  for (const setting of ['auto', 'required'] as const) {
    it(`where there is none: ${setting}`, async () => {
      const settings = createSettings({ 'shell.sandbox': setting });
      const confinement = createConfinement({ settings, roots: () => [workspace.root], programs: [] });
      const shell = createShell({ env: process.env, confinement });
      const isRequired = setting === 'required';
      const { reason, ...state } = { reason: '', ...(await confinement.state()) };
      assert.deepEqual(state, { kind: 'missing', isRequired });
      assert.notEqual(reason, '');
      const { output, exit } = await run(workspace, 'echo ran', { shell });
      assert.equal(output, isRequired ? '' : 'ran\n');
      if (isRequired) assert.match(exit.ok ? '' : exit.reason, REFUSAL);
      else assert.equal(exit.ok && exit.wasSandboxed, undefined);
    });
  }

  it('a sandbox that does not start counts as none, with what it said', async () => {
    mkdirSync(at('bin'), { recursive: true });
    writeFileSync(at('bin/bwrap'), '#!/bin/sh\necho no namespaces >&2\nexit 1\n', { mode: 0o755 });
    const program = at('bin/bwrap');
    const missing = await createSandbox({ roots: () => [], os: 'linux', programs: [program] }).missing();
    assert.equal(missing, `${program} does not work here: no namespaces`);
  });
});
