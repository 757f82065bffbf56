// The extension's commands: one table. Its keys are the commands that package.json contributes.
import * as vscode from 'vscode';
import { MODE_INFO, MODES } from '../common/modes';
import type { App } from './app';
import { openDemo } from './demo';
import { isMeant } from './panel/handlers';
import { openTab } from './panel/panels';
import { reviewCommands } from './review/commands';
import { continueInBackground, stopRun } from './panel/taskState';
import { editPrompt, explainPrompt, fixPrompt, mention } from './prompts';

/** Arguments come from menus, keybindings and other extensions: each is looked at before it is used. */
type Command = (...args: unknown[]) => Promise<void>;

export function commands(app: App, channel: vscode.LogOutputChannel): Readonly<Record<string, Command>> {
  return {
    'lathe.open': async (session) => {
      const { bridge } = await (typeof session === 'string' ? app.showSession(session) : app.show());
      bridge.tell({ type: 'composer/focus' });
    },
    'lathe.openInTab': async () => {
      const { session } = await app.active();
      openTab(app, session.id).bridge.tell({ type: 'composer/focus' });
    },
    'lathe.newSession': () => app.startSession(),
    'lathe.stop': async () => {
      const { session } = await app.active();
      session.stop();
    },
    'lathe.continueInBackground': async () => continueInBackground((await app.active()).session),
    'lathe.stopCommand': async () => stopRun((await app.active()).session),
    'lathe.rewind': async () => {
      const { session } = await app.active();
      const { rewind } = await import('./sessions/rewind');
      await rewind(session, undefined, (to, text) => app.giveBack(to, text));
    },
    'lathe.undoRewind': async () => {
      const { session } = await app.active();
      const { undoRewind } = await import('./sessions/rewind');
      await undoRewind(session);
    },
    'lathe.setApiKey': () => setApiKey(app),
    'lathe.chooseMode': () => chooseMode(app),
    'lathe.showLog': async () => channel.show(true),
    'lathe.testCommand': async () => {
      const { session } = await app.active();
      const { testCommand } = await import('./permission/testCommand');
      await testCommand(app.host, session.mode(), 'bash');
    },
    'lathe.manageTrust': async () => {
      await vscode.commands.executeCommand('workbench.trust.manage');
    },
    'lathe.openSettings': async () => {
      await vscode.commands.executeCommand('workbench.action.openSettings', '@ext:lathe.lathe');
    },
    'lathe.openDemo': () => openDemo(app),
    'lathe.fix': async (uri, range, diagnostics) => {
      const place = await placeFrom(uri, range);
      if (!place) return;
      const given = Array.isArray(diagnostics) ? diagnostics.filter(isDiagnostic) : [];
      const found = given.length > 0 ? given : problemsAt(place);
      if (found.length === 0) {
        void vscode.window.showInformationMessage(vscode.l10n.t('There is no problem here for Lathe to fix.'));
        return;
      }
      await app.send(fixPrompt(place.document, found));
    },
    'lathe.explain': async (uri, range) => {
      const place = await placeFrom(uri, range);
      if (place) await app.send(explainPrompt(place.document, place.range));
    },
    'lathe.edit': async (uri, range) => {
      const place = await placeFrom(uri, range);
      if (place) await app.compose(editPrompt(place.document, place.range));
    },
    'lathe.addToChat': async (uri, selected) => {
      const many = Array.isArray(selected) ? selected.filter(isUri) : [];
      if (many.length > 0) return app.compose(many.map((one) => mention(one)).join(''));
      const editor = vscode.window.activeTextEditor;
      const isEditor = editor && (!isUri(uri) || uri.toString() === editor.document.uri.toString());
      if (isEditor) return app.compose(mention(editor.document.uri, editor.selection));
      if (isUri(uri)) await app.compose(mention(uri));
    },
    ...reviewCommands(app.review),
  };
}

interface Place {
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
}

/** The place that was handed over, else the selection of the active editor; the whole line where nothing is selected. */
async function placeFrom(uri: unknown, range: unknown): Promise<Place | undefined> {
  if (isUri(uri) && range instanceof vscode.Range) {
    return { document: await vscode.workspace.openTextDocument(uri), range };
  }
  const editor = vscode.window.activeTextEditor;
  if (!editor) {
    void vscode.window.showInformationMessage(vscode.l10n.t('Open a file and select what Lathe should look at.'));
    return undefined;
  }
  const { document, selection } = editor;
  return { document, range: selection.isEmpty ? document.lineAt(selection.active.line).range : selection };
}

function problemsAt({ document, range }: Place): vscode.Diagnostic[] {
  return vscode.languages.getDiagnostics(document.uri).filter((found) => found.range.intersection(range) !== undefined);
}

function isUri(value: unknown): value is vscode.Uri {
  return value instanceof vscode.Uri;
}

function isDiagnostic(value: unknown): value is vscode.Diagnostic {
  const { range, message } = Object(value) as Partial<vscode.Diagnostic>;
  return range instanceof vscode.Range && typeof message === 'string';
}

/** The key is for the endpoint that is set now; an empty answer removes it. */
async function setApiKey(app: App): Promise<void> {
  const baseUrl = app.host.settings.get('baseUrl').trim();
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('API key for {0}', baseUrl || 'api.anthropic.com'),
    prompt: vscode.l10n.t('It is kept in the editor’s secret storage. Leave it empty to remove the key.'),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (/\s/.test(value.trim()) ? vscode.l10n.t('A key has no blanks in it.') : undefined),
  });
  if (key === undefined) return;
  if (key.trim() === '') {
    await app.keys.remove(baseUrl);
    void vscode.window.showInformationMessage(vscode.l10n.t('The key was removed.'));
  } else {
    await app.keys.set(baseUrl, key.trim());
    void vscode.window.showInformationMessage(vscode.l10n.t('The key is kept. Lathe uses it from the next prompt on.'));
  }
  app.refresh();
}

async function chooseMode(app: App): Promise<void> {
  const { session } = await app.active();
  const items = MODES.map((mode) => {
    const { label, description } = MODE_INFO[mode];
    return { mode, label: mode === session.mode() ? `$(check) ${label}` : label, detail: description };
  });
  const chosen = await vscode.window.showQuickPick(items, { title: vscode.l10n.t('Permission mode of this session') });
  if (chosen && (await isMeant(chosen.mode))) session.setMode(chosen.mode);
}
