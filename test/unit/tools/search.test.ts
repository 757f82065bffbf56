// ls, glob and grep: bounded windows that say how to go on, and paths that lead back.
import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { checkTool, withTools } from '../../support/toolTest';

const FILES = {
  'README.md': '# Title\nneedle here\n',
  '.hidden': 'needle',
  '.gitignore': 'ignored.txt\n',
  'ignored.txt': 'needle',
  'src/a.ts': 'needle a\nplain\nplain\nneedle b\n',
  'src/deep/b.ts': 'Needle\n',
  'node_modules/m/index.js': 'needle',
};

checkTool('ls', FILES, [
  {
    what: 'lists the current folder as a tree',
    input: {},
    text: [
      './',
      '  node_modules/ (not opened)',
      '  src/',
      '    deep/',
      '      b.ts',
      '    a.ts',
      '  README.md',
      '  ignored.txt',
    ].join('\n'),
    display: { kind: 'files', paths: ['src/deep/b.ts', 'src/a.ts', 'README.md', 'ignored.txt'], more: 0 },
  },
  { what: 'leaves out what it is told to', input: { path: 'src', ignore: ['*.ts'] }, text: 'src/\n  deep/' },
  {
    what: 'opens a folder that is named, whatever it is',
    input: { path: 'node_modules' },
    text: 'node_modules/\n  m/\n    index.js',
  },
  {
    what: 'sends files to read',
    input: { path: 'README.md' },
    status: 'failed',
    text: 'README.md is a file. Read it with read.',
  },
  { what: 'suggests a name', input: { path: 'scr' }, status: 'failed', text: 'scr does not exist. Did you mean src?' },
  {
    what: 'stops after 100 entries, level by level',
    files: {
      'one/x': '',
      ...Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`many/${String(at).padStart(3, '0')}`, ''])),
      'zoo/y': '',
    },
    input: {},
    text: /^\.\/\n {2}many\/ \(53 more\)\n {4}000\n[\s\S]* {4}096\n {2}one\/ \(not opened\)\n {2}zoo\/ \(not opened\)\n\(Only the first 100 entries/,
  },
  {
    what: 'stops at the fifth level',
    files: { 'a/b/c/d/e/f/g': '' },
    input: {},
    text: './\n  a/\n    b/\n      c/\n        d/\n          e/ (not opened)',
  },
]);

checkTool('glob', FILES, [
  {
    what: 'finds by pattern',
    input: { pattern: '*.md' },
    text: 'README.md',
    display: { kind: 'files', paths: ['README.md'], more: 0 },
  },
  { what: 'finds in a folder', input: { pattern: 'deep/*', path: 'src' }, text: 'src/deep/b.ts' },
  { what: 'takes a folder as everything in it', input: { pattern: 'src/deep' }, text: 'src/deep/b.ts' },
  {
    what: 'says when there is nothing',
    input: { pattern: '*.nope' },
    text: 'No file matches *.nope in the current folder (ignored files are not searched).',
    display: { kind: 'files', paths: [], more: 0 },
  },
  {
    what: 'refuses a missing folder',
    input: { pattern: '*', path: 'scr' },
    status: 'failed',
    text: 'scr does not exist. Did you mean src?',
  },
  {
    what: 'refuses a file as a folder',
    input: { pattern: '*', path: 'README.md' },
    status: 'failed',
    text: /is a file; path must be a folder/,
  },
]);

