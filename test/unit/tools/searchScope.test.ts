// What glob and grep look into, and what they never do: ignore rules of every kind, links, binaries, encodings, several folders, and arguments that look like options.
import assert from 'node:assert/strict';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { checkTool, withTools } from '../../support/toolTest';

const long = 'x'.repeat(300_000);
const FILES = {
  '.ignore': 'by-ignore.txt\n',
  'by-ignore.txt': 'needle',
  '.gitignore': 'by-git.txt\n/generated/\n',
  'by-git.txt': 'needle',
  'generated/g.txt': 'needle',
  'sub/.gitignore': 'by-nested.txt\n',
  'sub/by-nested.txt': 'needle',
  'sub/kept.txt': 'needle',
  '.hidden/h.txt': 'needle',
  link: { link: 'sub' },
  'bin.dat': Buffer.from('needle\0needle'),
  'u16.txt': Buffer.from('\ufeffneedle ä', 'utf16le'),
  'long.js': `const a = '${long} needle ${long}';\n`,
  '-rf': '--files needle',
  'evil.sh': '#!/bin/sh\ntouch pwned\n',
} as const;
const ALL = '-rf\n.hidden/h.txt\nlong.js\nsub/kept.txt\nu16.txt';

checkTool('grep', FILES, [
  {
    what: 'T06: honours .gitignore, .ignore and nested ones outside of a repository too, follows no link',
    input: { pattern: 'needle' },
    text: ALL,
  },
  {
    what: 'T06: reads UTF-16',
    input: { pattern: 'needle ä', output_mode: 'content' },
    text: 'u16.txt\n1: needle ä',
  },
  {
    what: 'T06: a file that is named is searched though it is ignored',
    input: { pattern: 'needle', path: 'by-git.txt', output_mode: 'content' },
    text: 'by-git.txt\n1: needle',
  },
  { what: 'T06: so is a folder', input: { pattern: 'needle', path: 'generated' }, text: 'generated/g.txt' },
  { what: 'T06: a link that is named is followed', input: { pattern: 'needle', path: 'link' }, text: 'link/kept.txt' },
  {
    what: 'T06: shows little of a huge line',
    input: { pattern: 'needle', path: 'long.js', output_mode: 'content' },
    text: /^long\.js\n1: const a = 'x{489}…$/,
  },
  { what: 'S19: a pattern that begins like an option is one', input: { pattern: '--files', path: '-rf' }, text: '-rf' },
  {
    what: 'S19: no program is run for a file',
    input: { pattern: '--pre=./evil.sh' },
    text: /^No match for --pre/,
    after: readable(),
  },
  {
    what: 'S19: neither by a glob nor by a type',
    input: { pattern: 'needle', glob: '--pre=./evil.sh', type: 'js' },
    text: /^No match/,
  },
  {
    what: 'T06: an unknown type is told in words',
    input: { pattern: 'x', type: '-e' },
    status: 'failed',
    text: /unrecognized file type: -e/,
  },
  {
    what: 'T06: goes on where it ended',
    input: { pattern: 'needle', head_limit: 2, offset: 2 },
    text: 'long.js\nsub/kept.txt\n(1 more files: go on with offset 4.)',
  },
  {
    what: 'T06: says when there is no more',
    input: { pattern: 'needle', offset: 50 },
    text: 'There are no files after the first 50.',
  },
  {
    what: 'T06: a glob brings back nothing that is ignored',
    input: { pattern: 'needle', glob: '**/*.txt' },
    text: '.hidden/h.txt\nsub/kept.txt\nu16.txt',
  },
  { what: 'T06: a glob excludes', input: { pattern: 'needle', glob: '!*.txt' }, text: '-rf\nlong.js' },
]);

function readable(): Record<string, string> {
  const { link: _, ...files } = FILES;
  const texts = Object.entries(files).map(([name, content]) => [name, content.toString('utf8')] as const);
  return Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1)));
}

