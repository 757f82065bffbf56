// notebookedit: one cell changes, and not a byte of the others.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import fc from 'fast-check';
import type { JsonObject } from '../../../src/common/json';
import { applySplices } from '../../../src/core/edit/lines';
import { sourceLines, spliceCell } from '../../../src/core/files/notebookEdit';
import { parseNotebook } from '../../../src/core/files/notebook';
import type { CellChange } from '../../../src/core/host';
import { checkTool, withTools } from '../../support/toolTest';

/** As Jupyter writes it: one blank a level, names in order, text escaped as little as possible. */
const NOTEBOOK = `{
 "cells": [
  {
   "cell_type": "markdown",
   "id": "intro",
   "metadata": {},
   "source": [
    "# Tïtle\\n",
    "caf\\u00e9"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": 3,
   "id": "sum",
   "metadata": {"tags": ["a"],   "odd":1e0},
   "outputs": [
    {"name": "stdout", "output_type": "stream", "text": ["3\\n"]}
   ],
   "source": [
    "print(1 + 2)"
   ]
  },
  {
   "cell_type": "code",
   "execution_count": null,
   "id": "empty",
   "metadata": {},
   "outputs": [],
   "source": []
  }
 ],
 "metadata": {
  "language_info": {
   "name": "python"
  }
 },
 "nbformat": 4,
 "nbformat_minor": 5
}
`;
const FILES = { 'n.ipynb': NOTEBOOK, 'a.txt': 'a' };
const readIt = ['read', { file_path: 'n.ipynb' }] as const;
const edit = (input: JsonObject) => ({ file_path: 'n.ipynb', ...input });
const withText = (from: string, to: string) => {
  assert.equal(NOTEBOOK.split(from).length, 2);
  return { 'n.ipynb': NOTEBOOK.replace(from, () => to), 'a.txt': 'a' };
};

