// What “Test a Command” says is what would be decided.
import assert from 'node:assert/strict';
import type { Mode } from '../../../../src/common/modes';
import { tryCommand } from '../../../../src/core/permission/tryCommand';
import { createWorkspace } from '../../../support/workspace';

describe('a command that is tried out', () => {
  function check(
    title: string,
    given: {
      readonly command: string;
      readonly mode?: Mode;
      readonly allow?: readonly string[];
      readonly foldsCase?: true;
    },
    expected: { readonly effect: string; readonly says: RegExp; readonly touches?: readonly string[] },
  ): void {
    it(title, async () => {
      const settings = { 'permission.allow': given.allow ?? [] };
      const workspace = await createWorkspace({ 'a.txt': 'one\n', '.env': 'A=1\n' }, { settings });
      try {
        const { root } = workspace;
        const { foldsCase = workspace.host.platform.foldsCase } = given;
        const host = { ...workspace.host, platform: { ...workspace.host.platform, foldsCase } };
        const at = { host, mode: given.mode ?? 'ask', cwd: root, shellTool: 'bash' } as const;
        const { verdict, touches } = await tryCommand(given.command, at);
        assert.equal(verdict.effect, expected.effect);
        assert.match(verdict.effect === 'ask' ? verdict.reasons.join('; ') : verdict.because, expected.says);
        assert.deepEqual(
          touches.map(({ op, shown }) => `${op} ${shown}`),
          expected.touches ?? [],
        );
        assert.deepEqual(await workspace.tree(), { 'a.txt': 'one\n', '.env': 'A=1\n' });
      } finally {
        await workspace.remove();
      }
    });
  }
  check('only reads', { command: 'cat a.txt' }, { effect: 'allow', says: /./, touches: ['read a.txt'] });
  check('a secret', { command: 'cat .env' }, { effect: 'ask', says: /secrets/, touches: ['read .env'] });
  check('acts', { command: 'npm test' }, { effect: 'ask', says: /./ });
  check('by a rule', { command: 'npm test', allow: ['bash(npm test:*)'] }, { effect: 'allow', says: /npm test/ });
  check(
    'S85: several lines and tabs hide nothing',
    { command: 'cat a.txt\nls\t-l\n' },
    { effect: 'allow', says: /./, touches: ['read a.txt', 'read .'] },
  );
  check(
    'S85: what shows nothing does',
    { command: 'npm test\u200b', allow: ['bash(npm test\u200b)'] },
    { effect: 'ask', says: /Invisible characters/ },
  );
  check(
    'several lines by a rule of just that text',
    { command: 'make a\nmake b', allow: ['bash(make a\nmake b)'] },
    { effect: 'allow', says: /make b/ },
  );
  check('in plan mode', { command: 'npm test', mode: 'plan' }, { effect: 'deny', says: /Plan mode/ });
  check(
    'critical',
    { command: 'rm -rf ~', mode: 'bypass' },
    {
      effect: 'deny',
      says: /^This is refused in every mode: It would delete ~ with all that is in it\. Do not/,
      touches: [`delete ${process.env['HOME'] ?? ''}`],
    },
  );
  check(
    'S23: the history, in any case where the file system tells none apart',
    { command: 'rm -rf .GIT', mode: 'bypass', foldsCase: true },
    {
      effect: 'deny',
      says: /: It would delete \.GIT, which holds the workspace or its history\. Do not/,
      touches: ['delete .GIT'],
    },
  );
});
