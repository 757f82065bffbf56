// What the suites inside the editor share: files in the workspace, documents, and waiting for what the editor does later.
import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import type { TestApi } from '../../src/extension';

const EXTENSION = 'lathe.lathe';

export function workspaceFolder(): string {
  const folder = vscode.workspace.workspaceFolders?.[0];
  assert.ok(folder, 'the suite needs an open folder');
  return folder.uri.fsPath;
}

let count = 0;

/** A file of its own for one test, below the workspace. */
export async function makeFile(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(workspaceFolder(), `case-${++count}`, name);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  return path;
}

/** A path in a folder of its own that does not exist yet. */
export function freePath(name: string): string {
  return join(workspaceFolder(), `case-${++count}`, name);
}

export function onDisk(path: string): Promise<string> {
  return readFile(path, 'utf8');
}

export async function show(path: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(vscode.Uri.file(path)));
}

/** Types at the end of the document, as a person would: it is dirty afterwards. */
export async function typeAtEnd(editor: vscode.TextEditor, text: string): Promise<void> {
  const { document } = editor;
  const end = document.positionAt(document.getText().length);
  assert.ok(await editor.edit((edit) => edit.insert(end, text)));
}

/** With a setting of the person's changed for the time being; undefined leaves it as it is. */
export async function withSetting(name: string, value: unknown, use: () => Promise<void>): Promise<void> {
  if (value === undefined) return use();
  const set = (to: unknown) => vscode.workspace.getConfiguration().update(name, to, vscode.ConfigurationTarget.Global);
  await set(value);
  try {
    await use();
  } finally {
    await set(undefined);
  }
}

export async function closeAll(): Promise<void> {
  for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
    await vscode.window.showTextDocument(document);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  }
  await vscode.commands.executeCommand('workbench.action.closeAllEditors');
}

const WAIT_MS = 15_000;
const POLL_MS = 25;

/** Until `look` answers something; the editor gives no event for most of what is awaited here. */
export async function eventually<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (const startMs = Date.now(); Date.now() - startMs < WAIT_MS;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  return assert.fail(`waited in vain: ${what}`);
}

export function extension(): vscode.Extension<TestApi> {
  const found = vscode.extensions.getExtension<TestApi>(EXTENSION);
  assert.ok(found, `${EXTENSION} is not installed`);
  return found;
}

export async function testApi(): Promise<TestApi> {
  const api = await extension().activate();
  assert.ok(api, 'activation answers the test API while under test');
  return api;
}
