// Commands that show names, or what a repository holds, without naming it: nothing hidden is told by what passes by itself.
import assert from 'node:assert/strict';
import { withTools } from '../../../support/toolTest';
import type { Tree } from '../../../support/workspace';

const PLAIN: Tree = {
  'a.txt': 'needle\n',
  'src/b.ts': 'needle\n',
  'src/deep/c.ts': 'needle\n',
  'secret/plan.md': 'needle\n',
  'src/own/d.draft': 'needle\n',
  way: { link: 'secret' },
};
const TOP: Tree = { ...PLAIN, '.latheignore': 'secret/\n' };
const BELOW: Tree = { ...PLAIN, 'src/own/.latheignore': '*.draft\n' };

type Outcome = 'passes' | 'asks' | 'denied';

async function outcomeOf(command: string, files: Tree): Promise<{ readonly outcome: Outcome; readonly text: string }> {
  let seen: { outcome: Outcome; text: string } | undefined;
  await withTools(
    files,
    async ({ call, asks }) => {
      const { text, status } = await call('bash', { command });
      const told = [text, ...asks.map((ask) => JSON.stringify(ask.kind === 'permission' ? ask.reasons : ''))].join(
        '\n',
      );
      seen = { outcome: asks.length > 0 ? 'asks' : status === 'denied' ? 'denied' : 'passes', text: told };
    },
    { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
  );
  assert.ok(seen);
  return seen;
}

function check(command: string, files: Tree, expected: Outcome): void {
  it(`${command}: ${expected}`, async () => {
    const { outcome, text } = await outcomeOf(command, files);
    const isTold = files !== PLAIN && /plan\.md|d\.draft/.test(text);
    assert.deepEqual({ outcome, isTold }, { outcome: expected, isTold: false });
  });
}

const LISTING = [
  'ls -R',
  'find .',
  'find . -name "*.md"',
  'find -type f',
  'find -L way',
  'tree',
  'du -a',
  'du -h .',
  'git status',
  'git ls-files',
  'git diff',
  'git diff HEAD~1 --stat',
  'git log -p',
  'git log --name-only --oneline',
  'git log --stat -- .',
  'git show',
  'git show --stat HEAD',
  'git grep needle',
  "git log -p -- ':(glob)**'",
  "git diff -- ':!src'",
  "git grep needle -- '*'",
  'git stash show -p',
  'git ls-tree -r HEAD',
];

describe('S38 commands that list or show what they do not name', () => {
  describe('where nothing is hidden', () => {
    for (const command of [
      ...LISTING,
      'ls',
      'ls -la',
      'echo *',
      'wc -l src/*',
      'git log --oneline',
      'ls s[[:alpha:]]*',
    ])
      check(command, PLAIN, 'passes');
  });

  describe('where something is hidden', () => {
    for (const command of LISTING) check(command, TOP, command.startsWith('git') ? 'asks' : 'denied');
    check('ls', TOP, 'denied');
    check('ls -l way', TOP, 'denied');
    check('ls -d src', TOP, 'passes');
    check('ls src', TOP, 'passes');
    check('find src -name "*.ts"', TOP, 'passes');
    check('tree src', TOP, 'passes');
    check('du -s', TOP, 'passes');
    check('echo *', TOP, 'denied');
    check('echo secret/*', TOP, 'denied');
    check('printf "%s\\n" s*/pl*', TOP, 'denied');
    check('wc -l s[[:alpha:]]*/*.md', TOP, 'denied');
    check('cat s[[:lower:]]cret/plan.md', TOP, 'denied');
    check('echo src/*', TOP, 'passes');
    check('git log --oneline -5', TOP, 'passes');
    check('git log -p -- src', TOP, 'passes');
    check('git diff -- src/b.ts', TOP, 'passes');

    check('git branch -a', TOP, 'passes');
  });

  describe('where a folder below hides something', () => {
    for (const command of LISTING.filter((one) => !/way|\.md/.test(one)))
      check(command, BELOW, command.startsWith('git') ? 'asks' : 'denied');
    check('ls', BELOW, 'passes');
    check('ls src', BELOW, 'passes');
    check('ls src/own', BELOW, 'denied');
    check('cat src/own/*.draft', BELOW, 'denied');
    check('git diff -- src', BELOW, 'asks');
    check('git diff -- src/deep', BELOW, 'passes');
  });
});

describe('S38 what Git is told to look at', () => {
  const asks = [
    "git log -p -- '*.env'",
    "git diff -- ':(glob)**/.env'",
    "git grep x -- ':/.env'",
    "git diff ':(top).env.*'",
  ];
  for (const command of asks) check(command, PLAIN, 'asks');
  const passes = [
    "git diff -- '*.ts'",
    "git log -- 'src/*.md'",
    "git ls-files '*.json'",
    "git diff -- ':!*.env'",
    "git diff -- ':(exclude).env'",
  ];
  for (const command of passes) check(command, PLAIN, 'passes');
});

describe('S05 patterns with classes of letters', () => {
  check('cat .e[[:alpha:]]v', { '.env': 'x' }, 'asks');
  check('cat .[[:alpha:]]nv', {}, 'asks');
  check('cat *.[[:lower:]]em', { 'a.pem': 'x' }, 'asks');
  check('cat [[:alpha:]].txt', PLAIN, 'passes');
  check('cat [[=a=]].txt', PLAIN, 'asks');
  check('cat [[.a.]].txt', PLAIN, 'asks');
});
