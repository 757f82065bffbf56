// Cells of notebooks in the editor: an open notebook changes before the person's eyes, a closed one on disk, and nothing else in either.
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { spliceCell } from '../../src/core/files/notebookEdit';
import { isProblem, type CellChange, type EditOutcome } from '../../src/core/host';
import type { SettingValues } from '../../src/node/settings';
import { files, startEditing, type Editing } from './editing';
import { closeAll, eventually, makeFile, onDisk } from './support';

const MAX_BYTES = 50 * 1024 * 1024;

const OUTPUT = { name: 'stdout', output_type: 'stream', text: ['3\n'] };
const NOTEBOOK = {
  cells: [
    { cell_type: 'markdown', id: 'intro', metadata: {}, source: ['# Title'] },
    { cell_type: 'code', execution_count: 3, id: 'sum', metadata: {}, outputs: [OUTPUT], source: ['print(1 + 2)'] },
  ],
  metadata: { language_info: { name: 'python' } },
  nbformat: 4,
  nbformat_minor: 5,
};
const TEXT = `${JSON.stringify(NOTEBOOK, undefined, 1)}\n`;

function apply(path: string, cell: CellChange, settings: SettingValues = {}): Promise<EditOutcome> {
  return applyBy(startEditing(settings), path, cell);
}

async function applyBy({ apply: applyChange }: Editing, path: string, cell: CellChange): Promise<EditOutcome> {
  const file = await files.text(path, MAX_BYTES);
  assert.ok(!isProblem(file));
  const splice = spliceCell(file.text, cell);
  assert.ok(splice);
  const change = { kind: 'edit', path, baseVersion: file.version, splices: [splice], cell } as const;
  return applyChange(change);
}

async function open(path: string): Promise<vscode.NotebookDocument> {
  const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
  await vscode.window.showNotebookDocument(notebook);
  return notebook;
}

/** As a person would: it is dirty afterwards. */
async function type(notebook: vscode.NotebookDocument): Promise<void> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(notebook.cellAt(0).document.uri, new vscode.Range(0, 0, 0, 7), '# Typed');
  assert.ok(await vscode.workspace.applyEdit(edit));
  await eventually('it is dirty', () => notebook.isDirty || undefined);
}

function sourcesOf(notebook: vscode.NotebookDocument): string[] {
  return notebook.getCells().map(({ document }) => document.getText());
}

async function cellsOnDisk(path: string): Promise<typeof NOTEBOOK.cells> {
  return (JSON.parse(await onDisk(path)) as typeof NOTEBOOK).cells;
}

describe('cells of notebooks in the editor', () => {
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await closeAll();
  });

  const source: CellChange = { kind: 'source', index: 1, source: 'x = 1\nprint(x)' };

  it('a closed notebook is changed as a text, to the byte', async () => {
    const path = await makeFile('n.ipynb', TEXT);
    assert.ok((await apply(path, source)).ok);
    assert.equal(await onDisk(path), TEXT.replace('    "print(1 + 2)"', '    "x = 1\\n",\n    "print(x)"'));
  });

  it('an open one changes live, keeps its outputs, is saved and undone in one step', async () => {
    const path = await makeFile('n.ipynb', TEXT);
    const notebook = await open(path);
    const outcome = await apply(path, source);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    assert.deepEqual(sourcesOf(notebook), ['# Title', 'x = 1\nprint(x)']);
    assert.equal(notebook.cellAt(1).outputs.length, 1);
    assert.equal(notebook.isDirty, false);
    const [file] = outcome.files;
    assert.deepEqual([file?.isSaved, file?.after?.version], [true, await files.version(path)]);
    const saved = await cellsOnDisk(path);
    assert.deepEqual(saved[1]?.source, ['x = 1\n', 'print(x)']);
    assert.deepEqual(saved[1]?.outputs, [OUTPUT]);
    // The editor undoes the text of a cell where the cursor is in it.
    for (const command of ['notebook.focusBottom', 'notebook.cell.edit', 'undo']) {
      await vscode.commands.executeCommand(command);
    }
    await eventually('the cell is as it was', () => sourcesOf(notebook)[1] === 'print(1 + 2)' || undefined);
  });

  it('cells come, go and change their type', async () => {
    const path = await makeFile('n.ipynb', TEXT);
    const notebook = await open(path);
    const cell = { type: 'code', language: 'python', source: 'new', id: 'fresh' } as const;
    assert.ok((await apply(path, { kind: 'insert', index: 1, cell })).ok);
    assert.deepEqual(sourcesOf(notebook), ['# Title', 'new', 'print(1 + 2)']);
    assert.ok((await apply(path, { kind: 'remove', index: 0 })).ok);
    const note = { type: 'markdown', language: 'markdown', source: 'note' } as const;
    assert.ok((await apply(path, { kind: 'type', index: 1, cell: note })).ok);
    assert.deepEqual(
      (await cellsOnDisk(path)).map(({ cell_type, id, source: text }) => [cell_type, id, text]),
      [
        ['code', 'fresh', ['new']],
        ['markdown', 'sum', ['note']],
      ],
    );
  });

  it('what the person has unsaved stays theirs to save', async () => {
    const path = await makeFile('n.ipynb', TEXT);
    const notebook = await open(path);
    await type(notebook);
    const outcome = await apply(path, source);
    assert.ok(outcome.ok, JSON.stringify(outcome));
    assert.deepEqual(sourcesOf(notebook), ['# Typed', 'x = 1\nprint(x)']);
    assert.equal(notebook.isDirty, true);
    assert.match(outcome.files[0]?.unsavedBecause ?? '', /unsaved changes of the person/);
    assert.equal(await onDisk(path), TEXT);
  });

  it('is left unsaved where the person saves themselves', async () => {
    const path = await makeFile('n.ipynb', TEXT);
    const notebook = await open(path);
    const outcome = await apply(path, source, { 'edits.save': 'never' });
    assert.ok(outcome.ok);
    assert.deepEqual([notebook.isDirty, outcome.files[0]?.isSaved], [true, false]);
    assert.match(outcome.files[0]?.unsavedBecause ?? '', /saves files themselves/);
    assert.equal(await onDisk(path), TEXT);
  });

  it('what was left unsaved is saved before the next command, and is the version that is known', async () => {
    for (const isTyping of [false, true]) {
      const path = await makeFile('n.ipynb', TEXT);
      const notebook = await open(path);
      if (isTyping) await type(notebook);
      const editing = startEditing(isTyping ? {} : { 'edits.save': 'never' });
      const outcome = await applyBy(editing, path, source);
      assert.ok(outcome.ok);
      await editing.edits.save();
      assert.equal(notebook.isDirty, false);
      const sources = (await cellsOnDisk(path)).map((cell) => cell.source.join(''));
      assert.deepEqual(sources, [isTyping ? '# Typed' : '# Title', 'x = 1\nprint(x)']);
      assert.equal(await files.version(path), outcome.files[0]?.after?.version);
      assert.equal(editing.told.length, 1);
    }
  });

  it('the person’s own changes are not saved for them', async () => {
    const path = await makeFile('n.ipynb', TEXT);
    const notebook = await open(path);
    await type(notebook);
    await startEditing().edits.save();
    assert.deepEqual([notebook.isDirty, await onDisk(path)], [true, TEXT]);
  });
});
