// What goes wrong with commands, on each backend: floods, bytes that are no text, daemons, and what one command leaves for the next.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BACKENDS, runOn, survivorsOf } from '../../support/shells';

const CWD = tmpdir();
const MB = 1024 * 1024;

for (const backend of BACKENDS)
  describe(`faults of commands on ${backend}`, function () {
    this.timeout(120_000);

    const FLOODS: readonly { what: string; command: string; bytes: number }[] = [
      { what: 'a million lines', command: 'seq 1 1000000', bytes: 6_888_896 },
      { what: 'one line of 200 MB', command: 'head -c 200000000 /dev/zero', bytes: 200_000_000 },
      {
        what: 'random bytes',
        command: 'head -c 20000000 /dev/urandom | tr -d "\\r\\n" | head -c 15000000',
        bytes: 15_000_000,
      },
    ];
    for (const { what, command, bytes } of FLOODS) {
      it(`R40: takes ${what} whole, and keeps none of it`, async () => {
        const { count, growth, exit } = await flood(command, 60_000);
        assert.deepEqual(exit.ok && [exit.code, exit.timedOut], [0, false]);
        assert.equal(count, bytes);
        assert.ok(growth < 50 * MB, `grew by ${growth}`);
      });
    }

    it('R40: ends endless output', async () => {
      const { growth, exit } = await flood('yes', 1_000);
      // By its time or by its size: a fast machine writes a gigabyte in that time.
      assert.equal(exit.ok && (exit.timedOut || exit.wroteTooMuch), true);
      assert.ok(growth < 50 * MB, `grew by ${growth}`);
    });

    it('R41: finds a daemon without marker, group and session, while its parent lives', async () => {
      const pidFile = join(CWD, `lathe-daemon-${process.pid}-${backend}`);
      const command = `env -i setsid bash -c 'echo $$ > ${pidFile}; exec sleep 300' & while ! test -s ${pidFile}; do :; done; cat ${pidFile}`;
      const { id, output, exit } = await runOn(backend, command, { cwd: CWD });
      await rm(pidFile, { force: true });
      assert.equal(exit.ok && exit.leftRunning, 1);
      assert.equal(isAlive(output.trim()), false);
      assert.deepEqual(survivorsOf(id), []);
    });

    it('R44: passes on bytes as they are', async () => {
      const { output } = await runOn(backend, `printf 'a\\xff\\xc3\\xa9\\r\\nb'`, { cwd: CWD });
      assert.equal(output, 'a\ufffdé\r\nb');
    });

    it('R46: a code over 255 is what the system makes of it', async () => {
      const { exit } = await runOn(backend, 'exit 259', { cwd: CWD });
      assert.equal(exit.ok && exit.code, 3);
    });

    it('S24: an alias, a function and an option of one command are unknown to the next', async () => {
      await runOn(backend, `shopt -s expand_aliases; alias ls='echo taken'; true() { false; }; set -u`, { cwd: CWD });
      const { output } = await runOn(backend, 'type ls | head -1; true && echo "[$undefined]"', { cwd: CWD });
      assert.match(output, /^ls is (?!.*alias).*\n\[\]\n$/);
    });

    it('S20: the shell that runs a command is the one it was read for', async () => {
      const { output } = await runOn(backend, 'echo "${BASH_VERSION:+bash} $0 [$ZSH_VERSION]"', { cwd: CWD });
      assert.equal(output, 'bash bash []\n');
    });

    it('S09: what makes shells run code is not passed on', async () => {
      const env = { ...process.env, BASH_ENV: '/tmp/x', 'BASH_FUNC_ls%%': '() { echo taken; }', LD_AUDIT: '/tmp/x.so' };
      const { output } = await runOn(backend, 'env | grep -cE "^(BASH_ENV|BASH_FUNC|LD_AUDIT)"', { cwd: CWD, env });
      assert.equal(output, '0\n');
    });

    const SCRIPTS: readonly { what: string; command: string; output: RegExp; code: number }[] = [
      { what: 'an unclosed quote', command: "echo 'a", output: /unexpected EOF/, code: 2 },
      { what: 'set -e', command: 'set -e\nfalse\necho never', output: /^$/, code: 1 },
      { what: 'exit inside a function', command: 'f() { exit 3; }\nf\necho never', output: /^$/, code: 3 },
      { what: 'a here-document without its end', command: 'cat <<X\na', output: /a/, code: 0 },
      { what: 'exec', command: 'exec sh -c "exit 5"', output: /^$/, code: 5 },
    ];
    for (const { what, command, output, code } of SCRIPTS) {
      it(`ends well: ${what}`, async () => {
        const found = await runOn(backend, command, { cwd: CWD });
        assert.match(found.output, output);
        assert.equal(found.exit.ok && found.exit.code, code);
      });
    }

    it('a run that is let go has no time limit', async () => {
      const { exit } = await runOn(backend, 'sleep 0.5; exit 6', {
        cwd: CWD,
        timeoutMs: 50,
        released: AbortSignal.abort(),
      });
      assert.deepEqual(exit.ok && [exit.code, exit.timedOut], [6, false]);
    });

    async function flood(command: string, timeoutMs: number) {
      let count = 0;
      let most = 0;
      await runOn(backend, 'true', { cwd: CWD });
      const before = process.memoryUsage().rss;
      const { exit } = await runOn(backend, command, {
        ...{ cwd: CWD, timeoutMs },
        counting(bytes: number) {
          count += bytes;
          most = Math.max(most, process.memoryUsage.rss());
        },
      });
      return { count, growth: most - before, exit };
    }
  });

/** What has ended and was not waited for by anybody has no command line. */
function isAlive(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1') !== '';
  } catch {
    return false;
  }
}
