// "Follow the agent": an edited file is shown in the editor, at its first change, while the keyboard focus stays where it is.
import * as vscode from 'vscode';
import { difference } from '../../core/edit/splices';
import type { EditedFile } from '../../core/host';
import { findDocument } from '../files/documents';
import type { Staged } from './stage';
import { toUri } from '../uris';

/** The last file of a plan is the one to see; what has gone is not shown. Never rejects: it is no part of the edit. */
export async function follow(staged: readonly Staged[], files: readonly EditedFile[]): Promise<void> {
  const at = files.findLastIndex(({ after }) => after !== undefined);
  const file = files[at];
  if (!file?.after) return;
  try {
    const cell = staged[at]?.cell;
    if (cell) {
      const { notebook, cell: change } = cell;
      const selections = [new vscode.NotebookRange(change.index, change.index + 1)];
      await vscode.window.showNotebookDocument(notebook, { preserveFocus: true, preview: true, selections });
      return;
    }
    const document = (await findDocument(file.path)) ?? (await vscode.workspace.openTextDocument(toUri(file.path)));
    const editor = await vscode.window.showTextDocument(document, { preserveFocus: true, preview: true });
    const before = staged[at]?.before ?? '';
    const { start, text } = difference(before, document.getText());
    const range = new vscode.Range(document.positionAt(start), document.positionAt(start + text.length));
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
  } catch {
    // A file that the editor cannot show, such as one that is too large.
  }
}
