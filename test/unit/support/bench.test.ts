// The command that runs the benches: its answers to wrong arguments. What it measures is nobody's assertion.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../../support/sourceTree';

function runBench(...args: string[]): { readonly status: number | null; readonly out: string; readonly err: string } {
  const script = join(root, 'test/support/bench.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  return { status, out: stdout, err: stderr };
}

describe('bench command', () => {
  it('names the benches there are when one is unknown, and runs none', () => {
    const { status, out, err } = runBench('engine', 'speed');
    assert.deepEqual({ status, out }, { status: 2, out: '' });
    assert.match(err, /^bench: no bench is called speed: there are .*engine, .*latency/);
  });

  it('says what it can do', () => {
    const { status, out } = runBench('--help');
    assert.equal(status, 0);
    assert.match(out, /--json/);
  });
});
