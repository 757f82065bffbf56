// Between the core's paths and the editor's URIs.
import * as vscode from 'vscode';
import type { Path, Root } from '../core/host';

/** Two letters at least: `C:/` is a drive, not a scheme. */
const URI = /^[a-z][a-z0-9+.-]+:\/\//i;

export function toUri(path: Path): vscode.Uri {
  return URI.test(path) ? vscode.Uri.parse(path, true) : vscode.Uri.file(path);
}

export function toPath(uri: vscode.Uri): Path {
  if (uri.scheme !== 'file') return uri.toString(true);
  return process.platform === 'win32' ? uri.fsPath.replaceAll('\\', '/') : uri.fsPath;
}

export function isLocal(path: Path): boolean {
  return !URI.test(path);
}

export function workspaceRoots(): readonly Root[] {
  return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => ({ name, path: toPath(uri) }));
}
