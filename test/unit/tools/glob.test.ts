// glob: files by name, newest first, in bounded windows.
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

checkTool('glob', FILES, [
  {
    what: 'finds by pattern',
    input: { pattern: '*.md' },
    text: 'README.md',
    display: { kind: 'files', paths: ['README.md'], more: 0 },
  },
  { what: 'finds in a folder', input: { pattern: 'deep/*', path: 'src' }, text: 'src/deep/b.ts' },
  { what: 'climbs from the folder it is given', input: { pattern: '../a.*', path: 'src/deep' }, text: 'src/a.ts' },
  { what: 'takes a folder as everything in it', input: { pattern: 'src/deep' }, text: 'src/deep/b.ts' },
  {
    what: 'says when there is nothing',
    input: { pattern: '*.nope' },
    text: 'No file matches *.nope in the current folder (ignored files are not searched).',
    display: { kind: 'files', paths: [], more: 0 },
  },
  {
    what: 'refuses a pattern that is longer than any path',
    input: { pattern: 'x'.repeat(10_001) },
    status: 'failed',
    text: 'The pattern has 10001 characters, which no path fits. Give a short one.',
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

describe('glob', () => {
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
