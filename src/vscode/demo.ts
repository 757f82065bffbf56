// The demo project: a fresh copy of it, with its bug in place, opened as a folder.
import * as vscode from 'vscode';
import type { App } from './app';

/** Asks first, since opening a folder replaces what the window shows. */
export async function openDemo(app: App): Promise<void> {
  const here = vscode.l10n.t('Open Here');
  const anew = vscode.l10n.t('Open in New Window');
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  const chosen = hasFolder
    ? await vscode.window.showInformationMessage(
        vscode.l10n.t('Open the demo project?'),
        { modal: true, detail: vscode.l10n.t('A small shop with a bug that its tests find, copied afresh each time.') },
        anew,
        here,
      )
    : here;
  if (chosen === undefined) return;
  const folder = await copyDemo(app.extensionUri, app.storageUri);
  await vscode.commands.executeCommand('vscode.openFolder', folder, { forceNewWindow: chosen === anew });
}

async function copyDemo(extensionUri: vscode.Uri, storageUri: vscode.Uri): Promise<vscode.Uri> {
  const folder = vscode.Uri.joinPath(storageUri, 'lathe-demo');
  const source = vscode.Uri.joinPath(extensionUri, 'media', 'demo');
  await vscode.workspace.fs.createDirectory(storageUri);
  await vscode.workspace.fs.copy(source, folder, { overwrite: true });
  return folder;
}
