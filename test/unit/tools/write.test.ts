// write: whole files, new ones or such as were read whole and are as they were.
import { writeFile } from 'node:fs/promises';
import { checkTool } from '../../support/toolTest';
import type { Tree } from '../../support/workspace';

const FILES: Tree = { 'a.txt': 'one\r\ntwo\r\nthree\r\n', 'b.js': 'fun() {\n  go();\n}\n', 'deep/c.txt': 'x' };
const BYTES = { 'a.txt': 'one\r\ntwo\r\nthree\r\n', 'b.js': 'fun() {\n  go();\n}\n', 'deep/c.txt': 'x' };
const readA = ['read', { file_path: 'a.txt' }] as const;
const change = (file_path: string, old_string: string, new_string: string) => ({ file_path, old_string, new_string });

checkTool('write', FILES, [
  {
    what: 'R05: makes a file and its folders, which needs no read',
    input: { file_path: 'new/x.txt', content: 'a\nb\n' },
    text: 'Created new/x.txt (2 lines).',
    after: { ...BYTES, 'new/x.txt': 'a\nb\n' },
  },
  {
    what: 'O24: writes no broken configuration',
    input: { file_path: 'sub/tsconfig.json', content: '{"compilerOptions": {"strict": "yes"}}' },
    status: 'failed',
    text: /^sub\/tsconfig\.json would be broken by this, so nothing was changed\. .*\n- line 1: "compilerOptions\.strict" must be true or false/,
    after: BYTES,
  },
  {
    what: 'O24: nor over one that was good',
    files: { 'package.json': '{}' },
    before: [['read', { file_path: 'package.json' }]],
    input: { file_path: 'package.json', content: '' },
    status: 'failed',
    text: /^package\.json would be broken/,
    after: { 'package.json': '{}' },
  },
  {
    what: 'empty content makes an empty file',
    input: { file_path: 'e', content: '' },
    text: 'Created e (0 lines).',
    after: { ...BYTES, e: '' },
  },
  {
    what: 'replaces what was read, in the line endings of the file',
    before: [readA],
    input: { file_path: 'a.txt', content: 'one\n2\n' },
    text: 'Edited a.txt (+1 −2, at line 2).',
    after: { ...BYTES, 'a.txt': 'one\r\n2\r\n' },
  },
  {
    what: 'empties a file',
    before: [readA],
    input: { file_path: 'a.txt', content: '' },
    text: /^Edited a\.txt \(\+0 −3/,
    after: { ...BYTES, 'a.txt': '' },
  },
  {
    what: 'keeps the byte-order mark',
    files: { m: '\ufeffa\n' },
    before: [['read', { file_path: 'm' }]],
    input: { file_path: 'm', content: 'b\n' },
    text: /^Edited/,
    after: { m: '\ufeffb\n' },
  },
  {
    what: 'may overwrite its own file',
    before: [['write', { file_path: 'n', content: '1' }]],
    input: { file_path: 'n', content: '2' },
    text: /^Edited n/,
    after: { ...BYTES, n: '2' },
  },
  {
    what: 'R05: needs a read',
    input: { file_path: 'a.txt', content: 'x' },
    status: 'failed',
    text: /^Read a\.txt first/,
    after: BYTES,
  },
  {
    what: 'R05: needs the whole file',
    before: [['read', { file_path: 'a.txt', limit: 1 }]],
    input: { file_path: 'a.txt', content: 'x' },
    status: 'failed',
    text: /^Only a part of a\.txt was read/,
    after: BYTES,
  },
  {
    what: 'still needs it after an edit of its own',
    before: [
      ['read', { file_path: 'a.txt', limit: 1 }],
      ['edit', change('a.txt', 'one', '1')],
    ],
    input: { file_path: 'a.txt', content: 'x' },
    status: 'failed',
    text: /^Only a part of a\.txt was read/,
  },
  {
    what: 'windows that join make the whole',
    before: [
      ['read', { file_path: 'a.txt', offset: 2 }],
      ['read', { file_path: 'a.txt', limit: 1 }],
    ],
    input: { file_path: 'a.txt', content: 'x' },
    text: /^Edited a\.txt/,
  },
  {
    what: 'R06: refuses what has changed since',
    before: [readA],
    meanwhile: ({ path }) => writeFile(path('a.txt'), 'other'),
    input: { file_path: 'a.txt', content: 'x' },
    status: 'failed',
    text: 'a.txt has changed since it was read. Read it again before it is overwritten.',
    after: { ...BYTES, 'a.txt': 'other' },
  },
  {
    what: 'R03: refuses what has left the conversation',
    before: [readA],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1'])),
    input: { file_path: 'a.txt', content: 'x' },
    status: 'failed',
    text: 'a.txt was read so long ago that its text has left the conversation. Read it again before it is overwritten.',
    after: BYTES,
  },
  {
    what: 'R03: also when only one of the windows that showed it has left',
    before: [
      ['read', { file_path: 'a.txt', offset: 2 }],
      ['read', { file_path: 'a.txt', limit: 1 }],
    ],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1'])),
    input: { file_path: 'a.txt', content: 'x' },
    status: 'failed',
    text: /has left the conversation/,
  },
  {
    what: 'R03: a window read anew does not bring back the rest',
    before: [readA],
    meanwhile: async ({ reads, call }) => {
      reads.markPruned(new Set(['c1']));
      await call('read', { file_path: 'a.txt', limit: 1 });
    },
    input: { file_path: 'a.txt', content: 'x' },
    status: 'failed',
    text: /^Only a part of a\.txt was read/,
  },
  {
    what: 'R03: what the model has written itself it knows',
    before: [readA, ['write', { file_path: 'a.txt', content: 'mine' }]],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1'])),
    input: { file_path: 'a.txt', content: 'x' },
    text: /^Edited a\.txt/,
  },
  {
    what: 'refuses the same text',
    before: [readA],
    input: { file_path: 'a.txt', content: 'one\ntwo\nthree\n' },
    status: 'failed',
    text: /exactly this text already/,
    after: BYTES,
  },
  {
    what: 'refuses folders',
    input: { file_path: 'deep', content: 'x' },
    status: 'failed',
    text: /^deep is a folder/,
    after: BYTES,
  },
  {
    what: 'refuses a file as a folder',
    input: { file_path: 'a.txt/x', content: 'x' },
    status: 'failed',
    text: 'a.txt/x does not exist: a.txt is a file, not a folder.',
    after: BYTES,
  },
]);
