// Commands on a pseudoterminal: what it is to them, what is typed, and what shows that they wait.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createLineFeeds, loadPty } from '../../../src/node/pty';
import { createShell, type Keyboard } from '../../../src/node/shell';
import { looksLikePrompt } from '../../../src/node/waiting';
import { BACKENDS, runOn, survivorsOf } from '../../support/shells';

const CWD = process.cwd();

const describePty = BACKENDS.includes('pty') ? describe : () => undefined;

describePty('a pseudoterminal', () => {
  it('is one to the command, of the size it was given', async () => {
    const { output } = await runOn('pty', 'test -t 0 && test -t 1 && test -t 2 && stty size && echo $TERM', {
      cwd: CWD,
    });
    assert.equal(output, '30 100\nxterm-256color\n');
  });

  it('S86: has no other descriptor open, and nothing is typed into it', async () => {
    const command = "ls -1 /proc/$$/fd; echo 'a\u001b[201~b'";
    const { output } = await runOn('pty', command, { cwd: CWD });
    assert.equal(output, '0\n1\n2\n3\na\u001b[201~b\n');
  });

  it('R42: tells that a command waits, passes on the answer, and shows it once', async () => {
    const waits: boolean[] = [];
    let keyboard: Keyboard | undefined;
    const { output, exit } = await runOn('pty', 'printf "name? "; read x; echo "hello $x"', {
      cwd: CWD,
      onKeyboard: (given) => (keyboard = given),
      onWaiting(isWaiting) {
        waits.push(isWaiting);
        if (isWaiting) keyboard?.type('bob\r');
      },
    });
    assert.deepEqual(waits, [true, false]);
    assert.equal(output, 'name? bob\nhello bob\n');
    assert.deepEqual(exit, { ok: true, code: 0, timedOut: false, wasStopped: false, cwd: CWD, wasAnswered: true });
  });

  it('is interrupted by Ctrl-C as any program is', async () => {
    let keyboard: Keyboard | undefined;
    const { id, exit } = await runOn('pty', 'echo begun; sleep 300', {
      cwd: CWD,
      onKeyboard: (given) => (keyboard = given),
      onOutput(text) {
        // Not before `sleep` runs: what comes while the shell starts it is lost as in any terminal.
        if (text.includes('begun')) setTimeout(() => keyboard?.type('\u0003'), 300);
      },
    });
    assert.deepEqual(exit, { ok: true, code: null, signal: 'SIGINT', timedOut: false, wasStopped: false, cwd: CWD });
    assert.deepEqual(survivorsOf(id), []);
  });

  const TYPED: readonly { what: string; command: string; typed: readonly string[]; output: string }[] = [
    {
      what: 'keeps what is typed before a program reads, in its order',
      command: 'stty -echo; sleep 0.5; read a; read b; echo "$a $b"',
      typed: [...'one\rtwo\r'],
      output: 'one two\n',
    },
    {
      what: 'keeps a long text that is pasted before a program reads',
      command: 'stty -echo; sleep 0.5; echo go; wc -l',
      typed: [`${'x'.repeat(59)}\r`.repeat(2_000), '\u0004'],
      output: 'go\n2000\n',
    },
    {
      what: 'R42: erases whole characters',
      command: 'stty -echo; sleep 0.3; read x; echo "[$x]"',
      typed: ['a漢é\u007f\u007fb\r'],
      output: '[ab]\n',
    },
    {
      what: 'ends input with Ctrl-D',
      command: 'stty -echo; sleep 0.3; cat; echo over',
      typed: ['in\r\u0004'],
      output: 'in\nover\n',
    },
  ];
  for (const { what, command, typed, output } of TYPED) {
    it(what, async () => {
      const found = await runOn('pty', command, {
        cwd: CWD,
        // Not before the program has switched off the echo.
        onKeyboard: (keyboard) => void setTimeout(() => typed.forEach((text) => keyboard?.type(text)), 150),
      });
      assert.deepEqual([found.output, found.exit.ok && found.exit.code], [output, 0]);
      assert.deepEqual(survivorsOf(found.id), []);
    });
  }

  it('is quit by Ctrl-\\ as any program is', async () => {
    let keyboard: Keyboard | undefined;
    const { id, exit } = await runOn('pty', 'ulimit -c 0; echo begun; exec sleep 300', {
      cwd: CWD,
      onKeyboard: (given) => (keyboard = given),
      onOutput: (text) => void (text.includes('begun') && setTimeout(() => keyboard?.type('\u001c'), 300)),
    });
    assert.deepEqual(exit, {
      ok: true,
      code: null,
      signal: 'SIGQUIT',
      timedOut: false,
      wasStopped: false,
      cwd: CWD,
      wasAnswered: true,
    });
    assert.deepEqual(survivorsOf(id), []);
  });

  it('has its own size, not that of the terminal the editor was started from', async () => {
    const env = { ...process.env, COLUMNS: '7', LINES: '7' };
    const { output } = await runOn('pty', '(env; stty size) | grep -E "^(COLUMNS|LINES|30)"', { cwd: CWD, env });
    assert.equal(output, '30 100\n');
  });

  it('changes its size with the person’s terminal', async () => {
    let keyboard: Keyboard | undefined;
    const { output } = await runOn('pty', `trap 'stty size; exit 0' WINCH; echo ready; while :; do sleep 0.1; done`, {
      cwd: CWD,
      onKeyboard: (given) => (keyboard = given),
      onOutput: (text) => void (text.includes('ready') && keyboard?.resize({ columns: 70, rows: 20 })),
    });
    assert.equal(output, 'ready\n20 70\n');
  });
});

