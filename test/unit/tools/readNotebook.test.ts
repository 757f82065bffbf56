// read with notebooks: cell by cell, with ids to address them by, and outputs shortened.
import assert from 'node:assert/strict';
import { checkTool, withTools } from '../../support/toolTest';
import { png } from '../../support/pictures';

const image = png(3, 4).toString('base64');

function notebook(cells: readonly object[]): string {
  return JSON.stringify({ nbformat: 4, nbformat_minor: 5, metadata: {}, cells }, undefined, 1);
}

const code = (id: string, source: string, outputs: readonly object[] = []) => ({
  ...{ cell_type: 'code', id, execution_count: 2, metadata: {}, source, outputs },
});
const stream = (text: string) => ({ output_type: 'stream', name: 'stdout', text });
const drawn = { output_type: 'display_data', data: { 'image/png': image } };

const FILES = {
  'a.ipynb': notebook([
    { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Title\n', 'words'] },
    code('calc', 'print(1)\n', [stream('1\n')]),
    code('empty', ''),
  ]),
  'none.ipynb': notebook([]),
  'broken.ipynb': '{"cells": [\n',
  'hides.ipynb': notebook([code('a', 'x\u202e y')]),
  'long.ipynb': notebook([code('a', 'x'.repeat(21_000))]),
  'many.ipynb': notebook(Array.from({ length: 30 }, (_, at) => code(`c${at + 1}`, 'y'.repeat(3_000)))),
  'loud.ipynb': notebook([
    code(
      'a',
      'f()',
      Array.from({ length: 22 }, () => stream('z'.repeat(3_000))),
    ),
  ]),
  'fails.ipynb': notebook([
    code('a', 'f()', [
      { output_type: 'error', traceback: [`\u001b[31m${'frame '.repeat(500)}`, '\u001b[0mKeyError: 7'] },
    ]),
  ]),
  'draws.ipynb': notebook([code('a', 'plot()', [drawn])]),
};

checkTool('read', FILES, [
  {
    what: 'T01: shows a notebook cell by cell',
    input: { file_path: 'a.ipynb' },
    text: [
      '<cell id="intro" type="markdown" language="markdown">\n# Title\nwords\n</cell>',
      '<cell id="calc" type="code" language="python" run="2">\nprint(1)\n</cell>\n<output>\n1\n</output>',
      '<cell id="empty" type="code" language="python" run="2">\n</cell>',
    ].join('\n'),
    display: { kind: 'file', path: 'a.ipynb', startLine: 1, endLine: 3, totalLines: 3, unit: 'cell' },
  },
  {
    what: 'T01: offset and limit count cells',
    input: { file_path: 'a.ipynb', offset: 3, limit: 1 },
    text: '<cell id="empty" type="code" language="python" run="2">\n</cell>\n(Cells 3–3 of 3.)',
  },
  {
    what: 'T01: says where to go on in a large one',
    input: { file_path: 'many.ipynb' },
    text: /\(Cells 1–16 of 30\. Go on with offset 17\.\)$/,
  },
  {
    what: 'T01: says when a window lies behind the end',
    input: { file_path: 'a.ipynb', offset: 9 },
    text: '(There is no cell 9: the file has 3.)',
  },
  {
    what: 'T01: says when there are no cells',
    input: { file_path: 'none.ipynb' },
    text: '(The notebook has no cells.)',
  },
  {
    what: 'T01: shows a broken one as the text that it is',
    input: { file_path: 'broken.ipynb' },
    text: /^ {5}1\t\{"cells"/,
  },
  {
    what: 'S91: shows nothing that a person would not see',
    input: { file_path: 'hides.ipynb' },
    text: /\nx y\n<\/cell>\n\(1 invisible character is left out here/,
  },
  {
    what: 'T01: cuts a very long source',
    input: { file_path: 'long.ipynb' },
    text: /x… \(1000 more characters\)\n<\/cell>/,
  },
  {
    what: 'T01: shortens outputs, and their number',
    input: { file_path: 'loud.ipynb' },
    text: /z… \(1000 more characters\)\n<\/output>\n\(2 more outputs\)$/,
  },
  {
    what: 'T01: keeps the end of a traceback, without its colours',
    input: { file_path: 'fails.ipynb' },
    text: /<error>\n\(\d+ characters before\) …[^\u001b]*\nKeyError: 7\n<\/error>$/,
  },
  {
    what: 'G9: names an image for a model that sees none',
    input: { file_path: 'draws.ipynb' },
    options: { isTextOnly: true },
    text: /<output>\(image\/png, 1 KB\)<\/output>$/,
  },
  {
    what: 'R01: the same read of a notebook is answered with a pointer',
    before: [['read', { file_path: 'a.ipynb' }]],
    input: { file_path: 'a.ipynb' },
    text: 'a.ipynb has not changed since call c1 read these cells; their text is in that result.',
  },
]);

checkTool('write', FILES, [
  {
    what: 'R05: a notebook is not overwritten on the ground of its cells, which are not all of it',
    before: [['read', { file_path: 'a.ipynb' }]],
    input: { file_path: 'a.ipynb', content: '{}' },
    status: 'failed',
    text: /^Only a part of a\.ipynb was read/,
  },
]);

describe('T01 read with notebooks', () => {
  it('shows a few of the images to a model that sees', () =>
    withTools({ 'a.ipynb': notebook([code('a', 'plot()', Array(6).fill(drawn) as object[])]) }, async ({ call }) => {
      const { text, images } = await call('read', { file_path: 'a.ipynb' });
      assert.deepEqual(
        [images.map(({ data }) => data), text.match(/shown below/g)?.length, text.match(/image\/png/g)?.length],
        [Array(4).fill(image), 4, 6],
      );
    }));

  it('leaves out images that are none', () =>
    withTools(
      { 'a.ipynb': notebook([code('a', '', [{ output_type: 'display_data', data: { 'image/png': 'bm9uZQ==' } }])]) },
      async ({ call }) => {
        const { status, images } = await call('read', { file_path: 'a.ipynb' });
        assert.deepEqual([status, images], ['done', []]);
      },
    ));

  it('tries a few images only, since each that is none after all takes its time', () => {
    const huge = png(3, 4);
    huge.writeUInt32BE(5_000, 16);
    huge.writeUInt32BE(5_000, 20);
    const bomb = { output_type: 'display_data', data: { 'image/png': huge.toString('base64') } };
    const cells = [code('a', '', Array(4).fill(bomb) as object[]), code('b', '', [drawn])];
    return withTools({ 'a.ipynb': notebook(cells) }, async ({ call }) => {
      const { status, images } = await call('read', { file_path: 'a.ipynb' });
      assert.deepEqual([status, images], ['done', []]);
    });
  });

  it('takes no longer for each cell where there are very many', () => {
    const cells = Array.from({ length: 100_000 }, (_, at) => ({ id: `c${at}` }));
    return withTools({ 'a.ipynb': JSON.stringify({ metadata: {}, cells }) }, async ({ call }) => {
      const { text } = await call('read', { file_path: 'a.ipynb', offset: 99_999 });
      assert.match(text, /^<cell id="c99998" [^]*<cell id="c99999" /);
    });
  });
});
