// What a workspace's files set of Lathe's settings though that is the person's: the editor itself only says nothing of it (S51).
import * as vscode from 'vscode';
import { isJsonObject } from '../common/json';
import { SETTINGS, type SettingName } from '../common/settings';

const NOT_THEIRS = (Object.keys(SETTINGS) as SettingName[]).filter((name) => SETTINGS[name].scope !== 'resource');

/** A settings file is a few kilobytes; one that is not is read by nobody. */
const MAX_BYTES = 1024 * 1024;

export async function ignoredSettings(): Promise<readonly SettingName[]> {
  const { workspaceFile, workspaceFolders = [] } = vscode.workspace;
  const files = [
    ...workspaceFolders.map(({ uri }) => vscode.Uri.joinPath(uri, '.vscode', 'settings.json')),
    ...(workspaceFile?.scheme === 'file' ? [workspaceFile] : []),
  ];
  const named = new Set((await Promise.all(files.map(namesIn))).flat());
  return NOT_THEIRS.filter((name) => named.has(`lathe.${name}`));
}

async function namesIn(file: vscode.Uri): Promise<readonly string[]> {
  try {
    if ((await vscode.workspace.fs.stat(file)).size > MAX_BYTES) return [];
    const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
    if (!text.includes('lathe.')) return [];
    const { parse } = await import('jsonc-parser');
    const found: unknown = parse(text, [], { allowTrailingComma: true });
    if (!isJsonObject(found)) return [];
    // In a workspace file they have a part of their own.
    const { settings } = found;
    return [...Object.keys(found), ...(isJsonObject(settings) ? Object.keys(settings) : [])];
  } catch {
    // There is none, as in most workspaces.
    return [];
  }
}
