// What outlives nothing: commands end with a host that had no time to end them.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openOrphanGuard } from '../../../src/node/orphanGuard';

describe('R41: a host that is gone', function () {
  this.timeout(30_000);
  before(function () {
    if (process.platform === 'win32') this.skip();
  });

  const start = (script: string) => spawn('/bin/sh', ['-c', script], { detached: true, stdio: 'ignore' });

  it('leaves no command behind, whether it listens or not; what had ended before is left alone', async () => {
    const guard = openOrphanGuard(undefined);
    const polite = start('sleep 600');
    const deaf = start("trap '' TERM; while :; do sleep 1; done");
    const others = [start('sleep 600'), start('sleep 600')] as const;
    for (const { pid } of [others[0], polite, deaf, others[1]]) guard.add(pid ?? 0);
    for (const { pid } of others) guard.remove(pid ?? 0);
    guard.end();
    await Promise.all([once(polite, 'exit'), once(deaf, 'exit')]);
    assert.deepEqual(
      [polite, deaf, ...others].map(({ signalCode }) => signalCode),
      ['SIGTERM', 'SIGKILL', null, null],
    );
    for (const { pid } of others) process.kill(-(pid ?? 0), 'SIGKILL');
  });
});
