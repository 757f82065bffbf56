// Checkpoints in the editor: a restore gives back disk and buffer alike, what was unsaved is unsaved again, and nothing of the person's goes.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { spliceCell } from '../../src/core/files/notebookEdit';
import { isProblem, type FileChange, type Host } from '../../src/core/host';
import { createNodeHost } from '../../src/node/host';
import { editorEdits } from '../../src/vscode/edits/edits';
import { editorFiles } from '../../src/vscode/files/files';
import { createHistory, type History } from '../support/history';
import { closeAll, eventually, makeFile, onDisk, show, typeAtEnd, workspaceFolder } from './support';

const MAX_BYTES = 1024 * 1024;

/** A session over the file's own folder, with the editor's files and edits. */
async function withFile(
  content: string | Uint8Array,
  use: (history: History & { readonly file: string; readonly name: string; readonly host: Host }) => Promise<void>,
  named = 'a.txt',
): Promise<void> {
  const file = await makeFile(named, content);
  const storeDir = await mkdtemp(join(tmpdir(), 'lathe-checkpoint-'));
  const node = createNodeHost({ roots: [workspaceFolder()], storeDir });
  const files = editorFiles();
  const host = { ...node, files, edits: editorEdits({ files, settings: node.settings, onApplied: () => {} }) };
  const { flush, ...history } = createHistory(host, (relative) => join(dirname(file), relative));
  try {
    await use({ ...history, file, name: basename(file), host });
  } finally {
    await flush();
    await rm(storeDir, { recursive: true, force: true });
  }
}

/** The agent replaces the one place where `old` is. */
async function replace({ edit, file, host }: History & { file: string; host: Host }, old: string, text: string) {
  const current = await host.files.text(file, MAX_BYTES);
  assert.ok(!isProblem(current));
  const start = current.text.indexOf(old);
  const splices = [{ start, end: start + old.length, text }];
  const outcome = await edit({ kind: 'edit', path: file, baseVersion: current.version, splices });
  assert.equal(outcome.ok, true, outcome.ok ? '' : outcome.reason);
}

interface Seen {
  readonly disk: string;
  readonly buffer: string;
  readonly isDirty: boolean;
}

/** The editor follows the disk a moment later. */
function shows(document: vscode.TextDocument, expected: Seen): Promise<true> {
  return eventually(`the document is ${JSON.stringify(expected)}`, async () => {
    const seen = { disk: await onDisk(document.uri.fsPath), buffer: document.getText(), isDirty: document.isDirty };
    return JSON.stringify(seen) === JSON.stringify(expected) || undefined;
  });
}

async function restore(history: History, turn: string, include: readonly string[] = []): Promise<void> {
  const outcome = await history.changes().checkpoints.restore(turn, include);
  assert.equal(outcome.ok, true, outcome.ok ? '' : outcome.reason);
}

async function undo(history: History): Promise<void> {
  const outcome = await history.changes().checkpoints.undo([]);
  assert.equal(outcome.ok, true, outcome.ok ? '' : outcome.reason);
}

