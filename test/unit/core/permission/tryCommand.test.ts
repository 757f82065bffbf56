// What “Test a Command” says is what would be decided.
import assert from 'node:assert/strict';
import type { Mode } from '../../../../src/common/modes';
import { tryCommand } from '../../../../src/core/permission/tryCommand';
import { createWorkspace } from '../../../support/workspace';

describe('a command that is tried out', () => {
  function check(
    title: string,
    given: { readonly command: string; readonly mode?: Mode; readonly allow?: readonly string[] },
    expected: { readonly effect: string; readonly says: RegExp; readonly touches?: readonly string[] },
  ): void {
    it(title, async () => {
      const settings = { 'permission.allow': given.allow ?? [] };
      const workspace = await createWorkspace({ 'a.txt': 'one\n', '.env': 'A=1\n' }, { settings });
      try {
        const { host, root } = workspace;
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
  check('in plan mode', { command: 'npm test', mode: 'plan' }, { effect: 'deny', says: /Plan mode/ });
  check(
    'critical',
    { command: 'rm -rf ~', mode: 'bypass' },
    { effect: 'deny', says: /refused in every mode/, touches: [`delete ${process.env['HOME'] ?? ''}`] },
  );
});
