// The list of what failed, made from what mocha really prints.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { failuresIn, listFailures } from '../../support/failures.mjs';
import { root } from '../../support/sourceTree';
import { inWorkspace } from '../../support/workspace';

const MOCHA = join(root, 'node_modules/mocha/bin/mocha.js');
const SUITE = `
describe('sums', () => {
  it('hold', () => {});
  it('are wrong', () => { throw new Error('2 is not 3'); });
  it('are long', () => { throw new Error(Array(500).fill('long '.repeat(100)).join('\\n')); });
});
`;

describe('the failures of a test run', () => {
  it('are found in the output, each bounded', () =>
    inWorkspace({ 'a.test.cjs': SUITE }, async ({ root: folder }) => {
      const { stdout } = spawnSync(process.execPath, [MOCHA, 'a.test.cjs'], { cwd: folder, encoding: 'utf8' });
      const [wrong = '', long = '', ...others] = failuresIn(stdout);
      assert.deepEqual(wrong.split('\n').slice(0, 3), ['1) sums', '       are wrong:', '     Error: 2 is not 3']);
      assert.deepEqual(long.split('\n').slice(0, 2), ['2) sums', '       are long:']);
      assert.ok(long.endsWith('\n     …') && long.length < 4_000, `${long.length} characters`);
      assert.deepEqual(others, []);
      await Promise.resolve();
    }));

  it('are the last lines when a stage itself failed', () => {
    assert.deepEqual(failuresIn('one\n\n2 problems\n', 'ended with exit code 1'), [
      'ended with exit code 1; its last lines:\none\n2 problems',
    ]);
  });

  it('are none where none failed', () => assert.deepEqual(failuresIn('  3 passing (1s)\n'), []));

  it('are listed as far as there is room, and the others counted', () => {
    assert.equal(listFailures(['a\nb', 'c\nd', 'e'], 3), 'a\nb\n… and 2 more, further up');
    assert.equal(listFailures(['a\nb', 'c'], 3), 'a\nb\nc');
  });
});
