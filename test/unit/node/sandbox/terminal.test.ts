// Commands in a sandbox on a pseudoterminal, where this machine has both: it is theirs as it is outside.
import assert from 'node:assert/strict';
import { readdirSync, readlinkSync } from 'node:fs';
import { createConfinement } from '../../../../src/node/sandbox/confine';
import { createSettings } from '../../../../src/node/settings';
import type { Keyboard } from '../../../../src/node/shell';
import { BACKENDS, runOn, survivorsOf } from '../../../support/shells';
import { createWorkspace, type Workspace } from '../../../support/workspace';

/** Of this process. */
function openTerminals(): number {
  const links = readdirSync('/proc/self/fd').map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return '';
    }
  });
  return links.filter((link) => /^\/dev\/(ptmx|pts\/)/.test(link)).length;
}

describe('a sandbox on each backend', () => {
  let workspace: Workspace;
  let isHere: boolean;
  const confinement = createConfinement({
    settings: createSettings({ 'shell.sandbox': 'required' }),
    roots: () => [workspace.root],
  });
  before(async () => {
    workspace = await createWorkspace({ 'a.txt': '' });
    isHere = (await confinement.state()).kind === 'on';
  });
  after(() => workspace.remove());

  for (const backend of BACKENDS) {
    it(`the exit code is the command’s, and a terminal is one of the size it has: ${backend}`, async () => {
      const command = 'test -t 1 && stty size; exit 7';
      const { output, exit } = await runOn(backend, command, { cwd: workspace.root, confinement });
      assert.equal(output, isHere && backend === 'pty' ? '30 100\n' : '');
      assert.equal(exit.ok ? exit.code : 'refused', isHere ? 7 : 'refused');
    });
  }

  if (BACKENDS.includes('pty')) {
    it('is interrupted by Ctrl-C, and nothing goes on', async () => {
      let keyboard: Keyboard | undefined;
      const { id, exit } = await runOn('pty', 'echo begun; sleep 300', {
        cwd: workspace.root,
        confinement,
        onKeyboard: (given) => (keyboard = given),
        onOutput: (text) => void (text.includes('begun') && keyboard?.type('\u0003')),
      });
      assert.deepEqual([exit.ok, exit.ok && exit.timedOut, exit.ok && exit.code === 0], [isHere, false, false]);
      assert.deepEqual(survivorsOf(id), []);
    });

    it('S18: a command that is refused for want of a sandbox leaves no terminal open', async () => {
      const settings = createSettings({ 'shell.sandbox': 'required' });
      const missing = createConfinement({ settings, roots: () => [workspace.root], programs: [] });
      await runOn('pty', 'true', { cwd: workspace.root });
      const before = openTerminals();
      const { exit } = await runOn('pty', 'true', { cwd: workspace.root, confinement: missing });
      assert.deepEqual([exit.ok, openTerminals()], [false, before]);
    });
  }
});