describe('where there is no pseudoterminal', () => {
  it('auto runs on pipes, and pty says what to do', async () => {
    const shell = createShell({ env: process.env, ptyFolders: ['/nowhere/node-pty'] });
    const keyboards: (Keyboard | undefined)[] = [];
    const run = async (backend: 'auto' | 'pty') => {
      let output = '';
      const exit = await shell.run(
        {
          ...{ call: 'c', session: 's', command: 'test -t 1 || echo pipe', cwd: CWD, timeoutMs: 5_000 },
          signal: new AbortController().signal,
          onOutput: (bytes) => void (output += Buffer.from(bytes).toString()),
        },
        {
          backend,
          size: { columns: 80, rows: 24 },
          hasInput: true,
          begin: (keyboard) => void keyboards.push(keyboard),
        },
      );
      return exit.ok ? output : exit.reason;
    };
    assert.equal(await run('auto'), 'pipe\n');
    assert.deepEqual(keyboards, [undefined]);
    assert.match(await run('pty'), /lathe\.shell\.backend asks for a pseudoterminal.* Set it to auto or pipe\.$/);
  });

  it('what is no node-pty is not taken for one', () => {
    assert.equal(loadPty([CWD, '/nowhere']), undefined);
  });
});

describe('createLineFeeds', () => {
  it('takes back what a terminal adds, however the bytes are split', () => {
    const bytes = fc.array(fc.constantFrom(0x0a, 0x0d, 0x61, 0xc3), { maxLength: 40 });
    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 5 }), (written, size) => {
        const sent = Buffer.from(written.flatMap((byte) => (byte === 0x0a ? [0x0d, 0x0a] : [byte])));
        const { read, rest } = createLineFeeds();
        const found: Buffer[] = [];
        for (let at = 0; at < sent.length; at += size) found.push(read(sent.subarray(at, at + size)));
        assert.deepEqual([...Buffer.concat([...found, rest()])], written);
      }),
    );
  });
});

describe('looksLikePrompt', () => {
  const CASES: readonly [string, boolean][] = [
    ['name? ', true],
    ['Password:', true],
    ['\u001b[1mContinue (y/n)?\u001b[0m ', true],
    ['>>> ', true],
    ['Is this ok? [Y/n] ', true],
    ['compiling', false],
    ['done.\n', false],
    ['', false],
    ['   ', false],
  ];
  for (const [output, expected] of CASES) {
    it(JSON.stringify(output), () => assert.equal(looksLikePrompt(output), expected));
  }
});
