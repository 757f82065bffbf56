// edit: only what was read, only as it is now, and every failure leaves every byte.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { link, readFile, writeFile } from 'node:fs/promises';
import type { Tree } from '../../support/workspace';
import { checkTool, withTools } from '../../support/toolTest';

const FILES: Tree = { 'a.txt': 'one\r\ntwo\r\nthree\r\n', 'b.js': 'fun() {\n  go();\n}\n', 'deep/c.txt': 'x' };
const BYTES = { 'a.txt': 'one\r\ntwo\r\nthree\r\n', 'b.js': 'fun() {\n  go();\n}\n', 'deep/c.txt': 'x' };
const readA = ['read', { file_path: 'a.txt' }] as const;
const readB = ['read', { file_path: 'b.js' }] as const;
const change = (file_path: string, old_string: string, new_string: string) => ({ file_path, old_string, new_string });

checkTool('edit', FILES, [
  {
    what: 'replaces, in the line endings of the file',
    before: [readA],
    input: change('a.txt', 'two\n', 'TWO\n2.5\n'),
    text: 'Edited a.txt (+2 −1, at line 2–3).',
    after: { ...BYTES, 'a.txt': 'one\r\nTWO\r\n2.5\r\nthree\r\n' },
    display: {
      kind: 'diff',
      files: [
        {
          path: 'a.txt',
          change: 'edited',
          added: 2,
          removed: 1,
          hunks: [
            {
              oldStart: 1,
              newStart: 1,
              lines: [
                { sign: ' ', text: 'one' },
                { sign: '-', text: 'two' },
                { sign: '+', text: 'TWO' },
                { sign: '+', text: '2.5' },
                { sign: ' ', text: 'three' },
              ],
            },
          ],
        },
      ],
    },
  },
  {
    what: 'makes several edits at once',
    before: [readA],
    input: {
      file_path: 'a.txt',
      edits: [
        { old_string: 'three', new_string: '3' },
        { old_string: 'one', new_string: '1' },
      ],
    },
    text: /^Edited a\.txt \(\+2 −2/,
    after: { ...BYTES, 'a.txt': '1\r\ntwo\r\n3\r\n' },
  },
  {
    what: 'O11: takes edits as a string of JSON',
    before: [readA],
    input: { file_path: 'a.txt', edits: '[{"old_string":"one","new_string":"1"}]' },
    text: /^Edited/,
    after: { ...BYTES, 'a.txt': '1\r\ntwo\r\nthree\r\n' },
  },
  {
    what: 'replaces all',
    before: [readA],
    input: { ...change('a.txt', 'e', 'E'), replace_all: true },
    text: /^Edited/,
    after: { ...BYTES, 'a.txt': 'onE\r\ntwo\r\nthrEE\r\n' },
  },
  {
    what: 'shows the result of a place that was not found exactly',
    before: [readB],
    input: change('b.js', 'fun() {\n  go();  \n}', 'fun() {\n  stop();\n}'),
    text: /^Edited b\.js \(\+1 −1, at line 2\)\.\nFound by lineTrimmed \(similarity 0\.\d\d\), so check the result:\n@@ -1,3 \+1,3 @@\n fun\(\) \{\n- {2}go\(\);\n\+ {2}stop\(\);\n \}$/,
    after: { ...BYTES, 'b.js': 'fun() {\n  stop();\n}\n' },
  },
  {
    what: 'knows what it wrote itself',
    before: [readA, ['edit', change('a.txt', 'one', '1')]],
    input: change('a.txt', '1', 'I'),
    text: /^Edited/,
    after: { ...BYTES, 'a.txt': 'I\r\ntwo\r\nthree\r\n' },
  },
  {
    what: 'R05: needs a read',
    input: change('a.txt', 'one', '1'),
    status: 'failed',
    text: 'Read a.txt first: its current text must be known before it is changed.',
    after: BYTES,
  },
  {
    what: 'needs a new read after a rewind',
    before: [readA],
    meanwhile: async ({ reads }) => reads.clear(),
    input: change('a.txt', 'one', '1'),
    status: 'failed',
    text: /^Read a\.txt first/,
    after: BYTES,
  },
  {
    what: 'R06: changes a place that is still as it was, and says that the rest is not',
    before: [readA],
    meanwhile: ({ path }) => writeFile(path('a.txt'), 'zero\r\none\r\ntwo\r\n'),
    input: change('a.txt', 'two', '2'),
    text: 'Edited a.txt (+1 −1, at line 3).\nThe file had changed elsewhere since it was read. Read it again before you rely on the rest.',
    after: { ...BYTES, 'a.txt': 'zero\r\none\r\n2\r\n' },
  },
  {
    what: 'O24: refuses what would break a configuration, before anybody is asked',
    files: { 'package.json': '{\n  "name": "a"\n}\n' },
    before: [['read', { file_path: 'package.json' }]],
    input: change('package.json', '"a"', '"a",'),
    status: 'failed',
    text: /^package\.json would be broken by this, so nothing was changed\. .*\n- line 3: .*\n.*\nSend it again with that put right\.$/,
    after: { 'package.json': '{\n  "name": "a"\n}\n' },
    options: { mode: 'ask' },
  },
  {
    what: 'R06: refuses that too where the person wants every change since to be read first',
    before: [readA],
    meanwhile: ({ path }) => writeFile(path('a.txt'), 'zero\r\none\r\ntwo\r\n'),
    input: change('a.txt', 'two', '2'),
    status: 'failed',
    text: 'a.txt has changed since it was read. Read it again.',
    after: { ...BYTES, 'a.txt': 'zero\r\none\r\ntwo\r\n' },
    options: { settings: { 'files.changedSince': 'block' } },
  },
  {
    what: 'R06: an edit of what has not changed is made there as well',
    before: [readA],
    input: change('a.txt', 'two', '2'),
    text: 'Edited a.txt (+1 −1, at line 2).',
    options: { settings: { 'files.changedSince': 'block' } },
  },
  {
    what: 'R07: refuses a file above the limit of edits',
    before: [readA],
    input: change('a.txt', 'two', '2'),
    status: 'failed',
    text: /a\.txt is larger than 0\.0 MB/,
    options: { settings: { 'files.maxEditBytes': 10 } },
    after: BYTES,
  },
  {
    what: 'R06: changes every place in a file that has changed elsewhere',
    before: [readA],
    meanwhile: ({ path }) => writeFile(path('a.txt'), 'two\r\ntwo\r\nzero\r\n'),
    input: { ...change('a.txt', 'two', '2'), replace_all: true },
    text: /^Edited a\.txt \(\+2 −2.*\nThe file had changed elsewhere/,
    after: { ...BYTES, 'a.txt': '2\r\n2\r\nzero\r\n' },
  },
  {
    what: 'R06: refuses a place that has changed',
    before: [readA],
    meanwhile: ({ path }) => writeFile(path('a.txt'), 'one\r\nTWO!\r\n'),
    input: change('a.txt', 'two', '2'),
    status: 'failed',
    text: /^a\.txt has changed since it was read\. Read it again\.\nold_string is not in the file/,
    after: { ...BYTES, 'a.txt': 'one\r\nTWO!\r\n' },
  },
  {
    what: 'R06: refuses a fuzzy place in a changed file',
    before: [readB],
    meanwhile: ({ path }) => writeFile(path('b.js'), 'new\nfun() {\n  go();\n}\n'),
    input: change('b.js', 'fun() {\n  go();  \n}', 'fun() {\n  stop();\n}'),
    status: 'failed',
    text: 'b.js has changed since it was read. Read it again.',
    after: { ...BYTES, 'b.js': 'new\nfun() {\n  go();\n}\n' },
  },
  {
    what: 'R03: an exact place counts however long ago it was read',
    before: [readA],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1'])),
    input: change('a.txt', 'two', '2'),
    text: /^Edited a\.txt/,
    after: { ...BYTES, 'a.txt': 'one\r\n2\r\nthree\r\n' },
  },
  {
    what: 'R03: a fuzzy place does not, when the text has left the conversation',
    before: [readB],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1'])),
    input: change('b.js', 'fun() {\n  go();  \n}', 'fun() {\n  stop();\n}'),
    status: 'failed',
    text: 'b.js was read so long ago that its text has left the conversation. Read it again.',
    after: BYTES,
  },
  {
    what: 'R03: a place that is not there is explained by that',
    before: [readA],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1'])),
    input: change('a.txt', 'four', '4'),
    status: 'failed',
    text: /^a\.txt was read so long ago that .* Read it again\.\nold_string is not in the file/,
  },
  {
    what: 'R03: an edit of its own does not bring back what has left the conversation',
    before: [readB, ['edit', change('b.js', 'go', 'run')]],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1'])),
    input: change('b.js', 'fun() {\n  run();  \n}', 'fun() {\n  stop();\n}'),
    status: 'failed',
    text: /^b\.js was read so long ago/,
  },
  {
    what: 'refuses two places',
    before: [readA],
    input: change('a.txt', 'e', 'E'),
    status: 'failed',
    text: /^old_string stands in 3 places/,
    after: BYTES,
  },
  {
    what: 'refuses what is not there',
    before: [readA],
    input: change('a.txt', 'twoo', 'x'),
    status: 'failed',
    text: /the nearest place is at line 2/i,
    after: BYTES,
  },
  {
    what: 'O27: makes all edits or none',
    before: [readA],
    input: {
      file_path: 'a.txt',
      edits: [
        { old_string: 'one', new_string: '1' },
        { old_string: 'four', new_string: '4' },
      ],
    },
    status: 'failed',
    text: /^Edit 2 of 2 cannot be made, so none was/,
    after: BYTES,
  },
  {
    what: 'refuses both forms at once',
    before: [readA],
    input: { ...change('a.txt', 'one', '1'), edits: [{ old_string: 'two', new_string: '2' }] },
    status: 'failed',
    text: /^Send either/,
    after: BYTES,
  },
  {
    what: 'refuses neither form',
    before: [readA],
    input: { file_path: 'a.txt', old_string: 'one' },
    status: 'failed',
    text: /^edit needs old_string and new_string/,
    after: BYTES,
  },
  {
    what: 'sends new files to write',
    input: change('new.txt', '', 'x'),
    status: 'failed',
    text: /^new\.txt does not exist\. .*To make a new file use write\.$/,
    after: BYTES,
  },
  {
    what: 'refuses folders',
    input: change('deep', 'a', 'b'),
    status: 'failed',
    text: /^deep is a folder/,
    after: BYTES,
  },
  {
    what: 'refuses a read-only file',
    files: { r: { text: 'one', mode: 0o444 } },
    before: [['read', { file_path: 'r' }]],
    input: change('r', 'one', 'x'),
    status: 'failed',
    text: '<root>/r is read-only. Nothing was changed.',
    after: { r: 'one' },
  },
]);

describe('edit', () => {
  it('S31, S32: asks in Accept edits for a link to what runs later and for a file with another name elsewhere, and says what they are', () =>
    withTools(
      { 'package.json': '{}\n', notes: { link: 'package.json' }, a: 'one\n' },
      async ({ call, asks, path, outside }) => {
        await link(path('a'), `${outside}/also`);
        await call('read', { file_path: 'notes' });
        await call('read', { file_path: 'a' });
        await call('edit', { file_path: 'notes', old_string: '{}', new_string: '{ "name": "b" }' });
        await call('edit', { file_path: 'a', old_string: 'one', new_string: 'two' });
        assert.deepEqual(
          asks.map((ask) => ask.kind === 'permission' && [ask.reasons, ask.grants]),
          [
            [['Changes what runs by itself later: notes → package.json'], undefined],
            [['Changes a file that has other names too, which may lie anywhere (hard links): a'], undefined],
          ],
        );
        assert.equal(await readFile(`${outside}/also`, 'utf8'), 'one\n');
      },
      { mode: 'acceptEdits', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    ));

  it('O30: shows the person the very change that is made', () =>
    withTools(
      FILES,
      async ({ call, asks, tree }) => {
        await call('read', { file_path: 'a.txt' });
        const { status, display } = await call('edit', change('a.txt', 'two', '2'));
        assert.equal(status, 'done');
        const [ask] = asks;
        assert.ok(ask?.kind === 'permission');
        assert.deepEqual(ask.preview, display);
        assert.equal((await tree())['a.txt'], 'one\r\n2\r\nthree\r\n');
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'once' }) },
    ));

  it('changes nothing when the person declines', () =>
    withTools(
      FILES,
      async ({ call, tree }) => {
        await call('read', { file_path: 'a.txt' });
        const { status } = await call('edit', change('a.txt', 'two', '2'));
        assert.equal(status, 'denied');
        assert.deepEqual(await tree(), BYTES);
      },
      { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    ));

  it('changes nothing when the file changes while the person decides', () => {
    let touch = () => {};
    return withTools(
      FILES,
      async ({ call, path, tree }) => {
        touch = () => writeFileSync(path('a.txt'), 'theirs two');
        await call('read', { file_path: 'a.txt' });
        const { status, text } = await call('edit', change('a.txt', 'two', '2'));
        assert.equal(status, 'failed');
        assert.match(text, /has changed since it was read/);
        assert.equal((await tree())['a.txt'], 'theirs two');
      },
      {
        mode: 'ask',
        answer: () => {
          touch();
          return { kind: 'permission', decision: 'once' };
        },
      },
    );
  });
});
