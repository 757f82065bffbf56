// Notebooks as cells: what the format allows, and what files hold that do not keep to it.
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { findCell, parseNotebook } from '../../../../src/core/files/notebook';

interface Case {
  readonly what: string;
  readonly file: unknown;
  readonly expected: ReturnType<typeof parseNotebook>;
}

describe('T01 parseNotebook', () => {
  function check({ what, file, expected }: Case): void {
    it(what, () => assert.deepEqual(parseNotebook(JSON.stringify(file)), expected));
  }

  const python = { kernelspec: { language: 'python' } };
  check({
    what: 'reads source, outputs and the count of a code cell',
    file: {
      nbformat: 4,
      metadata: python,
      cells: [
        {
          cell_type: 'code',
          id: 'a-1',
          execution_count: 3,
          source: ['x = 1\n', 'x'],
          outputs: [
            { output_type: 'stream', name: 'stdout', text: ['one\n', 'two\n'] },
            { output_type: 'execute_result', data: { 'text/html': '<b>1</b>', 'text/plain': ['1'] } },
            { output_type: 'display_data', data: { 'image/png': 'aGk=\n', 'text/plain': '<Figure>' } },
            { output_type: 'error', ename: 'E', evalue: 'no', traceback: ['line 1', 'line 2'] },
            { output_type: 'error', ename: 'E', evalue: 'no', traceback: [] },
          ],
        },
      ],
    },
    expected: {
      language: 'python',
      cells: [
        {
          ...{ number: 1, name: 'a-1', type: 'code', language: 'python', source: 'x = 1\nx', executionCount: 3 },
          outputs: [
            { kind: 'text', text: 'one\ntwo\n' },
            { kind: 'text', text: '1' },
            { kind: 'image', text: 'image/png', data: 'aGk=' },
            { kind: 'error', text: 'line 1\nline 2' },
            { kind: 'error', text: 'E: no' },
          ],
        },
      ],
    },
  });
  check({
    what: 'tells the languages of cells apart',
    file: {
      metadata: { language_info: { name: 'julia' } },
      cells: [
        { cell_type: 'code', id: 'a', source: '', metadata: { vscode: { languageId: 'r' } } },
        { cell_type: 'code', id: 'b', source: '' },
        { cell_type: 'markdown', id: 'c', source: '# T' },
        { cell_type: 'raw', id: 'd', source: '' },
      ],
    },
    expected: {
      language: 'julia',
      cells: [
        { number: 1, name: 'a', type: 'code', language: 'r', source: '', outputs: [] },
        { number: 2, name: 'b', type: 'code', language: 'julia', source: '', outputs: [] },
        { number: 3, name: 'c', type: 'markdown', language: 'markdown', source: '# T', outputs: [] },
        { number: 4, name: 'd', type: 'raw', language: 'text', source: '', outputs: [] },
      ],
    },
  });
  check({
    what: 'names cells by their place where they have no id, one twice, or one that is none',
    file: { cells: [{ source: 'a' }, { id: 'x' }, { id: 'x' }, { id: 'a"b' }, { id: 7 }, 'no cell'] },
    expected: {
      language: 'python',
      cells: ['a', '', '', '', '', ''].map((source, at) => ({
        ...{ number: at + 1, name: `#${at + 1}`, type: 'code', language: 'python', source, outputs: [] },
      })),
    },
  });
  check({ what: 'takes format 3 for no notebook', file: { worksheets: [] }, expected: undefined });
  check({ what: 'takes a list for no notebook', file: [], expected: undefined });

  it('takes broken JSON for no notebook', () => assert.equal(parseNotebook('{"cells": ['), undefined));

  it('never throws, and each name finds its cell', () => {
    const cell = fc.record(
      {
        cell_type: fc.anything(),
        id: fc.oneof(fc.string(), fc.anything()),
        source: fc.anything(),
        outputs: fc.anything(),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(cell).map((cells) => toJson({ cells })),
        ),
        (text) => {
          const notebook = parseNotebook(text);
          for (const each of notebook?.cells ?? []) {
            assert.equal(notebook && findCell(notebook, each.name), each);
            assert.equal(notebook && findCell(notebook, `#${each.number}`), each);
          }
        },
      ),
    );
  });
});

/** Of what JSON has no word for the rest is left out. */
function toJson(value: unknown): string {
  return JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? Number(each) : each));
}
