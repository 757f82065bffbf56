// Composition root in the editor. Activation registers; the agent itself is loaded when the first panel or prompt needs it.
import * as vscode from 'vscode';
import type { TurnEnd } from './common/events';
import type { PromptRun } from './core/session/runPrompt';
import { App } from './vscode/app';
import { watchActivity } from './vscode/attention';
import { codeActionMetadata, codeActions } from './vscode/codeActions';
import { commands } from './vscode/commands';
import { BEFORE_SCHEME, EditDiffs } from './vscode/edits/diffs';
import { createEditorHost, type EditorHost } from './vscode/host';
import { windowServers, type WindowServers } from './vscode/mcp';
import { runPrompt, sessionOpener, type SessionParts } from './vscode/sessions/openSession';
import { TAB, tabSerializer } from './vscode/panel/panels';
import { editorKeys } from './vscode/secrets';
import { PanelView, VIEW } from './vscode/panel/view';
import { sweepInBackground } from './vscode/shell/orphans';

/** For tests and the agent runner only: not there in an installed extension, and free to change. */
export interface TestApi {
  readonly host: EditorHost;
  readonly app: App;
  runPrompt(run: PromptRun): Promise<TurnEnd>;
}

let running: { readonly app: App; readonly servers: WindowServers } | undefined;

export function activate(context: vscode.ExtensionContext): TestApi | undefined {
  const channel = vscode.window.createOutputChannel('Lathe', { log: true });
  const diffs = new EditDiffs();
  const host = createEditorHost({ context, channel, diffs });
  const keys = editorKeys(context.secrets, process.env);
  const servers = windowServers(host);
  const parts: SessionParts = {
    ...{ host, keys, servers },
    tools: async () => (await import('./tools/index')).TOOLS,
    news: (session) => opened.review.takeNews(session),
  };
  const opened: App = new App({ context, host, diffs, keys, openSession: sessionOpener(parts) });
  const view = new PanelView(opened);
  running = { app: opened, servers };

  context.subscriptions.push(
    channel,
    host.terminals,
    opened,
    vscode.window.registerWebviewViewProvider(VIEW, view),
    vscode.window.registerWebviewPanelSerializer(TAB, tabSerializer(opened)),
    vscode.workspace.registerTextDocumentContentProvider(BEFORE_SCHEME, diffs),
    vscode.languages.registerCodeActionsProvider({ scheme: 'file' }, codeActions, codeActionMetadata),
    ...Object.entries(commands(opened, channel)).map(([name, run]) => vscode.commands.registerCommand(name, run)),
    watchActivity(opened, (asking) => view.showPending(asking)),
    vscode.workspace.onDidChangeWorkspaceFolders(() => opened.refresh()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => opened.refresh()),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('lathe')) opened.refresh();
    }),
    context.secrets.onDidChange(() => opened.refresh()),
    sweepInBackground(host.log),
  );

  if (context.extensionMode === vscode.ExtensionMode.Production) return undefined;
  return { host, app: opened, runPrompt: (run) => runPrompt(run, parts) };
}

/** Stops what runs; the editor waits for what has been said to reach the disk. */
export async function deactivate(): Promise<void> {
  await running?.app.sessions.close();
  await running?.app.review.close();
  await running?.servers.close();
  running = undefined;
}
