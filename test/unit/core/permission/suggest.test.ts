// The lasting permission that a card offers: no wider than what it says.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DESTROYS } from '../../../../src/core/command/risks';
import { judgeCommand } from '../../../../src/core/permission/commandRules';
import { parseRule, type LocatedCommand, type LocatedTarget } from '../../../../src/core/permission/rules';
import { suggestGrants } from '../../../../src/core/permission/suggest';
import { line, simple } from '../../../support/commandLine';

const BASH = { name: 'bash', kind: 'shell' } as const;
const WRITE = { name: 'write', kind: 'edit' } as const;
const FETCH = { name: 'webfetch', kind: 'web' } as const;

const ROOT = { name: 'proj', path: '/w/proj' };
const command = (text: string): LocatedCommand => ({
  ...{ op: 'execute', command: text, cwd: ROOT.path },
  located: { path: ROOT.path, real: ROOT.path, shown: '.', root: ROOT, places: ['.'] },
});
const outside = (path: string): LocatedTarget => ({
  op: 'write',
  path,
  located: { path, real: path, shown: path, places: [] },
});
const address = (url: string): LocatedTarget => ({ op: 'fetch', url });

function check(name: string, tool: typeof BASH | typeof WRITE | typeof FETCH, target: LocatedTarget, rule?: string) {
  it(name, () => assert.equal(suggestGrants(tool, [target])[0]?.rule, rule));
}

describe('suggestGrant', () => {
  check('a command', BASH, command('git status'), 'bash(git status)');
  check('a command that would read as a prefix', BASH, command('git :*'));
  check('a command that would read as a prefix, with blanks after it', BASH, command('git :* '));
  check('a command too long to be looked through', BASH, command(`echo ${'x'.repeat(2000)}`));
  check('a folder outside', WRITE, outside('/tmp/a/b.txt'), 'edit(//tmp/a/*)');
  check('a folder whose name is a glob', WRITE, outside('/tmp/**/b.txt'));
  check('a folder whose name holds a set', WRITE, outside('/tmp/[a]/b.txt'));
  check('a host', FETCH, address('https://example.com/x'), 'webfetch(domain:example.com)');
  check('a host that would stand for others', FETCH, address('https://*.com/x'));

  it('what destroys is offered for no longer than once', () => {
    const gone: LocatedTarget = {
      ...command('rm -rf build'),
      line: line([simple('rm -rf build', { risks: [DESTROYS] })]),
    };
    assert.deepEqual(suggestGrants(BASH, [gone]), []);
  });

  it('S22 covers a command by no other text', () => {
    const part = fc.constantFrom('git', ' ', ':', '*', ':*', '(', ')', 'push', '\n', '"');
    const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (granted, other) => {
        const rule = parseRule(suggestGrants(BASH, [command(granted)])[0]?.rule ?? '', 'allow', 'session');
        fc.pre(rule !== undefined && granted.trim() !== other.trim());
        if (!rule) return;
        const { isExact } = judgeCommand(command(other), { mode: 'ask', rules: [rule], isTainted: false });
        assert.equal(isExact, false);
      }),
    );
  });

  it('S95 nothing with a key in it may be kept for good', () => {
    const texts = [
      'curl -H "Authorization: Bearer abcdefghijkl"',
      'PGPASSWORD=hunter2 psql',
      'npm publish --token npm_0123456789abcdef',
      'git clone https://me:secret@example.com/x',
      'echo sk-ant-api03-0123456789abcdef',
      'mysql --password hunter2',
    ];
    const kept = texts.filter((text) => suggestGrants(BASH, [command(text)]).some(({ mayLast }) => mayLast));
    assert.deepEqual(kept, []);
    assert.deepEqual(
      suggestGrants(BASH, [command('npm run build')]).map(({ mayLast }) => mayLast),
      [true],
    );
  });
});
