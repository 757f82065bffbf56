// A change of one cell in a notebook that is open as such: through the notebook itself, so that it is seen at once, undone in one step, and keeps its outputs.
import * as vscode from 'vscode';
import { smallest } from '../../core/edit/splices';
import { parseNotebook } from '../../core/files/notebook';
import { isProblem, type CellChange, type FileChange, type Files, type NewCell } from '../../core/host';
import type { Step } from './land';
import { openNotebook } from '../files/notebooks';
import { changed, type Refusal, type Staged } from './stage';

export interface StagedCell {
  readonly notebook: vscode.NotebookDocument;
  readonly cell: CellChange;
}

/** Undefined when it is no cell that changes, or the file is not open as a notebook: then it is changed as a text. */
export async function stageCell(
  change: FileChange,
  files: Files,
  maxBytes: number,
): Promise<Staged | Refusal | undefined> {
  if (change.kind !== 'edit' || !change.cell) return undefined;
  const { path, cell } = change;
  const notebook = openNotebook(path);
  if (!notebook) return undefined;
  if (change.real !== undefined && (await files.realPath(path)) !== change.real) {
    return { refusal: `${path} leads somewhere else by now. Read it again.` };
  }
  const current = await files.text(path, maxBytes);
  if (isProblem(current)) return { refusal: current.message };
  if (current.version !== change.baseVersion || !showsCellsOf(notebook, current.text)) return changed(path);
  const staged = { change, uri: notebook.uri, where: 'cells', wasDirty: notebook.isDirty } as const;
  return { ...staged, before: current.text, cell: { notebook, cell } };
}

/** What the model has read is what the notebook shows: the file may be ahead of it for a moment. */
export function showsCellsOf(notebook: vscode.NotebookDocument, text: string): boolean {
  const cells = parseNotebook(text)?.cells;
  return (
    cells?.length === notebook.cellCount &&
    cells.every(({ source }, at) => source === notebook.cellAt(at).document.getText().replaceAll('\r\n', '\n'))
  );
}

/** Applies what was staged for notebooks. */
export async function applyToCells(staged: readonly Staged[], undo: Step[]): Promise<Refusal | undefined> {
  for (const { cell: target, before, change, wasDirty } of staged) {
    if (!target || before === undefined) continue;
    const { notebook, cell } = target;
    const edit = editOf(notebook, cell);
    // Nothing is awaited from this look to applyEdit.
    if (!showsCellsOf(notebook, before)) return changed(change.path);
    const putBack = reversal(notebook, cell);
    if (!(await vscode.workspace.applyEdit(edit)))
      return { refusal: `The editor refused the change of ${change.path}.` };
    undo.push(async () => {
      if (!(await vscode.workspace.applyEdit(putBack()))) throw new Error(`${change.path} could not be put back`);
      if (!wasDirty) await notebook.save();
    });
  }
  return undefined;
}

/** Extensions follow a change of cells with their own a moment later (an execution count goes): how long none may come, in milliseconds. */
const QUIET_MS = 150;
const QUIET_LIMIT_MS = 2_000;

export async function comesToRest(notebook: vscode.NotebookDocument): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let limit: NodeJS.Timeout | undefined;
  let listener: vscode.Disposable | undefined;
  await new Promise<void>((resolve) => {
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(resolve, QUIET_MS);
    };
    wait();
    limit = setTimeout(resolve, QUIET_LIMIT_MS);
    listener = vscode.workspace.onDidChangeNotebookDocument((event) => event.notebook === notebook && wait());
  });
  clearTimeout(timer);
  clearTimeout(limit);
  listener?.dispose();
}

function editOf(notebook: vscode.NotebookDocument, change: CellChange): vscode.WorkspaceEdit {
  const edit = new vscode.WorkspaceEdit();
  const { index } = change;
  if (change.kind === 'source') {
    const { document } = notebook.cellAt(index);
    const before = document.getText();
    const source = document.eol === vscode.EndOfLine.CRLF ? change.source.replaceAll('\n', '\r\n') : change.source;
    const { start, end, text } = smallest({ start: 0, end: before.length, text: source }, before);
    edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
    return edit;
  }
  const one = new vscode.NotebookRange(index, index + 1);
  if (change.kind === 'remove') edit.set(notebook.uri, [vscode.NotebookEdit.deleteCells(one)]);
  if (change.kind === 'insert') edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(index, [dataOf(change.cell)])]);
  if (change.kind === 'type') {
    const { metadata } = notebook.cellAt(index);
    edit.set(notebook.uri, [vscode.NotebookEdit.replaceCells(one, [{ ...dataOf(change.cell), metadata }])]);
  }
  return edit;
}

function dataOf({ type, language, source, id }: NewCell): vscode.NotebookCellData {
  const kind = type === 'markdown' ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
  const data = new vscode.NotebookCellData(kind, source, language);
  if (id !== undefined) data.metadata = { id };
  return data;
}

/** How to put it back; looked at before the change is made. */
function reversal(notebook: vscode.NotebookDocument, change: CellChange): () => vscode.WorkspaceEdit {
  const { index } = change;
  if (change.kind === 'source') {
    const source = notebook.cellAt(index).document.getText().replaceAll('\r\n', '\n');
    return () => editOf(notebook, { kind: 'source', index, source });
  }
  const old = change.kind === 'insert' ? [] : [copyOf(notebook.cellAt(index))];
  const now = new vscode.NotebookRange(index, change.kind === 'remove' ? index : index + 1);
  const edit = new vscode.WorkspaceEdit();
  edit.set(notebook.uri, [vscode.NotebookEdit.replaceCells(now, old)]);
  return () => edit;
}

function copyOf({ kind, document, metadata, outputs, executionSummary }: vscode.NotebookCell): vscode.NotebookCellData {
  const data = new vscode.NotebookCellData(kind, document.getText(), document.languageId);
  data.metadata = metadata;
  data.outputs = [...outputs];
  if (executionSummary) data.executionSummary = executionSummary;
  return data;
}
