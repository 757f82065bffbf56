// Finds the document that the editor has for a path, whatever name it was opened by.
import { isAbsolute, relative } from 'node:path';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Path } from '../core/host';
import { isLocal, toPath, toUri } from './uris';

/** The open document that is this file; one opened through a link is found too. */
export async function findDocument(path: Path): Promise<vscode.TextDocument | undefined> {
  const uri = toUri(path).toString();
  const open = vscode.workspace.textDocuments.filter((document) => !document.isClosed);
  const same = open.find((document) => document.uri.toString() === uri);
  if (same || !isLocal(path)) return same;
  const real = await realOf(path);
  for (const document of open) {
    if (document.uri.scheme === 'file' && (await realOf(document.uri.fsPath)) === real) return document;
  }
  return undefined;
}

/**
 * The URI a person would open that file by. Paths arrive with their links resolved; in a workspace that is itself reached
 * through a link, opening that path would give the file a second document.
 */
export async function editorUri(path: Path): Promise<vscode.Uri> {
  const document = await findDocument(path);
  if (document) return document.uri;
  if (!isLocal(path)) return toUri(path);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== 'file') continue;
    const below = relative(await realOf(uri.fsPath), path);
    if (below !== '' && !below.startsWith('..') && !isAbsolute(below)) {
      const named = vscode.Uri.joinPath(uri, below);
      // A link on the way would lead elsewhere.
      if ((await realOf(named.fsPath)) === path) return named;
    }
  }
  return toUri(path);
}

export function dirtyDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ isDirty, isClosed, isUntitled }) => isDirty && !isClosed && !isUntitled,
  );
}

/** Waits until `document` reads as `text`, for at most `limitMs`: the editor follows a change on disk a moment later. */
export async function settles(document: vscode.TextDocument, text: string, limitMs: number): Promise<boolean> {
  if (document.getText() === text) return true;
  return new Promise((resolve) => {
    const finish = (isSettled: boolean) => {
      clearTimeout(timer);
      listener.dispose();
      resolve(isSettled);
    };
    const timer = setTimeout(() => finish(document.getText() === text), limitMs);
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && document.getText() === text) finish(true);
    });
  });
}

export function documentPath(document: vscode.TextDocument): Path {
  return toPath(document.uri);
}

async function realOf(path: string): Promise<string> {
  const real = await realpath(path).catch(() => path);
  return process.platform === 'linux' ? real : real.toLowerCase();
}