checkTool('notebookedit', FILES, [
  {
    what: 'replaces a source; outputs, metadata and what is escaped elsewhere stay',
    before: [readIt],
    input: edit({ cell_id: 'sum', new_source: 'x = 1\nprint(x)' }),
    text: 'Replaced cell 2 (sum) of n.ipynb (+2 −1).',
    display: {
      kind: 'diff',
      files: [
        {
          ...{ path: 'n.ipynb', change: 'edited', added: 2, removed: 1 },
          hunks: [
            {
              ...{ oldStart: 1, newStart: 1 },
              lines: [
                { sign: '-', text: 'print(1 + 2)' },
                { sign: '+', text: 'x = 1' },
                { sign: '+', text: 'print(x)' },
              ],
            },
          ],
        },
      ],
    },
    after: withText('    "print(1 + 2)"\n', '    "x = 1\\n",\n    "print(x)"\n'),
  },
  {
    what: 'lines that stay are written as they were',
    before: [readIt],
    input: edit({ cell_id: 'intro', new_source: '# Title\ncafé' }),
    text: /^Replaced cell 1 \(intro\)/,
    after: withText('# Tïtle', '# Title'),
  },
  {
    what: 'fills an empty cell',
    before: [readIt],
    input: edit({ cell_id: '#3', new_source: 'y' }),
    text: /^Replaced cell 3 \(empty\)/,
    after: withText('"source": []', '"source": [\n    "y"\n   ]'),
  },
  {
    what: 'empties a cell',
    before: [readIt],
    input: edit({ cell_id: 'sum', new_source: '' }),
    text: /^Replaced cell 2/,
    after: withText('[\n    "print(1 + 2)"\n   ]', '[]'),
  },
  {
    what: 'deletes a cell',
    before: [readIt],
    input: edit({ cell_id: 'empty', edit_mode: 'delete' }),
    text: 'Deleted cell 3 (empty) of n.ipynb (+0 −0).',
    after: {
      'n.ipynb': NOTEBOOK.replace(/,\n {2}\{\n {3}"cell_type": "code",\n {3}"execution_count": null[^]*?\n {2}\}/, ''),
      'a.txt': 'a',
    },
  },
  {
    what: 'deletes the first cell',
    before: [readIt],
    input: edit({ cell_id: 'intro', edit_mode: 'delete' }),
    text: /^Deleted cell 1/,
    after: { 'n.ipynb': NOTEBOOK.replace(/\{\n {3}"cell_type": "markdown"[^]*?\n {2}\},\n {2}/, ''), 'a.txt': 'a' },
  },
  {
    what: 'makes another type of it: what that cannot have goes',
    before: [readIt],
    input: edit({ cell_id: 'sum', cell_type: 'markdown', new_source: 'Three' }),
    text: 'Replaced cell 2 (sum), now markdown, of n.ipynb (+1 −1).',
    after: {
      'n.ipynb': NOTEBOOK.replace(
        /"cell_type": "code",\n {3}"execution_count": 3[^]*?"print\(1 \+ 2\)"\n {3}\]/,
        '"cell_type": "markdown",\n   "id": "sum",\n   "metadata": {\n    "tags": [\n     "a"\n    ],\n    "odd": 1\n   },\n   "source": [\n    "Three"\n   ]',
      ),
      'a.txt': 'a',
    },
  },
  {
    what: 'asks before it does so',
    before: [readIt],
    input: edit({ cell_id: 'sum', new_source: 'x' }),
    status: 'denied',
    text: /declined/,
    options: { mode: 'ask', answer: () => ({ kind: 'permission', decision: 'deny' }) },
    after: FILES,
  },
  {
    what: 'is denied in Plan',
    before: [readIt],
    input: edit({ cell_id: 'sum', new_source: 'x' }),
    status: 'denied',
    text: /Plan mode/,
    options: { mode: 'plan' },
  },
  {
    what: 'R05: needs a read',
    input: edit({ cell_id: 'sum', new_source: 'x' }),
    status: 'failed',
    text: 'Read n.ipynb first: its current text must be known before it is changed.',
    after: FILES,
  },
  {
    what: 'R06: refuses what has changed since',
    before: [readIt],
    meanwhile: ({ path }) => writeFile(path('n.ipynb'), NOTEBOOK.replace('1 + 2', '2 + 2')),
    input: edit({ cell_id: 'sum', new_source: 'x' }),
    status: 'failed',
    text: 'n.ipynb has changed since it was read. Read it again.',
  },
  {
    what: 'R03: refuses what has left the conversation',
    before: [readIt],
    meanwhile: async ({ reads }) => reads.markPruned(new Set(['c1'])),
    input: edit({ cell_id: 'sum', new_source: 'x' }),
    status: 'failed',
    text: /has left the conversation/,
  },
  {
    what: 'lists the cells there are',
    before: [readIt],
    input: edit({ cell_id: 'summ', new_source: 'x' }),
    status: 'failed',
    text: 'There is no cell "summ". There are: intro, sum, empty.',
  },
  {
    what: 'refuses what changes nothing',
    before: [readIt],
    input: edit({ cell_id: 'sum', new_source: 'print(1 + 2)' }),
    status: 'failed',
    text: 'Nothing would change: the cell is like that already.',
  },
  {
    what: 'needs a cell to replace',
    input: edit({ new_source: 'x' }),
    status: 'failed',
    text: 'To replace a cell name it by cell_id.',
  },
  {
    what: 'needs a source to replace it with',
    input: edit({ cell_id: 'sum' }),
    status: 'failed',
    text: 'To replace a cell give new_source. To take a cell away set edit_mode to delete.',
  },
  {
    what: 'is for notebooks only',
    before: [['read', { file_path: 'a.txt' }]],
    input: { file_path: 'a.txt', cell_id: '#1', new_source: 'x' },
    status: 'failed',
    text: 'a.txt is no notebook (.ipynb). Use edit.',
  },
  {
    what: 'leaves other formats alone',
    files: { 'n.ipynb': '{"worksheets": []}' },
    before: [readIt],
    input: edit({ cell_id: '#1', new_source: 'x' }),
    status: 'failed',
    text: 'n.ipynb is no notebook of format 4. Use edit on its JSON.',
  },
]);

