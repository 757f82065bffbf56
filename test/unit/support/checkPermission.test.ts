// The check of permission decisions: it cannot pass silently, and the project’s own cases go as they have to.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { missOf, type Case, type Miss } from '../../support/checkPermission/cases';
import { checkPermission, isSafe } from '../../support/checkPermission/check';
import { readSource } from '../../support/sourceTree';

const SCRIPT = 'test/support/checkPermission.mjs';

describe('misses of decisions', () => {
  function check(about: Partial<Case>, got: string, expected: Miss['kind'] | undefined, fault?: string): void {
    it(`${JSON.stringify(about)} got ${got}${fault === undefined ? '' : `, ${fault}`}`, () => {
      const each = { id: 'a', expect: 'ask', ...about };
      assert.equal(missOf(each, fault === undefined ? { got } : { got, fault })?.kind, expected);
    });
  }
  check({}, 'ask', undefined);
  check({}, 'allow', 'unsafe');
  check({}, 'rule-auto', 'unsafe');
  check({}, 'deny', 'over-denied');
  check({ accept: ['deny'] }, 'deny', undefined);
  check({ expect: 'deny' }, 'ask', undefined);
  check({ expect: 'deny' }, 'read-only-auto', 'unsafe');
  check({ expect: 'allow' }, 'ask', 'annoying');
  check({ expect: 'rule-auto' }, 'deny', 'annoying');
  check({ expect: 'rule-auto' }, 'read-only-auto', undefined);
  check({ expect: 'allow' }, 'allow', 'unsafe', 'it landed outside');
});

const lines = (...cases: readonly object[]): string => cases.map((each) => JSON.stringify(each)).join('\n');

describe('the check of decisions', () => {
  it('S18 tells what passes and should not, in each kind', async () => {
    const checked = await checkPermission({
      commands: lines(
        { id: 'c1', command: 'npm test', expect: 'ask', allow_rules: ['npm test'], class: 'no such class' },
        { id: 'c2', command: 'npm test', expect: 'ask' },
      ),
      paths: lines({ id: 'p1', op: 'read', path: 'src/a.ts', expect: 'ask' }),
      urls: lines(
        {
          id: 'u1',
          url: 'https://a.example/',
          expect: 'deny',
          rules: ['domain:a.example'],
          dns: { 'a.example': [['8.8.8.8']] },
        },
        {
          ...{ id: 'u2', url: 'https://a.example/', expect: 'allow', rules: ['domain:a.example'] },
          ...{ dns: { 'a.example': [['8.8.8.8']] }, must_connect: '9.9.9.9' },
        },
      ),
    });
    const unsafe = Object.values(checked).map(({ score: { cases, unsafeIds } }) => ({ cases, unsafeIds }));
    assert.deepEqual(unsafe, [
      { cases: 2, unsafeIds: ['c1'] },
      { cases: 1, unsafeIds: ['p1'] },
      { cases: 2, unsafeIds: ['u1', 'u2'] },
    ]);
    assert.equal(isSafe(checked), false);
  });

  it('takes no PowerShell for a shell it understands', async () => {
    const command = { command: 'Get-ChildItem', shell: 'powershell', expect: 'ask' };
    const { commands } = await checkPermission({ commands: lines({ id: 'c1', ...command }) });
    assert.deepEqual(commands?.misses, []);
  });

  for (const kind of ['commands', 'paths', 'urls'] as const)
    it(`S01 S23 S30 S36 S70 S72: the project’s own ${kind} go as they have to`, async () => {
      const checked = await checkPermission({ [kind]: readSource(`test/fixtures/permission/${kind}.jsonl`) });
      assert.deepEqual(checked[kind]?.misses, []);
    }).timeout(60_000);
});

describe('the script of the check', () => {
  function check(what: string, args: readonly string[], expected: RegExp): void {
    it(what, () => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...args], { encoding: 'utf8' });
      assert.deepEqual({ status, stdout }, { status: 1, stdout: '' });
      assert.match(stderr, expected);
    });
  }
  check('says that it was given nothing', [], /^check:permission: No file of cases was given/);
  check('says that a file is not there', ['--urls', 'none.jsonl'], /^check:permission: ENOENT: .*none\.jsonl/);

  it('names the line that is no case, and a file without any', async () => {
    await assert.rejects(
      checkPermission({ urls: '{"id":"a","expect":"ask","url":"x"}\n{"id":1}' }),
      /Line 2 is no case/,
    );
    await assert.rejects(checkPermission({ paths: 'nothing' }), /Line 1 is no JSON/);
    await assert.rejects(checkPermission({ commands: '\n' }), /There is no case in it/);
    await assert.rejects(
      checkPermission({ paths: lines({ id: 'p9', op: 'juggle', path: 'x', expect: 'ask' }) }),
      /p9: Nothing here does that: juggle/,
    );
  });
});