describe('checkpoints in the editor', () => {
  afterEach(closeAll);

  it('R36 an open file, after a restart', () =>
    withFile('one\r\ntwo', async (history) => {
      const { document } = await show(history.file);
      const first = history.turn();
      await replace(history, 'one', '1');
      await history.reopen();
      await restore(history, first);
      await shows(document, { disk: 'one\r\ntwo', buffer: 'one\r\ntwo', isDirty: false });
      await history.reopen();
      await undo(history);
      await shows(document, { disk: '1\r\ntwo', buffer: '1\r\ntwo', isDirty: false });
    }));

  it('R36 unsaved text is unsaved again', () =>
    withFile('one\n', async (history) => {
      const editor = await show(history.file);
      await typeAtEnd(editor, 'mine\n');
      const first = history.turn();
      await replace(history, 'one', '1');
      await shows(editor.document, { disk: 'one\n', buffer: '1\nmine\n', isDirty: true });
      await restore(history, first);
      await shows(editor.document, { disk: 'one\n', buffer: 'one\nmine\n', isDirty: true });
      await undo(history);
      await shows(editor.document, { disk: 'one\n', buffer: '1\nmine\n', isDirty: true });
    }));

  it('R36 unsaved text that the person has saved since with the edit in it', () =>
    withFile('one\n', async (history) => {
      const editor = await show(history.file);
      await typeAtEnd(editor, 'mine\n');
      const first = history.turn();
      await replace(history, 'one', '1');
      await editor.document.save();
      await restore(history, first);
      await shows(editor.document, { disk: 'one\n', buffer: 'one\nmine\n', isDirty: true });
      await undo(history);
      await shows(editor.document, { disk: '1\nmine\n', buffer: '1\nmine\n', isDirty: false });
    }));

  it('complaint 34: what the person is typing is kept unless chosen', () =>
    withFile('one\n', async (history) => {
      const editor = await show(history.file);
      const first = history.turn();
      await replace(history, 'one', '1');
      await typeAtEnd(editor, 'mine\n');
      const { files } = await history.changes().checkpoints.preview(first);
      assert.deepEqual(
        files.map(({ state }) => state),
        ['changed'],
      );
      await restore(history, first);
      await shows(editor.document, { disk: '1\n', buffer: '1\nmine\n', isDirty: true });
      await restore(history, first, [history.file]);
      await shows(editor.document, { disk: 'one\n', buffer: 'one\n', isDirty: false });
      await undo(history);
      await shows(editor.document, { disk: '1\n', buffer: '1\nmine\n', isDirty: true });
    }));

  it('R36 bytes of another encoding, and permissions', () =>
    withFile(Buffer.from('\ufeffhé\r\n', 'utf16le'), async (history) => {
      const before = await readFile(history.file);
      const { mode } = await stat(history.file);
      const first = history.turn();
      await replace(history, 'hé', 'ho');
      await history.agent(history.name, undefined);
      await restore(history, first);
      assert.deepEqual(await readFile(history.file), before);
      assert.equal((await stat(history.file)).mode, mode);
    }));

  it('R36 made, moved and deleted', () =>
    withFile('one\n', async (history) => {
      const first = history.turn();
      await history.move(history.name, 'b.txt');
      await history.agent('sub/c.txt', 'made\n');
      await restore(history, first);
      assert.equal(await onDisk(history.file), 'one\n');
      assert.equal(
        await history
          .changes()
          .checkpoints.preview(first)
          .then(({ files }) => files.every(({ state }) => state === 'same')),
        true,
      );
      await undo(history);
      assert.equal(await onDisk(history.path('b.txt')), 'one\n');
      assert.equal(await onDisk(history.path('sub/c.txt')), 'made\n');
    }));

  const NOTEBOOK = {
    cells: [
      { cell_type: 'markdown', id: 'a', metadata: {}, source: ['first'] },
      {
        ...{ cell_type: 'code', execution_count: 1, id: 'b', metadata: {} },
        outputs: [
          { name: 'stdout', output_type: 'stream', text: ['3\n'] },
          { data: { 'text/plain': ['3'] }, execution_count: 1, metadata: { m: 1 }, output_type: 'execute_result' },
          { ename: 'E', evalue: 'v', output_type: 'error', traceback: ['at 1'] },
        ],
        source: ['one'],
      },
    ],
    metadata: { language_info: { name: 'python' } },
    ...{ nbformat: 4, nbformat_minor: 5 },
  };

  it('R36 a notebook with unsaved cells, to the byte on disk and cell by cell in the editor', () =>
    withFile(
      `${JSON.stringify(NOTEBOOK)}\n`,
      async (history) => {
        const { file, host } = history;
        const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
        await vscode.window.showNotebookDocument(notebook);
        const typing = new vscode.WorkspaceEdit();
        typing.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), 'mine ');
        assert.ok(await vscode.workspace.applyEdit(typing));
        const unsaved = await eventually('it has unsaved changes', () => textIfDirty(host, file));
        const first = history.turn();
        const outcome = await history.edit(await changingCell(host, file, 'two'));
        assert.equal(outcome.ok, true, outcome.ok ? '' : outcome.reason);
        const edited = await eventually('it is changed', () => textIfDirty(host, file));
        assert.match(edited, /mine first[^]*"two"/);

        await restore(history, first);
        const was = `${JSON.stringify(NOTEBOOK)}\n`;
        assert.deepEqual([await onDisk(file), await textIfDirty(host, file)], [was, unsaved]);
        assert.equal(notebook.cellAt(1).outputs.length, 3);
        await undo(history);
        assert.deepEqual([await onDisk(file), await textIfDirty(host, file)], [was, edited]);
        await notebook.save();
        await restore(history, first);
        assert.deepEqual([await onDisk(file), await textIfDirty(host, file)], [was, unsaved]);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      },
      'n.ipynb',
    ));
});

async function textIfDirty({ files }: Host, path: string): Promise<string | undefined> {
  const file = await files.text(path, MAX_BYTES);
  return !isProblem(file) && file.isDirty ? file.text : undefined;
}

/** The second cell's source becomes this. */
async function changingCell({ files }: Host, path: string, source: string): Promise<FileChange> {
  const file = await files.text(path, MAX_BYTES);
  assert.ok(!isProblem(file));
  const cell = { kind: 'source', index: 1, source } as const;
  const splice = spliceCell(file.text, cell);
  assert.ok(splice);
  return { kind: 'edit', path, baseVersion: file.version, splices: [splice], cell };
}
