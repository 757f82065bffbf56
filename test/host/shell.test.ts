// Commands in the editor: exit codes and whole output for the agent, the same in a terminal for the person, Ctrl-C in their hands.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { isProblem } from '../../src/core/host';
import type { ShellExit } from '../../src/core/shell';
import { editorSettings } from '../../src/vscode/settings';
import { editorShell } from '../../src/vscode/shell/shell';
import { Terminals } from '../../src/vscode/shell/terminals';
import { closeAll, eventually, extension, makeFile, show, testApi, typeAtEnd, workspaceFolder } from './support';

const SESSION = 'session_1';

describe('commands in the editor', () => {
  const icon = vscode.Uri.joinPath(extension().extensionUri, 'media', 'lathe.svg');
  let terminals: Terminals;
  let shown = '';

  beforeEach(() => {
    terminals = new Terminals(icon);
    shown = '';
    terminals.of(SESSION).onDidWrite((text) => (shown += text));
  });
  afterEach(() => terminals.dispose());

  async function run(
    command: string,
    options: { timeoutMs?: number; signal?: AbortSignal; released?: AbortSignal } = {},
  ) {
    const settings = editorSettings(extension().packageJSON);
    const shell = editorShell({ terminals, settings, roots: () => [], saveEdits: async () => [], env: process.env });
    let output = '';
    const exit = await shell.run({
      call: `call_${Math.random().toString(36).slice(2)}`,
      session: SESSION,
      command,
      cwd: workspaceFolder(),
      timeoutMs: options.timeoutMs ?? 30_000,
      signal: options.signal ?? new AbortController().signal,
      ...(options.released ? { released: options.released } : {}),
      onOutput: (bytes) => {
        output += Buffer.from(bytes).toString();
      },
    });
    return { exit, output };
  }

  function ending(exit: ShellExit) {
    return exit.ok ? { code: exit.code, timedOut: exit.timedOut, wasStopped: exit.wasStopped } : exit.reason;
  }

  it('tells the exit code and shows the output in the terminal', async () => {
    const { exit, output } = await run('echo one; echo two >&2; exit 3');
    assert.deepEqual(ending(exit), { code: 3, timedOut: false, wasStopped: false });
    assert.equal(output, 'one\ntwo\n');
    await eventually(
      'the terminal shows it',
      () => /\$ echo one; .*one\r\ntwo\r\n.*\[exit code 3\]/s.test(shown) || undefined,
    );
  });

  it('shows colours but obeys no other command of the output', async () => {
    await run(`printf '\\033[31mred\\033[0m \\033]0;title\\007\\033]52;c;aGk=\\007\\033[2Jend\\n'`);
    const text = await eventually('the end is shown', () => (shown.includes('[exit code 0]') ? shown : undefined));
    const output = text.slice(text.indexOf("end\\n'") + 6);
    assert.ok(output.includes('\u001b[31mred\u001b[0m end\r\n'), JSON.stringify(output));
    assert.ok(!/\u001b(?!\[[\d;]*m)/.test(text));
  });

  it('ends what takes too long, with the output so far', async () => {
    const { exit, output } = await run('echo begun; sleep 60', { timeoutMs: 500 });
    assert.deepEqual(exit.ok && exit.timedOut, true);
    assert.equal(output, 'begun\n');
  });

  it('is stopped by Ctrl-C in the terminal', async () => {
    const running = run('echo begun; sleep 60');
    await eventually('it has begun', () => shown.includes('begun\r\n') || undefined);
    terminals.of(SESSION).handleInput('\u0003');
    const { exit, output } = await running;
    assert.deepEqual([exit.ok && exit.wasStopped, output.replace('^C', '')], [true, 'begun\n']);
  });

  it('R42: runs on the editor’s own pseudoterminal, where the person answers', async () => {
    const running = run('test -t 0 && printf "na%s? " me; read x; echo "hello $x"');
    await eventually('it asks', () => shown.includes('name? ') || undefined);
    terminals.of(SESSION).handleInput('bob\r');
    const { exit, output } = await running;
    assert.deepEqual([exit.ok && exit.wasAnswered, output], [true, 'name? bob\nhello bob\n']);
  });

  it('what goes on after Ctrl-C is not ended by it, and is not taken for stopped', async () => {
    const running = run(`trap 'echo heard' INT; echo begun; for i in 1 2 3 4 5 6; do sleep 0.5; done; exit 4`);
    await eventually('it has begun', () => shown.includes('begun\r\n') || undefined);
    terminals.of(SESSION).handleInput('\u0003');
    await eventually(
      'it is told how to end it',
      () => shown.includes('[it goes on; Ctrl+C twice ends it]') || undefined,
    );
    assert.deepEqual(ending((await running).exit), { code: 4, timedOut: false, wasStopped: false });
  });

  it('is ended by Ctrl-C pressed twice', async () => {
    const running = run(`trap '' INT; echo begun; sleep 60`);
    await eventually('it has begun', () => shown.includes('begun\r\n') || undefined);
    for (const key of ['\u0003', '\u0003']) terminals.of(SESSION).handleInput(key);
    const { exit } = await running;
    assert.equal(exit.ok && exit.wasStopped, true);
  });

  it('keeps what is typed before it runs', async () => {
    const running = run('read x; echo "got $x"');
    await eventually('its header is shown', () => shown.includes('$ read x') || undefined);
    terminals.of(SESSION).handleInput('early\r');
    const { exit, output } = await running;
    assert.deepEqual([exit.ok && exit.wasAnswered, output.includes('got early\n')], [true, true]);
  });

  it('says once that nothing can be typed where the editor has no terminal that works', async () => {
    const settings = editorSettings(extension().packageJSON);
    const parts = { terminals, settings, roots: () => [], saveEdits: async () => [], env: process.env };
    const shell = editorShell({ ...parts, ptyFolders: ['/nowhere/node-pty'] });
    for (const call of ['call_1', 'call_2']) {
      await shell.run({
        ...{ call, session: SESSION, command: 'test -t 1 || echo pipe', cwd: workspaceFolder(), timeoutMs: 30_000 },
        ...{ signal: new AbortController().signal, onOutput: () => undefined },
      });
    }
    const text = await eventually('both are shown', () =>
      shown.match(/\[exit code 0\]/g)?.length === 2 ? shown : undefined,
    );
    assert.deepEqual([text.match(/nothing can be typed/g)?.length, text.match(/^pipe/gm)?.length], [1, 2]);
  });

  it('goes on in a terminal of its own once it is released', async () => {
    const released = new AbortController();
    const running = run('echo begun; sleep 0.5; echo over', { released: released.signal, timeoutMs: 200 });
    released.abort();
    const named = await eventually('it has a terminal', () =>
      vscode.window.terminals.find(({ name }) => name.startsWith('Lathe: echo begun')),
    );
    const { exit, output } = await running;
    assert.deepEqual([ending(exit), output], [{ code: 0, timedOut: false, wasStopped: false }, 'begun\nover\n']);
    named.dispose();
  });

  it('is stopped when the terminal is closed', async () => {
    const running = run('echo begun; sleep 60');
    await eventually('it has begun', () => shown.includes('begun\r\n') || undefined);
    vscode.window.terminals.find(({ name }) => name === 'Lathe')?.dispose();
    const { exit } = await running;
    assert.deepEqual(exit.ok && [exit.wasStopped, exit.wasClosed], [true, true]);
    assert.deepEqual(ending((await run('exit 0')).exit), { code: 0, timedOut: false, wasStopped: false });
  });

  it('shows overlapping runs one after the other', async () => {
    await Promise.all([run('echo a1; sleep 0.3; echo a2'), run('echo b1; echo b2')]);
    const text = await eventually('both are shown', () =>
      (shown.match(/\[exit code 0\]/g)?.length ?? 0) === 2 ? shown : undefined,
    );
    assert.match(text, /b1\r\nb2/);
  });

  it('sees the agent’s edits, and is told of the person’s unsaved ones', async () => {
    const { host } = await testApi();
    const [edited, typed] = [await makeFile('a.txt', 'one\n'), await makeFile('b.txt', 'two\n')];
    for (const path of [edited, typed]) await typeAtEnd(await show(path), 'mine\n');
    const file = await host.files.text(edited, 1024);
    assert.ok(!isProblem(file));
    const splices = [{ start: 0, end: 3, text: 'ONE' }];
    const change = { kind: 'edit', path: edited, baseVersion: file.version, splices } as const;
    assert.ok((await host.edits.apply({ label: 'Edit', call: 'call_1', changes: [change] })).ok);
    let output = '';
    const command = `cat '${edited}' '${typed}'`;
    const exit = await host.shell.run({
      ...{ call: 'call_2', session: SESSION, command, cwd: workspaceFolder(), timeoutMs: 30_000 },
      signal: new AbortController().signal,
      onOutput: (bytes) => void (output += Buffer.from(bytes).toString()),
    });
    assert.deepEqual([exit.ok && exit.unsaved, output], [[typed], 'ONE\nmine\ntwo\n']);
    await closeAll();
  });

  it('hides keys from what it runs', async () => {
    process.env['LATHE_CHECK_API_KEY'] = 'secret';
    try {
      assert.equal((await run('echo "[$LATHE_CHECK_API_KEY]"')).output, '[]\n');
    } finally {
      delete process.env['LATHE_CHECK_API_KEY'];
    }
  });
});
