// Bytes put back under a notebook that has unsaved changes, or is to have some: its cells and the disk change together.
import * as vscode from 'vscode';
import { isProblem, type EditPlan, type Edits, type Path } from '../../core/host';
import { createFiles, versionOf } from '../../node/files';
import { decodeText } from '../../node/text';
import { showsCellsOf } from './cells';
import { refusalOnDisk, type Step } from './land';
import { cellsOf, dirtyNotebook, notebookJson, openNotebook } from '../files/notebooks';
import { saveDocument } from './save';
import { changed, type Refusal, type Staged } from './stage';

const diskFiles = createFiles();

/** What a notebook's file holds, and what the notebook itself shows over it. */
interface Content {
  readonly bytes: Uint8Array;
  readonly mode?: number;
  readonly unsaved?: string;
}

export async function applyToNotebooks(
  plan: EditPlan,
  staged: readonly Staged[],
  disk: Edits,
  undo: Step[],
): Promise<Refusal | undefined> {
  for (const { change, before, bytes, wasDirty } of staged) {
    if (change.kind !== 'put') continue;
    const { path } = change;
    const notebook = dirtyNotebook(path);
    if (wasDirty && (!notebook || notebookJson(notebook) !== before)) return changed(path);
    if (bytes) {
      const old: Content = { bytes, ...(wasDirty && before !== undefined && { unsaved: before }) };
      undo.push(async () => {
        const refusal = await put(plan, path, old, disk);
        if (refusal) throw new Error(refusal.refusal);
      });
    }
    const refusal = await put(plan, path, change, disk);
    if (refusal) return refusal;
  }
  return undefined;
}

/** The notebook is saved first, since only a clean one follows the disk. */
async function put(
  { label, call }: EditPlan,
  path: Path,
  { bytes, mode, unsaved }: Content,
  disk: Edits,
): Promise<Refusal | undefined> {
  const dirty = dirtyNotebook(path);
  if (dirty && (await saveDocument(dirty)) !== 'saved') return { refusal: `${path} could not be saved in the editor.` };
  const now = await diskFiles.version(path);
  if (now !== versionOf(bytes) || mode !== undefined) {
    const base = typeof now === 'string' ? { baseVersion: now } : {};
    const change = { kind: 'put', path, bytes, ...(mode !== undefined && { mode }), ...base } as const;
    const outcome = await disk.apply({ label, call, changes: [change] });
    if (!outcome.ok) return refusalOnDisk(outcome);
  }
  const decoded = decodeText(bytes);
  const open = openNotebook(path);
  if (open && !isProblem(decoded) && !(await follows(open, decoded.text))) {
    return { refusal: `${path} was put back on disk, but the editor does not show it so.` };
  }
  return unsaved === undefined ? undefined : setCells(path, unsaved);
}

async function setCells(path: Path, text: string): Promise<Refusal | undefined> {
  const cells = cellsOf(text);
  if (!cells) return { refusal: `What ${path} had unsaved is no notebook that can be read.` };
  const notebook = openNotebook(path) ?? (await vscode.workspace.openNotebookDocument(vscode.Uri.file(path)));
  const edit = new vscode.WorkspaceEdit();
  const all = new vscode.NotebookRange(0, notebook.cellCount);
  edit.set(notebook.uri, [vscode.NotebookEdit.replaceCells(all, cells)]);
  return (await vscode.workspace.applyEdit(edit)) ? undefined : changed(path);
}

/** How long the editor may take to follow the disk, and between two looks, in milliseconds. */
const FOLLOW_LIMIT_MS = 5_000;
const LOOK_MS = 50;

async function follows(notebook: vscode.NotebookDocument, text: string): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < FOLLOW_LIMIT_MS; waitedMs += LOOK_MS) {
    if (showsCellsOf(notebook, text)) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return showsCellsOf(notebook, text);
}