checkTool('glob', FILES, [
  { what: 'T05: honours ignore files of every kind', input: { pattern: '**/*by-*' }, text: /^No file matches/ },
  { what: 'T05: S19: a pattern like an option is one', input: { pattern: '-r*' }, text: '-rf' },
  { what: 'T05: a folder is all that is in it', input: { pattern: '.hidden/' }, text: '.hidden/h.txt' },
  { what: 'T05: letter case counts', input: { pattern: '*.DAT' }, text: /^No file matches/ },
  { what: 'T05: braces', input: { pattern: '*.{dat,sh}' }, text: /^(bin\.dat\nevil\.sh|evil\.sh\nbin\.dat)$/ },
]);

describe('a search in several folders', () => {
  const inTwo = (name: string, input: Record<string, string>, expected: (outside: string) => string) =>
    withTools(
      { 'a.txt': 'needle', 'sub/b.txt': 'needle' },
      async ({ call, outside }) => {
        await mkdir(`${outside}/second`);
        await writeFile(`${outside}/second/c.txt`, 'needle');
        assert.equal((await call(name, input)).text, expected(outside));
      },
      { otherRoots: ['second', 'workspace/sub'] },
    );

  it('T06: looks into all of them where no path is given, once each', () =>
    inTwo('grep', { pattern: 'needle' }, (outside) => `a.txt\nsub/b.txt\n${outside}/second/c.txt`));
  it('T05: so do names', () => inTwo('glob', { pattern: 'c.*' }, (outside) => `${outside}/second/c.txt`));
  it('T05: the newest of all of them comes first', () =>
    withTools(
      { 'a.txt': '', 'c.txt': '' },
      async ({ call, outside, path }) => {
        await mkdir(`${outside}/second`);
        for (const name of ['b.txt', 'd.txt']) await writeFile(`${outside}/second/${name}`, '');
        const byAge = [path('a.txt'), `${outside}/second/b.txt`, path('c.txt'), `${outside}/second/d.txt`];
        for (const [at, each] of byAge.entries()) await utimes(each, 1e9 - at, 1e9 - at);
        const { text } = await call('glob', { pattern: '*.txt' });
        assert.equal(text, `a.txt\n${outside}/second/b.txt\nc.txt\n${outside}/second/d.txt`);
      },
      { otherRoots: ['second'] },
    ));
  it('T06: and into one where a path is given', () =>
    inTwo('grep', { pattern: 'needle', path: '.' }, () => 'a.txt\nsub/b.txt'));
  it('T06: says so when there is nothing', () =>
    inTwo('grep', { pattern: 'absent' }, () => 'No match for absent in the folders of the workspace.'));
});

describe('what a search takes from its surroundings', () => {
  it('T06: no configuration of ripgrep’s own', () =>
    withTools({ rc: '--invert-match', 'a.txt': 'needle' }, async ({ call, path }) => {
      const before = process.env['RIPGREP_CONFIG_PATH'];
      process.env['RIPGREP_CONFIG_PATH'] = path('rc');
      try {
        assert.equal((await call('grep', { pattern: 'needle' })).text, 'a.txt');
      } finally {
        if (before === undefined) delete process.env['RIPGREP_CONFIG_PATH'];
        else process.env['RIPGREP_CONFIG_PATH'] = before;
      }
    }));

  it('T06: the person’s own ignore file for Git holds', () =>
    withTools({ 'a.txt': 'needle', 'b.own': 'needle' }, async ({ call, outside }) => {
      const config = `${outside}/config`;
      await mkdir(`${config}/git`, { recursive: true });
      await writeFile(`${config}/git/ignore`, '*.own\n');
      const before = process.env['XDG_CONFIG_HOME'];
      process.env['XDG_CONFIG_HOME'] = config;
      try {
        assert.equal((await call('grep', { pattern: 'needle' })).text, 'a.txt');
        assert.equal((await call('glob', { pattern: '*' })).text, 'a.txt');
      } finally {
        if (before === undefined) delete process.env['XDG_CONFIG_HOME'];
        else process.env['XDG_CONFIG_HOME'] = before;
      }
    }));
});
