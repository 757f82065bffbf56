// A proposed text in an editor of its own, where the person makes of it what they want before they allow it.
import * as vscode from 'vscode';
import type { PermissionAsk, Proposal } from '../../common/asks';
import type { AskQueue } from '../../core/session/types';
import type { App } from '../app';
import { BEFORE_SCHEME } from '../edits/diffs';
import { findFile } from '../panel/open';
import type { LiveSession } from '../sessions/sessions';

type Asking = Pick<LiveSession, 'asks'>;
type FileProposal = Extract<Proposal, { readonly kind: 'file' }>;

const PROPOSAL_SCHEME = 'lathe-proposal';

/** Held state: files in memory only, one for each ask that somebody changes. Saving one writes nothing else. */
class Proposals implements vscode.FileSystemProvider {
  private readonly texts = new Map<string, Uint8Array>();
  private readonly closing = new Map<string, Promise<void>>();
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changes.event;

  put(uri: vscode.Uri, text: string): void {
    if (!this.has(uri)) this.texts.set(keyOf(uri), Buffer.from(text));
  }

  has(uri: vscode.Uri): boolean {
    return this.texts.has(keyOf(uri));
  }

  /** Once for each ask: the editor asks whether to keep what could not be saved, as where its file is gone already. */
  close(id: string): Promise<void> {
    const closing = this.closing.get(id) ?? this.closeAll(id).finally(() => this.closing.delete(id));
    this.closing.set(id, closing);
    return closing;
  }

  private async closeAll(id: string): Promise<void> {
    const isOf = (uri: vscode.Uri) => uri.scheme === PROPOSAL_SCHEME && uri.authority === authorityOf(id);
    const tabs = vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(({ input }) => {
        if (input instanceof vscode.TabInputTextDiff) return isOf(input.modified);
        return input instanceof vscode.TabInputText && isOf(input.uri);
      });
    const documents = vscode.workspace.textDocuments.filter(({ uri }) => isOf(uri));
    await Promise.all(documents.map((document) => document.save()));
    await vscode.window.tabGroups.close(tabs, true);
    for (const key of this.texts.keys()) if (key.startsWith(`${authorityOf(id)}/`)) this.texts.delete(key);
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const text = this.texts.get(keyOf(uri));
    if (!text) throw vscode.FileSystemError.FileNotFound(uri);
    return text;
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    this.readFile(uri); // nothing new comes into being here
    this.texts.set(keyOf(uri), content);
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: this.readFile(uri).length };
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }
}

let proposals: Proposals | undefined;

function registered(app: App): Proposals {
  if (proposals) return proposals;
  const made = new Proposals();
  vscode.workspace.registerFileSystemProvider(PROPOSAL_SCHEME, made, { isCaseSensitive: true });
  app.sessions.onEvent((event) => {
    if (event.type === 'ask/closed') void made.close(event.ask);
  });
  return (proposals = made);
}

/** Beside what is there now, where it is a file. */
export async function openProposal(app: App, { asks }: Asking, id: string): Promise<{ readonly opened: boolean }> {
  const ask = permissionAsk(asks, id);
  const { proposal } = ask ?? {};
  if (proposal?.text === undefined) return { opened: false };
  const path = proposal.kind === 'file' ? proposal.path : 'command.sh';
  const uri = proposalUri(id, path);
  registered(app).put(uri, proposal.text);
  const title = vscode.l10n.t('{0} (as you want it)', path);
  if (proposal.kind === 'command') {
    await vscode.commands.executeCommand('vscode.open', uri, { preview: false }, title);
    return { opened: true };
  }
  const now = await currentUri(app, id, proposal);
  await vscode.commands.executeCommand('vscode.diff', now, uri, title, { preview: false });
  return { opened: true };
}

/** The text as the editor shows it, saved or not, is what is allowed. */
export async function applyProposal({ asks }: Asking, id: string, digest: string): Promise<boolean> {
  const ask = permissionAsk(asks, id);
  const { proposal } = ask ?? {};
  if (proposal?.text === undefined || !proposals) return false;
  const uri = proposalUri(id, proposal.kind === 'file' ? proposal.path : 'command.sh');
  if (!proposals.has(uri)) return false;
  const document = await vscode.workspace.openTextDocument(uri);
  const text = document.getText();
  // An editor has one kind of line ending in a file; that alone is no change.
  const isSame = withLf(text) === withLf(proposal.text);
  const isTaken = asks.answer(id, { kind: 'permission', decision: 'once', digest, ...(!isSame && { changed: text }) });
  if (isTaken) await proposals.close(id);
  return isTaken;
}

/** What the proposed text is laid beside: the file, or the part of one as it is now. */
async function currentUri(app: App, id: string, proposal: FileProposal): Promise<vscode.Uri> {
  if (proposal.before === undefined) {
    const nothing = vscode.Uri.from({ scheme: BEFORE_SCHEME, path: uriPath(proposal.path) });
    return findFile(proposal.path, app.host.roots()).catch(() => nothing);
  }
  const uri = proposalUri(id, `now/${proposal.path}`);
  registered(app).put(uri, proposal.before);
  return uri;
}

function permissionAsk(asks: AskQueue, id: string): PermissionAsk | undefined {
  const ask = asks.waiting(id);
  return ask?.kind === 'permission' ? ask : undefined;
}

/** Its path is the file’s own, by which the editor knows its language and people know the file. */
function proposalUri(id: string, path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: PROPOSAL_SCHEME, authority: authorityOf(id), path: uriPath(path) });
}

/** Absolute and relative paths alike: a URI’s path begins with one slash. */
function uriPath(path: string): string {
  return `/${path.replaceAll('\\', '/').replace(/^\/+/, '')}`;
}

/** The editor keeps no capital letters in it, nor whatever an id may hold. */
function authorityOf(id: string): string {
  return Buffer.from(id).toString('hex');
}

function keyOf({ authority, path }: vscode.Uri): string {
  return `${authority}${path}`;
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n');
}
