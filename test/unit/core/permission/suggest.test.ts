// The lasting permission that a card offers: no wider than what it says.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Platform } from '../../../../src/core/host';
import { coversTarget, parseRule, type LocatedTarget } from '../../../../src/core/permission/rules';
import { suggestGrant } from '../../../../src/core/permission/suggest';

const PLATFORM: Platform = { os: 'linux', homeDir: '/home/dev', foldsCase: false, timeZone: 'UTC' };
const BASH = { name: 'bash', kind: 'shell' } as const;
const WRITE = { name: 'write', kind: 'edit' } as const;
const FETCH = { name: 'webfetch', kind: 'web' } as const;

const ROOT = { name: 'proj', path: '/w/proj' };
const command = (text: string): LocatedTarget => ({
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
  it(name, () => assert.equal(suggestGrant(tool, [target])?.rule, rule));
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

  it('covers a command by no other text', () => {
    const part = fc.constantFrom('git', ' ', ':', '*', ':*', '(', ')', 'push', '\n', '"');
    const text = fc.array(part, { minLength: 1, maxLength: 8 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (granted, other) => {
        const rule = parseRule(suggestGrant(BASH, [command(granted)])?.rule ?? '', 'allow', 'session');
        fc.pre(rule !== undefined && granted.trim() !== other.trim());
        return rule === undefined || !coversTarget(rule, command(other), PLATFORM);
      }),
    );
  });
});
