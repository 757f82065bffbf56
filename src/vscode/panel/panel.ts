// The page that every panel shows, be it the view or an editor tab.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { panelDocument } from './panelDocument';

const FOLDERS = [['dist', 'webview'], ['media']] as const;

/** Scripts yes, but only ours; no command links, no forms, nothing from outside the two folders. */
export function panelOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  return {
    enableScripts: true,
    enableCommandUris: false,
    enableForms: false,
    localResourceRoots: FOLDERS.map((parts) => vscode.Uri.joinPath(extensionUri, ...parts)),
  };
}

/** For tabs and terminals, which draw an icon as it is; the view's is coloured by the editor. */
export function panelIcon(extensionUri: vscode.Uri): { readonly light: vscode.Uri; readonly dark: vscode.Uri } {
  const file = (name: string) => vscode.Uri.joinPath(extensionUri, 'media', name);
  return { light: file('lathe-light.svg'), dark: file('lathe.svg') };
}

export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  return panelDocument({
    file: (name) => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString(),
    origin: webview.cspSource,
    nonce: randomBytes(18).toString('base64url'),
  });
}
