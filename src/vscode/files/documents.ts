// Finds the document that the editor has for a path, whatever name it was opened by.
import { basename, dirname, isAbsolute, join, relative } from 'node:path';
import { realpath } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Path } from '../../core/host';
import { isLocal, toPath, toUri } from '../uris';

/** The open document that is this file; one opened through a link is found too, and before all others one with unsaved changes. */
export async function findDocument(path: Path): Promise<vscode.TextDocument | undefined> {
  const uri = toUri(path).toString();
  const open = vscode.workspace.textDocuments.filter((document) => !document.isClosed);
  const same = open.find((document) => document.uri.toString() === uri);
  if (same?.isDirty || !isLocal(path)) return same;
  const others = open.filter((document) => document.uri.scheme === 'file' && document !== same);
  const candidates = same ? others.filter(({ isDirty }) => isDirty) : others.sort(dirtyFirst);
  if (candidates.length === 0) return same;
  const real = await realOf(path);
  for (const document of candidates) if ((await realOf(document.uri.fsPath)) === real) return document;
  return same;
}

function dirtyFirst(a: vscode.TextDocument, b: vscode.TextDocument): number {
  return Number(b.isDirty) - Number(a.isDirty);
}

/**
 * The URI a person would open that file by. Paths arrive with their links resolved; in a workspace that is itself reached
 * through a link, opening that path would give the file a second document.
 */
export async function editorUri(path: Path): Promise<vscode.Uri> {
  const document = await findDocument(path);
  if (document) return document.uri;
  return belowRoot(path, realOf);
}

/** The same of the entry itself: a link is not followed to what it leads to. */
export function entryUri(path: Path): Promise<vscode.Uri> {
  return belowRoot(path, async (named) => join(await realOf(dirname(named)), basename(named)));
}

async function belowRoot(path: Path, resolve: (named: string) => Promise<string>): Promise<vscode.Uri> {
  if (!isLocal(path)) return toUri(path);
  for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
    if (uri.scheme !== 'file') continue;
    const below = relative(await realOf(uri.fsPath), path);
    if (below !== '' && !below.startsWith('..') && !isAbsolute(below)) {
      const named = vscode.Uri.joinPath(uri, below);
      // A link on the way would lead elsewhere.
      if ((await resolve(named.fsPath)) === path) return named;
    }
  }
  return toUri(path);
}

export function dirtyDocuments(): readonly vscode.TextDocument[] {
  return vscode.workspace.textDocuments.filter(
    ({ isDirty, isClosed, isUntitled }) => isDirty && !isClosed && !isUntitled,
  );
}

/** How long the editor may take to follow a change on disk before a document counts as out of step. */
const FOLLOW_LIMIT_MS = 3_000;

/**
 * Who writes a file may do so in several steps. A document that has just followed one of them refuses to be saved until it has seen
 * the last.
 */
const QUIET_MS = 250;

/** Waits until `document` reads as `text`, within limits: the editor follows a change on disk a moment later. */
export async function settles(document: vscode.TextDocument, text: string): Promise<boolean> {
  if (document.getText() === text) return true;
  if (!(await becomes(document, (now) => now === text))) return false;
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  return document.getText() === text;
}

/** The same of a text whose line endings the editor may have made its own. */
export function followsDisk(document: vscode.TextDocument, text: string): Promise<boolean> {
  const wanted = withoutReturns(text);
  return becomes(document, (now) => withoutReturns(now) === wanted);
}

function withoutReturns(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}

function becomes(document: vscode.TextDocument, isThere: (text: string) => boolean): Promise<boolean> {
  if (isThere(document.getText())) return Promise.resolve(true);
  return new Promise((resolve) => {
    const finish = (isSettled: boolean) => {
      clearTimeout(timer);
      listener.dispose();
      resolve(isSettled);
    };
    const timer = setTimeout(() => finish(isThere(document.getText())), FOLLOW_LIMIT_MS);
    const listener = vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && isThere(document.getText())) finish(true);
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
