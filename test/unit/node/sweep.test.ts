// What a host that was killed leaves running: ended by its guard, and by the next start where the guard was killed too.
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { HOST_MARKER, ownMark, parseMark } from '../../../src/node/hostMark';
import { listedByPs, orphansAmong, sweepOrphans } from '../../../src/node/sweep';
import { eventually } from '../../support/eventually';

const HOST = new URL('../../support/commandHost.js', import.meta.url).pathname;

/** Leaves its session and its parent, and tells who it is. */
const ESCAPE = "(setsid sh -c 'echo $$; exec sleep 600' &) ; sleep 600";
const IN_GROUP = "sh -c 'echo $$; exec sleep 600' & wait";

interface Host {
  readonly process: ChildProcess;
  /** Of what it runs. */
  readonly pid: number;
}

function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}

/** The small processes beside a host. */
function guardsOf({ process: { pid } }: Host): number[] {
  const { stdout } = spawnSync('ps', ['-o', 'pid=,args=', '--ppid', String(pid)], { encoding: 'utf8' });
  return stdout.split('\n').flatMap((line) => (line.includes('lathe-guard') ? [Number.parseInt(line, 10)] : []));
}

describe('R45: what a host that was killed has left running', function () {
  this.timeout(30_000);
  const hosts: Host[] = [];

  before(function () {
    if (process.platform !== 'linux') this.skip();
  });
  afterEach(async () => {
    for (const host of hosts) kill(host.process.pid, host.pid);
    hosts.length = 0;
  });

  function kill(...pids: readonly (number | undefined)[]): void {
    for (const pid of pids) if (pid !== undefined && isAlive(pid)) process.kill(pid, 'SIGKILL');
  }

  async function startHost(command: string): Promise<Host> {
    const child = spawn(process.execPath, [HOST, command], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [written] = (await once(child.stdout, 'data')) as [Buffer];
    const host = { process: child, pid: Number(written.toString()) };
    hosts.push(host);
    return host;
  }

  async function killHost(host: Host): Promise<void> {
    const gone = once(host.process, 'exit');
    host.process.kill('SIGKILL');
    await gone;
  }

  for (const [what, command] of [
    ['in its group', IN_GROUP],
    ['by setsid and a parent that has ended', ESCAPE],
  ] as const) {
    it(`is ended at once by the guard: ${what}`, async () => {
      const host = await startHost(command);
      await killHost(host);
      await eventually('it has ended', async () => !isAlive(host.pid));
    });

    it(`is ended by the next start where nothing else was left: ${what}`, async () => {
      const [dead, living] = [await startHost(command), await startHost(command)];
      const guards = guardsOf(dead);
      assert.equal(guards.length, 1);
      kill(...guards);
      await killHost(dead);
      assert.deepEqual(
        [dead, living].map(({ pid }) => isAlive(pid)),
        [true, true],
      );
      assert.ok((await sweepOrphans()) > 0);
      assert.deepEqual(
        [dead, living].map(({ pid }) => isAlive(pid)),
        [false, true],
      );
    });
  }

  for (const [what, markOf] of [
    ['of another namespace, whose ids are others', ({ namespace }) => `999999999:1:${namespace + 1}`],
    ['of a mark that is none', () => 'somebody'],
  ] as readonly [string, (own: { readonly namespace: number }) => string][]) {
    it(`is left alone where it is not proven: ${what}`, async () => {
      const own = parseMark(ownMark() ?? '');
      assert.ok(own);
      const other = spawn('sleep', ['600'], { env: { PATH: process.env['PATH'], [HOST_MARKER]: markOf(own) } });
      await once(other, 'spawn');
      await sweepOrphans();
      assert.equal(isAlive(other.pid ?? 0), true);
      kill(other.pid);
    });
  }

  it('is told by a mark that an id used again does not match', async () => {
    const own = parseMark(ownMark() ?? '');
    assert.ok(own);
    const mark = [own.pid, own.started - 1, own.namespace].join(':');
    const orphan = spawn('sleep', ['600'], { env: { PATH: process.env['PATH'], [HOST_MARKER]: mark } });
    const ended = once(orphan, 'exit');
    await once(orphan, 'spawn');
    await sweepOrphans();
    assert.deepEqual(await ended, [null, 'SIGTERM']);
  });
});

describe('R45: what ps lists where there is no /proc', () => {
  const AT = Date.parse('Tue Dec  1 05:00:00 2026') / 1000;
  const line = (pid: number, text: string, time = '05:00:00') => `  ${pid} Tue Dec  1 ${time} 2026     ${text}`;
  const marked = (host: string, command = '/bin/sleep 600') => `${command} PATH=/bin LATHE_RUN=r1 LATHE_HOST=${host}`;
  for (const [what, lines, orphans] of [
    ['of a host that is gone', [line(7, marked(`5:${AT}:0`))], [7]],
    ['of a living host', [line(5, 'Code Helper'), line(7, marked(`5:${AT}:0`))], []],
    ['of a host whose id has become another’s', [line(5, 'vi', '06:00:00'), line(7, marked(`5:${AT}:0`))], [7]],
    ['that only names a mark', [line(7, `grep LATHE_HOST=5:${AT}:0`)], []],
    [
      'that names another mark than it carries',
      [line(5, 'x'), line(7, marked(`5:${AT}:0`, `grep LATHE_HOST=4:1:0`))],
      [],
    ],
    ['without any, and lines that are none', [line(7, 'vi'), 'PID STARTED COMMAND', ''], []],
  ] as const) {
    it(`a process ${what}`, () => assert.deepEqual(orphansAmong(listedByPs(lines.join('\n'))), orphans));
  }
});
