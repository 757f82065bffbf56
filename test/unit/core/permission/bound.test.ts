// Rules for what runs files of the workspace hold for the content that was allowed, and for no more than can be told.
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ownRepositories } from '../../../../src/core/command/repositories';
import { loadGrammar, understand } from '../../../../src/core/command/understand';
import { Permissions } from '../../../../src/core/permission/permissions';
import { parseRule } from '../../../../src/core/permission/rules';
import type { Target } from '../../../../src/core/permission/types';
import { judgeWith } from '../../../support/judgeWith';
import { inWorkspace } from '../../../support/workspace';

const FILES = {
  'package.json': '{"scripts":{"test":"true"}}',
  'web/package.json': '{}',
  'web/app/a.js': '',
  's.js': '',
  'x.js': '',
  's.py': '',
};

describe('what was allowed for the content that was there', () => {
  before(loadGrammar);

  function check(
    what: string,
    at: { command: string; cwd?: string; written: string; text?: string; asks: boolean },
  ): void {
    const { command, cwd = '.', written, text = 'other', asks } = at;
    it(`${what}: ${command} in ${cwd}, then ${written} is written`, () =>
      inWorkspace(FILES, async ({ host, path }) => {
        const permissions = new Permissions(host);
        const folder = path(cwd);
        const line = understand(command, await ownRepositories(folder, host));
        const target: Target = { op: 'execute', command, cwd: folder, line };
        await judgeWith(permissions, 'bash', target, 'session');
        assert.deepEqual(await judgeWith(permissions, 'bash', target), []);
        await mkdir(dirname(path(written)), { recursive: true });
        await writeFile(path(written), text);
        const reasons = (await judgeWith(permissions, 'bash', target)).flat();
        const told = reasons.filter((reason) => reason.startsWith('Runs '));
        assert.deepEqual(told, asks ? [`Runs ${written}, which has changed since it was allowed`] : []);
      }));
  }

  check('S14 the manifest above', { command: 'npm test', cwd: 'web/app', written: 'package.json', asks: true });
  check('S14 the nearest manifest', { command: 'npm run x', cwd: 'web/app', written: 'web/package.json', asks: true });
  check('S14 a manifest nearer still', {
    command: 'npm test',
    cwd: 'web/app',
    written: 'web/app/package.json',
    asks: true,
  });
  check('S14 settings', { command: 'npm test', written: '.npmrc', text: 'script-shell=./e', asks: true });
  check('S14 settings above', { command: 'yarn build', cwd: 'web', written: '.yarnrc.yml', asks: true });
  check('S14 a script that runs before', {
    ...{ command: 'npm test', written: 'package.json', asks: true },
    text: '{"scripts":{"test":"true","pretest":"./e"}}',
  });
  check('S14 after cd', { command: 'cd web && npm test', written: 'web/package.json', asks: true });
  check('S14 another folder’s', { command: 'npm test', written: 'web/package.json', asks: false });
  check('S21 what is loaded before', { command: 'node --require ./x.js s.js', written: 'x.js', asks: true });
  check('S21 the script behind a value', { command: 'python -W ignore s.py', written: 's.py', asks: true });
  check('S21 an argument of the script', { command: 'node s.js x.js', written: 'x.js', asks: false });

  it('S21 an option that nobody knows is covered by no rule, not even one of just this text', () =>
    inWorkspace(FILES, async ({ host, root }) => {
      const decide = async (command: string) => {
        const rule = parseRule(`bash(${command})`, 'allow', 'user');
        assert.ok(rule);
        const permissions = new Permissions(host, { rules: () => ({ rules: [rule], problems: [] }) });
        return judgeWith(permissions, 'bash', { op: 'execute', command, cwd: root, line: understand(command) });
      };
      assert.deepEqual(await decide('node -r ./x.js s.js'), []);
      assert.deepEqual((await decide('node --unheard-of x.js s.js')).flat(), [
        'What it runs cannot be told (--unheard-of), so no rule covers it',
      ]);
    }));
});
