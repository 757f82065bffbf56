// When what was allowed before holds no longer: what it runs has changed, or untrusted content has come.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { NETWORK, PUBLISHES } from '../../../../src/core/command/risks';
import { loadGrammar, understand } from '../../../../src/core/command/understand';
import { TAINTED } from '../../../../src/core/permission/commandRules';
import { Permissions } from '../../../../src/core/permission/permissions';
import { parseRule } from '../../../../src/core/permission/rules';
import type { Target } from '../../../../src/core/permission/types';
import { line, simple } from '../../../support/commandLine';
import { judgeWith } from '../../../support/judgeWith';
import { inWorkspace } from '../../../support/workspace';

describe('what was allowed before', () => {
  describe('S14 what a package manager or a build runs', () => {
    before(loadGrammar);

    /** What the person reads when the same command comes again after the file was written. */
    function check(command: string, written: string | undefined, expected: readonly string[]): void {
      it(`${command}, then ${written ?? 'nothing'} is written`, () =>
        inWorkspace({ 'package.json': '{}', Makefile: 'all:\n' }, async ({ host, root, path }) => {
          const permissions = new Permissions(host);
          const target: Target = { op: 'execute', command, cwd: root, line: understand(command) };
          await judgeWith(permissions, 'bash', target, 'session');
          assert.deepEqual(await judgeWith(permissions, 'bash', target), []);
          if (written !== undefined) await writeFile(path(written), 'other');
          const reasons = (await judgeWith(permissions, 'bash', target)).flat();
          assert.deepEqual(
            reasons.filter((reason) => reason.startsWith('Runs ')),
            expected.map((script) => `Runs ${script}, which has changed since it was allowed`),
          );
        }));
    }
    check('npm test', undefined, []);
    check('npm test', 'package.json', ['package.json']);
    check('pnpm run build', 'package.json', ['package.json']);
    check('npm test', 'Makefile', []);
    check('make', 'Makefile', ['Makefile']);
    check('make', 'GNUmakefile', ['GNUmakefile']);
    check('cargo test', 'build.rs', ['build.rs']);
  });

  describe('S90 after content that nobody vouches for', () => {
    const push = (root: string): Target => ({
      ...{ op: 'execute', command: 'git push', cwd: root },
      line: line([simple('git push', { risks: [PUBLISHES, NETWORK] })], { deeds: ['push'] }),
    });

    it('a rule from before no longer covers what sends out, and what the person allows then does', () =>
      inWorkspace({}, async ({ host, root }) => {
        const rule = parseRule('bash(git push:*)', 'allow', 'user');
        assert.ok(rule);
        const rules = () => ({ rules: [rule], problems: [] });
        assert.deepEqual(await judgeWith(new Permissions(host, { rules }), 'bash', push(root)), []);
        const tainted = new Permissions(host, { rules, isTainted: true });
        assert.deepEqual(await judgeWith(tainted, 'bash', push(root), 'session'), [[TAINTED, PUBLISHES, NETWORK]]);
        assert.deepEqual(await judgeWith(tainted, 'bash', push(root)), []);
      }));
  });
});