describe('notebookedit', () => {
  it('inserts a cell with an id of its own, after another and at the top, and knows what it wrote', () =>
    withTools(FILES, async ({ call, tree }) => {
      await call('read', { file_path: 'n.ipynb' });
      const first = await call('notebookedit', edit({ cell_id: 'sum', edit_mode: 'insert', new_source: 'a = 1\n' }));
      assert.match(first.text, /^Inserted cell 3 \([\w-]{1,64}\) of n\.ipynb \(\+1 −0\)\.$/);
      const second = await call('notebookedit', edit({ edit_mode: 'insert', new_source: 'Hi', cell_type: 'markdown' }));
      assert.equal(second.status, 'done');
      const text = (await tree())['n.ipynb'] ?? '';
      const cells = parseNotebook(text)?.cells.map(({ type, source }) => [type, source]);
      assert.deepEqual(cells, [
        ['markdown', 'Hi'],
        ['markdown', '# Tïtle\ncafé'],
        ['code', 'print(1 + 2)'],
        ['code', 'a = 1\n'],
        ['code', ''],
      ]);
      const added =
        /\n {2}\{\n {3}"cell_type": "markdown",\n {3}"id": "[\w-]+",\n {3}"metadata": \{\},\n {3}"source": \[\n {4}"Hi"\n {3}\]\n {2}\},/;
      assert.match(text, added);
      const ids = parseNotebook(text)?.cells.map(({ name }) => name) ?? [];
      assert.equal(new Set(ids).size, 5);
    }));

  it('reads what it wrote as read', () =>
    withTools(FILES, async ({ call }) => {
      await call('read', { file_path: 'n.ipynb' });
      await call('notebookedit', edit({ cell_id: 'sum', new_source: 'x' }));
      assert.equal((await call('NotebookEdit', edit({ cell_id: 'sum', new_source: 'y' }))).status, 'done');
    }));
});

const STYLES: Readonly<Record<string, (json: unknown) => string>> = {
  'one blank': (json) => `${JSON.stringify(json, undefined, 1)}\n`,
  'four blanks': (json) => JSON.stringify(json, undefined, 4),
  tabs: (json) => JSON.stringify(json, undefined, '\t'),
  CRLF: (json) => `${JSON.stringify(json, undefined, 1)}\n`.replaceAll('\n', '\r\n'),
  'one line': (json) => JSON.stringify(json),
};
const source = fc
  .array(fc.string({ unit: 'grapheme', maxLength: 8 }), { maxLength: 4 })
  .map((lines) => lines.join('\n'));
const notebook = fc.record({
  sources: fc.array(source, { maxLength: 4 }),
  style: fc.constantFrom(...Object.keys(STYLES)),
  isList: fc.boolean(),
});

describe('spliceCell', () => {
  it('changes the one cell and nothing else, in the way the file is written, over any notebook', () =>
    fc.assert(
      fc.property(
        notebook,
        fc.nat(),
        source,
        fc.constantFrom('source', 'insert', 'remove'),
        (given, at, text, kind) => {
          const { sources, isList } = given;
          const cells = sources.map((each, number) => ({
            ...{ cell_type: 'code', execution_count: number, metadata: { n: number }, outputs: [] },
            source: isList ? sourceLines(each) : each,
          }));
          const file = (STYLES[given.style] ?? JSON.stringify)({ cells, metadata: {}, nbformat: 4, nbformat_minor: 4 });
          const index = at % (sources.length + (kind === 'insert' ? 1 : 0) || 1);
          const change: CellChange =
            kind === 'insert'
              ? { kind, index, cell: { type: 'code', language: 'python', source: text } }
              : kind === 'source'
                ? { kind, index, source: text }
                : { kind: 'remove', index };
          const splice = spliceCell(file, change);
          if (kind !== 'insert' && sources.length === 0) return assert.equal(splice, undefined);
          assert.ok(splice);
          const after = applySplices(file, [splice]);
          const expected = [...cells];
          if (kind === 'remove') expected.splice(index, 1);
          const written = isList || sources.length === 0 ? sourceLines(text) : text;
          if (kind === 'source') expected[index] = { ...expected[index], source: written } as never;
          if (kind === 'insert') {
            expected.splice(index, 0, {
              ...{ cell_type: 'code', execution_count: null, metadata: {}, outputs: [], source: written },
            } as never);
          }
          assert.deepEqual(JSON.parse(after), { cells: expected, metadata: {}, nbformat: 4, nbformat_minor: 4 });
          const [head, tail] = [file.slice(0, splice.start), file.slice(splice.end)];
          assert.ok(after.startsWith(head) && after.endsWith(tail));
          // The same as a program that writes the whole file would have written it.
          if (cells.length > 0) {
            const whole = { cells: expected, metadata: {}, nbformat: 4, nbformat_minor: 4 };
            if (expected.length > 0) assert.equal(after, (STYLES[given.style] ?? JSON.stringify)(whole));
          }
        },
      ),
    ));
});
