// Commands that read whole folders: what lies in those is judged as if it had been named, and what is hidden is not told.
import assert from 'node:assert/strict';
import type { ToolTestOptions } from '../../../support/toolTest';
import { withTools } from '../../../support/toolTest';
import type { Tree } from '../../../support/workspace';

interface Case {
  readonly what: string;
  readonly command: string;
  readonly files?: Tree;
  /** Reasons of the ask; absent: it passes. */
  readonly asks?: readonly string[];
}

const PLAIN: Tree = {
  'a.txt': 'needle\n',
  'src/b.ts': 'needle\n',
  'node_modules/p/cert.pem': 'needle\n',
  'venv/lib/cacert.pem': 'needle\n',
  '.git/x.pem': 'needle\n',
};
const SECRET: Tree = {
  ...PLAIN,
  'sub/.env': 'needle=1\n',
  'sub/c.txt': 'needle\n',
  '.gitignore': 'build/\n',
  'build/own.key': 'x',
};

const CASES: readonly Case[] = [
  { what: 'a plain project', command: 'grep -rn needle .' },
  { what: 'a plain project without a path', command: 'grep -r needle' },
  { what: 'a plain project with everything that is ignored', command: 'rg -uu needle' },
  {
    what: 'secrets in the folder',
    command: 'grep -rn needle .',
    files: SECRET,
    asks: ['May hold secrets: build/own.key', 'May hold secrets: sub/.env'],
  },
  {
    what: 'secrets, told to recurse by another option',
    command: 'grep -d recurse needle sub',
    files: SECRET,
    asks: ['May hold secrets: sub/.env'],
  },
  {
    what: 'secrets that a search for ignored files finds',
    command: 'rg --hidden --no-ignore needle sub',
    files: SECRET,
    asks: ['May hold secrets: sub/.env'],
  },
  {
    what: 'secrets beside a folder that is compared',
    command: 'diff -r sub src',
    files: SECRET,
    asks: ['May hold secrets: sub/.env'],
  },
  {
    what: 'secrets after cd',
    command: 'cd sub && grep -r needle',
    files: SECRET,
    asks: ['May hold secrets: sub/.env'],
  },
  { what: 'another folder than that of the secrets', command: 'grep -rn needle src', files: SECRET },
  { what: 'only files of another kind', command: "grep -rn --include='*.ts' needle .", files: SECRET },
  {
    what: 'files of a kind that secrets have',
    command: "grep -rn --include='*.ts' --include='*.key' needle .",
    files: SECRET,
    asks: ['May hold secrets: build/own.key'],
  },
  {
    what: 'a pattern that excludes first, so that others are included',
    command: "grep -rn --exclude='*.md' --include='*.ts' needle sub",
    files: SECRET,
    asks: ['May hold secrets: sub/.env'],
  },
  { what: 'ripgrep, which leaves out what is ignored and what begins with a dot', command: 'rg needle', files: SECRET },
  {
    what: 'ripgrep, where a pattern names what begins with a dot',
    command: "rg -g '.env*' needle sub",
    files: SECRET,
    asks: ['May hold secrets: sub/.env'],
  },
  {
    what: 'ripgrep, where a pattern names it in any case',
    command: "rg --iglob '.ENV' needle sub",
    files: SECRET,
    asks: ['May hold secrets: sub/.env'],
  },
  {
    what: 'two folders that are compared without going deeper',
    command: 'diff -N src sub',
    files: SECRET,
    asks: ['May hold secrets: sub/.env'],
  },
  { what: 'ripgrep, where a pattern names other files', command: "rg -g '*.ts' needle", files: SECRET },
  {
    what: 'what Git does not know yet',
    command: 'git grep --untracked needle',
    files: SECRET,
    asks: ['May hold secrets: build/own.key', 'May hold secrets: sub/.env'],
  },
  {
    what: 'ripgrep, where nothing ignores the secret',
    command: 'rg needle',
    files: { 'conf/server.key': 'needle\n' },
    asks: ['May hold secrets: conf/server.key'],
  },
  {
    what: 'ripgrep behind a pipe, which reads that',
    command: 'echo needle | rg needle',
    files: { 'conf/server.key': 'needle\n' },
  },
  {
    what: 'a link out of the workspace that is not followed',
    command: 'grep -rn needle .',
    files: { ...PLAIN, out: { link: '/etc' } },
  },
];

describe('S37 a command that reads whole folders', () => {
  for (const { what, command, files = PLAIN, asks } of CASES) {
    it(`${asks ? 'asks' : 'does not ask'}: ${what}`, () =>
      withTools(
        files,
        async (test) => {
          await test.call('bash', { command });
          const reasons = test.asks.flatMap((ask) => (ask.kind === 'permission' ? [ask.reasons] : []));
          assert.deepEqual(reasons, asks ? [asks] : []);
        },
        { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
      ));
  }

  it('asks where a link that is followed leads out of the workspace', () =>
    withTools(
      { ...PLAIN, out: { link: '/etc' } },
      async ({ call, asks }) => {
        await call('bash', { command: 'grep -Rn needle .' });
        assert.equal(asks.length, 1);
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    ));

  it('shows no more than a bounded number of secrets', () =>
    withTools(
      Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`k${at}.pem`, ''])),
      async ({ call, asks }) => {
        await call('bash', { command: 'grep -r needle .' });
        const counts = asks.map((ask) => (ask.kind === 'permission' ? ask.reasons.length : 0));
        assert.deepEqual(counts, [20]);
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    ));
});

describe('S37 what .latheignore hides from a command', () => {
  const FILES: Tree = { '.latheignore': 'private/\n*.draft\n', 'src/a.ts': 'needle\n', 'private/plan.md': 'needle\n' };
  const bypass: ToolTestOptions = { mode: 'bypass' };

  for (const command of ['grep -r needle .', 'rg needle', 'rg -uu needle', 'diff -r . src', 'grep -R needle']) {
    it(`refuses ${command} in every mode, and does not say what it is`, () =>
      withTools(
        FILES,
        async ({ call }) => {
          const { status, text } = await call('bash', { command });
          const isNamed = /private|plan/.test(text);
          assert.deepEqual({ status, isNamed }, { status: 'denied', isNamed: false });
          assert.match(text, /hidden from you by \.latheignore/);
        },
        bypass,
      ));
  }

  it('refuses what names it', () =>
    withTools(
      FILES,
      async ({ call }) => {
        const { status, text } = await call('bash', { command: 'cat private/plan.md' });
        assert.equal(status, 'denied');
        assert.match(text, /^private\/plan\.md is hidden from you by \.latheignore/);
      },
      bypass,
    ));

  it('lets pass what does not reach it', () =>
    withTools(
      FILES,
      async ({ call }) => {
        const { status, text } = await call('bash', { command: 'grep -r needle src' });
        assert.deepEqual({ status, text }, { status: 'done', text: 'src/a.ts:needle\n' });
      },
      bypass,
    ));
});
