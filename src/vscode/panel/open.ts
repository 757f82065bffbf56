// Opens what a panel points at: files in the editor, links in the browser.
import { isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import type { Path, Root } from '../../core/host';
import { isLocal, toUri } from '../uris';

const LINK_SCHEMES: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

/** `line` is 1-based. A relative path is looked for in every root, by the root's name too. Rejects when nothing is there. */
export async function openFile(path: Path, line: number | undefined, roots: readonly Root[]): Promise<void> {
  const uri = await findFile(path, roots);
  const { type } = await vscode.workspace.fs.stat(uri);
  if (type & vscode.FileType.Directory) {
    await vscode.commands.executeCommand('revealInExplorer', uri);
    return;
  }
  const at = line === undefined ? undefined : new vscode.Range(line - 1, 0, line - 1, 0);
  await vscode.commands.executeCommand('vscode.open', uri, { preview: true, ...(at && { selection: at }) });
}

export async function findFile(path: Path, roots: readonly Root[]): Promise<vscode.Uri> {
  for (const uri of candidates(path, roots)) {
    const found = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (found) return uri;
  }
  throw new Error(vscode.l10n.t('{0} is not there any more.', path));
}

function candidates(path: Path, roots: readonly Root[]): vscode.Uri[] {
  // A path on another machine would send the person's credentials there as soon as it is looked at.
  if (/^[\\/]{2}/.test(path)) return [];
  if (!isLocal(path)) {
    const uri = toUri(path);
    return roots.some((root) => toUri(root.path).scheme === uri.scheme) ? [uri] : [];
  }
  if (isAbsolute(path)) return [toUri(path)];
  const [first, ...rest] = path.split(/[\\/]/);
  return roots.flatMap((root) => {
    const below = vscode.Uri.joinPath(toUri(root.path), path);
    return first === root.name ? [vscode.Uri.joinPath(toUri(root.path), ...rest), below] : [below];
  });
}

export async function openLink(url: string): Promise<void> {
  const uri = vscode.Uri.parse(url, true);
  if (!LINK_SCHEMES.has(uri.scheme)) throw new Error(vscode.l10n.t('Lathe does not open {0} links.', uri.scheme));
  await vscode.env.openExternal(uri);
}
