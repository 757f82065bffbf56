// Bytes put back under a document that has unsaved changes, or is to have some: buffer and disk change together.
import * as vscode from 'vscode';
import { difference } from '../../core/edit/splices';
import type { EditPlan, Edits } from '../../core/host';
import { isProblem } from '../../core/host';
import { createFiles, versionOf } from '../../node/files';
import { decodeText } from '../../node/text';
import { followsDisk } from '../files/documents';
import { putBack, refusalOnDisk, type Step } from './land';
import { saveDocument } from './save';
import { changed, type Refusal, type Staged } from './stage';

const diskFiles = createFiles();

/** One after another: of each the buffer first takes the text of the bytes, so that the disk is no conflict to it. */
export async function applyToBuffers(
  plan: EditPlan,
  staged: readonly Staged[],
  disk: Edits,
  undo: Step[],
): Promise<Refusal | undefined> {
  for (const one of staged) {
    undo.push(() => putBackBoth(plan, one, disk));
    const refusal = await putBoth(plan, one, disk);
    if (refusal) return refusal;
  }
  return undefined;
}

async function putBoth(plan: EditPlan, staged: Staged, disk: Edits): Promise<Refusal | undefined> {
  const { change, uri, before, version, wasDirty } = staged;
  if (change.kind !== 'put') return undefined;
  const { path, bytes, unsaved } = change;
  const isOnDisk = version === versionOf(bytes);
  if (staged.document && wasDirty) {
    if (staged.document.getText() !== before) return changed(path);
    if (!isOnDisk || unsaved === undefined) {
      const refusal = await saveAs(staged.document, bytes, path);
      if (refusal) return refusal;
    }
  }
  const refusal = await putExactly(plan, staged, disk);
  if (refusal || unsaved === undefined) return refusal;
  const document = staged.document ?? (await vscode.workspace.openTextDocument(uri));
  return setText(document, unsaved, path);
}

/** Saved as what the bytes say, the document is clean, and follows when a formatter made other bytes of it. */
async function saveAs(document: vscode.TextDocument, bytes: Uint8Array, path: string): Promise<Refusal | undefined> {
  const text = await textOf(bytes, document);
  if (text === undefined) return { refusal: `${path} is open with unsaved changes and would be no text any more.` };
  const refusal = await setText(document, text, path);
  if (refusal) return refusal;
  const saved = await saveDocument(document);
  return saved === 'saved' ? undefined : { refusal: `${path} could not be saved in the editor.` };
}

async function textOf(bytes: Uint8Array, { encoding }: vscode.TextDocument): Promise<string | undefined> {
  if (!encoding.startsWith('utf')) return vscode.workspace.decode(bytes, { encoding });
  const decoded = decodeText(bytes);
  return isProblem(decoded) ? undefined : decoded.text;
}

async function setText(document: vscode.TextDocument, text: string, path: string): Promise<Refusal | undefined> {
  const whole = difference(document.getText(), text);
  if (whole.start === whole.end && whole.text === '') return undefined;
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(whole.start), document.positionAt(whole.end));
  edit.replace(document.uri, range, whole.text);
  return (await vscode.workspace.applyEdit(edit)) ? undefined : changed(path);
}

async function putExactly(plan: EditPlan, staged: Staged, disk: Edits): Promise<Refusal | undefined> {
  const { change, document, isNew } = staged;
  if (change.kind !== 'put') return undefined;
  const { path, bytes, mode } = change;
  const now = isNew ? undefined : await diskFiles.version(path);
  if (now === versionOf(bytes) && mode === undefined) return undefined;
  const base = typeof now === 'string' ? { baseVersion: now } : {};
  const put = { kind: 'put', path, bytes, ...(mode !== undefined && { mode }), ...base } as const;
  const outcome = await disk.apply({ ...plan, changes: [put] });
  if (!outcome.ok) return refusalOnDisk(outcome);
  const text = document && (await textOf(bytes, document));
  if (document && text !== undefined) await followsDisk(document, text);
  return undefined;
}

async function putBackBoth(plan: EditPlan, staged: Staged, disk: Edits): Promise<void> {
  const { change, document, before, wasDirty, version } = staged;
  if (!staged.isNew && version !== (await diskFiles.version(change.path))) await putBack(plan, staged, disk);
  if (!document || !wasDirty || before === undefined) return;
  const refusal = await setText(document, before, change.path);
  if (refusal) throw new Error(refusal.refusal);
}
