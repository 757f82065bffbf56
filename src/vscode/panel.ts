// The page that every panel shows, be it the view or an editor tab.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

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
  const nonce = randomBytes(18).toString('base64url');
  const file = (name: string) =>
    webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', 'webview', name)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `img-src ${webview.cspSource} data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <link rel="stylesheet" href="${file('codicon.css')}" />
    <link rel="stylesheet" href="${file('panel.css')}" />
    <title>Lathe</title>
  </head>
  <body>
    <div id="root"></div>
    <script nonce="${nonce}" src="${file('panel.js')}"></script>
  </body>
</html>`;
}