checkTool('grep', FILES, [
  {
    what: 'lists files by default',
    input: { pattern: 'needle' },
    text: '.hidden\nREADME.md\nsrc/a.ts',
    display: { kind: 'files', paths: ['.hidden', 'README.md', 'src/a.ts'], more: 0 },
  },
  {
    what: 'shows lines',
    input: { pattern: 'needle', output_mode: 'content', path: 'src' },
    text: 'src/a.ts\n1: needle a\n4: needle b',
    display: {
      kind: 'matches',
      groups: [
        {
          path: 'src/a.ts',
          count: 2,
          lines: [
            { line: 1, text: 'needle a' },
            { line: 4, text: 'needle b' },
          ],
        },
      ],
      total: 2,
      more: 0,
    },
  },
  {
    what: 'shows lines around',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', '-C': 1 },
    text: 'src/a.ts\n1: needle a\n2- plain\n3- plain\n4: needle b',
  },
  {
    what: 'parts what does not follow',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', '-B': 1 },
    text: 'src/a.ts\n1: needle a\n--\n3- plain\n4: needle b',
  },
  {
    what: 'leaves numbers out',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', '-n': false },
    text: 'src/a.ts\nneedle a\nneedle b',
  },
  {
    what: 'counts',
    input: { pattern: 'needle', output_mode: 'count', glob: '*.ts', '-i': true },
    text: 'src/a.ts:2\nsrc/deep/b.ts:1\n(3 matching lines in 2 files.)',
  },
  {
    what: 'takes several globs',
    input: { pattern: 'needle', glob: '*.{ts,tsx}, *.md', '-i': true },
    text: 'README.md\nsrc/a.ts\nsrc/deep/b.ts',
  },
  {
    what: 'limits lines',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', head_limit: 1 },
    text: 'src/a.ts\n1: needle a\n(1 matching lines, and there are more: go on with offset 1, or narrow the search.)',
  },
  {
    what: 'goes on',
    input: { pattern: 'needle', output_mode: 'content', path: 'src', head_limit: 1, offset: 1 },
    text: 'src/a.ts\n4: needle b',
  },
  {
    what: 'limits files',
    input: { pattern: 'needle', head_limit: 1 },
    text: '.hidden\n(2 more files: go on with offset 1.)',
  },
  {
    what: 'spans lines',
    input: { pattern: 'plain.needle', multiline: true, output_mode: 'content' },
    text: 'src/a.ts\n3: plain\n4: needle b',
  },
  {
    what: 'says when there is nothing',
    input: { pattern: 'absent' },
    text: 'No match for absent in the current folder.',
    display: { kind: 'matches', groups: [], total: 0, more: 0 },
  },
  { what: 'passes on what is wrong with a pattern', input: { pattern: '(' }, status: 'failed', text: /unclosed group/ },
  {
    what: 'refuses a missing path',
    input: { pattern: 'x', path: 'scr' },
    status: 'failed',
    text: 'scr does not exist. Did you mean src?',
  },
  {
    what: 'takes a pattern that looks like an option as a pattern (S19)',
    input: { pattern: '--files' },
    text: 'No match for --files in the current folder.',
  },
]);

describe('search results', () => {
  it('name files so that the name leads back, wherever the agent stands', () =>
    withTools(FILES, async ({ call, setCwd, path }) => {
      setCwd('src/deep');
      const { text } = await call('grep', { pattern: 'needle', '-i': true, path: '../..', glob: '*.ts' });
      assert.equal(text, `${path('src/a.ts')}\nb.ts`);
      for (const file_path of text.split('\n')) assert.equal((await call('read', { file_path })).status, 'done');
    }));

  it('start with the newest file', () =>
    withTools({ old: '', new: '' }, async ({ call, path }) => {
      await utimes(path('old'), 1, 1);
      assert.equal((await call('glob', { pattern: '*' })).text, 'new\nold');
    }));

  it('stop after 200 files and say how many there are', () => {
    const files = Object.fromEntries(Array.from({ length: 230 }, (_, at) => [`f${at}`, '']));
    return withTools(files, async ({ call }) => {
      const { text, display } = await call('glob', { pattern: '*' });
      assert.match(text, /\(The newest 200 of 230 files\. Narrow the pattern or the path\.\)$/);
      assert.equal(display?.kind === 'files' && display.more, 30);
    });
  });

  it('follow a pattern out of the folder, if a person allows it', () =>
    withTools(
      FILES,
      async ({ call, outside, asks }) => {
        const { status } = await call('glob', { pattern: `${outside}/*` });
        assert.equal(status, 'denied');
        assert.equal(asks.length, 1);
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    ));
});
