// Reading in the editor what is more than text: encodings by language and by guessing, open notebooks, lines of unsaved text, and threads of our own.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { parseNotebook } from '../../src/core/files/notebook';
import { isProblem } from '../../src/core/host';
import { createMedia } from '../../src/node/media';
import { editorFiles } from '../../src/vscode/files/files';
import { png } from '../support/pictures';
import { pdf } from '../support/pdf';
import { closeAll, makeFile, show, typeAtEnd } from './support';

const MAX_BYTES = 1024 * 1024;
const NEVER = new AbortController().signal;
const files = editorFiles();

async function seen(path: string): Promise<unknown> {
  const found = await files.text(path, MAX_BYTES);
  return isProblem(found) ? found.problem : [found.text, found.encoding];
}

async function withSettings(values: Readonly<Record<string, unknown>>, use: () => Promise<void>): Promise<void> {
  const configuration = vscode.workspace.getConfiguration();
  const set = async (name: string, value: unknown) => {
    await configuration.update(name, value, vscode.ConfigurationTarget.Workspace);
  };
  for (const [name, value] of Object.entries(values)) await set(name, value);
  try {
    await use();
  } finally {
    for (const name of Object.keys(values)) await set(name, undefined);
  }
}

describe('R33 encodings as the editor has them', () => {
  afterEach(closeAll);
  const latin = Buffer.from('Grüße aus München, schöne Straße und viele Wörter\n', 'latin1');

  it('one that is set for a language holds for its files only', () =>
    withSettings({ '[ini]': { 'files.encoding': 'windows1252' } }, async () => {
      assert.deepEqual(await seen(await makeFile('a.ini', latin)), [latin.toString('latin1'), 'windows1252']);
      assert.equal(await seen(await makeFile('a.txt', latin)), 'encoding');
    }));

  it('guessing does when the person has it on', () =>
    withSettings({ 'files.autoGuessEncoding': true }, async () => {
      const [text] = (await seen(await makeFile('a.txt', latin))) as [string];
      assert.equal(text, latin.toString('latin1'));
      assert.deepEqual(await seen(await makeFile('b.txt', 'plain\n')), ['plain\n', 'utf8']);
    }));
});

describe('T01 an open notebook', () => {
  afterEach(closeAll);
  const saved = {
    cells: [
      {
        cell_type: 'code',
        execution_count: 1,
        id: 'one',
        metadata: {},
        outputs: [{ name: 'stdout', output_type: 'stream', text: ['1\n'] }],
        source: ['print(1)'],
      },
      { cell_type: 'markdown', id: 'two', metadata: {}, source: ['# T\n', 'words'] },
    ],
    metadata: { language_info: { name: 'python' } },
    nbformat: 4,
    nbformat_minor: 5,
  };

  it('with unsaved changes is read as it is in the editor, with ids and outputs; without, as it is on disk', async () => {
    const path = await makeFile('a.ipynb', JSON.stringify(saved, undefined, 1));
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    await vscode.window.showNotebookDocument(notebook);
    const clean = await files.text(path, MAX_BYTES);
    assert.ok(!isProblem(clean));
    assert.deepEqual([clean.isDirty, JSON.parse(clean.text)], [false, saved]);
    const edit = new vscode.WorkspaceEdit();
    const first = notebook.cellAt(0).document;
    edit.replace(first.uri, new vscode.Range(0, 0, 0, first.getText().length), 'print(2)\nprint(3)');
    assert.ok(await vscode.workspace.applyEdit(edit));
    const live = await files.text(path, MAX_BYTES);
    assert.ok(!isProblem(live));
    const [one, two] = parseNotebook(JSON.stringify(saved))?.cells ?? [];
    assert.deepEqual(
      [live.isDirty, live.version === clean.version, parseNotebook(live.text)?.cells],
      [true, false, [{ ...one, source: 'print(2)\nprint(3)' }, two]],
    );
  });
});

describe('R34 lines in the editor', () => {
  afterEach(closeAll);

  it('come from the unsaved text', async () => {
    const path = await makeFile('a.txt', 'one\n');
    await typeAtEnd(await show(path), 'two\nthree');
    const range = { first: 2, count: 5, lineMaxChars: 4, maxChars: 99 };
    assert.deepEqual(await files.lines(path, range, NEVER), {
      lines: [
        { text: 'two', moreBytes: 0 },
        { text: 'thre', moreBytes: 1 },
      ],
      total: 3,
      isDirty: true,
    });
  });
});

describe('G9 threads in the editor', () => {
  it('take the text out of a PDF', async () => {
    assert.deepEqual(await createMedia().pdfText(pdf(['words']), NEVER), { pages: ['words'], pageCount: 1 });
  });

  it('scale a picture down', async () => {
    const bounds = { maxSidePixels: 100, maxBytes: 100_000, orientation: 1 };
    const image = await createMedia().shrinkImage(png(1_000, 500), bounds, NEVER);
    assert.ok(!isProblem(image), JSON.stringify(image));
    assert.deepEqual([image.width, image.height, image.mediaType], [100, 50, 'image/png']);
  });
});
