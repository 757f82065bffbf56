// ls: a folder as a bounded tree, level by level.
import { checkTool } from '../../support/toolTest';

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
    what: 'leaves out what lies at a place',
    input: { path: 'src', ignore: ['deep/*.ts'] },
    text: 'src/\n  deep/\n  a.ts',
  },
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
    what: 'T04: leaves generated folders closed and hidden entries out, whatever is in them',
    files: Object.fromEntries(
      [
        ...['node_modules', 'dist', 'build', 'target', 'venv', 'coverage', '__pycache__'],
        ...['.git', '.next', '.nuxt', '.venv', '.cache', 'src/.hidden'],
      ].map((folder) => [`${folder}/x`, '']),
    ),
    input: {},
    text: [
      ...['./', '  __pycache__/ (not opened)', '  build/ (not opened)', '  coverage/ (not opened)'],
      ...['  dist/ (not opened)', '  node_modules/ (not opened)', '  src/', '  target/ (not opened)'],
      '  venv/ (not opened)',
    ].join('\n'),
  },
  {
    what: 'T04: says nothing of a limit where 100 entries are all there are',
    files: Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, ''])),
    input: {},
    text: /\n {2}f99$/,
  },
  {
    what: 'stops at the fifth level',
    files: { 'a/b/c/d/e/f/g': '' },
    input: {},
    text: './\n  a/\n    b/\n      c/\n        d/\n          e/ (not opened)',
  },
]);
