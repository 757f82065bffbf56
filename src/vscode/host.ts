// The whole host on the editor.
import * as vscode from 'vscode';
import { tellingEdits } from '../core/checkpoint/telling';
import type { SnapshotChange } from '../core/checkpoint/types';
import type { History } from '../core/history';
import type { EditOrigin, Host, Path } from '../core/host';
import type { Media } from '../core/media';
import type { Search } from '../core/search';
import { actingWhereTrusted } from '../core/trust';
import { systemClock } from '../node/clock';
import { createIds } from '../node/ids';
import { currentPlatform } from '../node/platform';
import { createStore } from '../node/store';
import type { EditDiffs } from './edits/diffs';
import { dirtyDocuments } from './files/documents';
import type { AppliedChange, EditorEdits, EditsParts } from './edits/edits';
import { editorFiles } from './files/files';
import { channelLog } from './log';
import { panelIcon } from './panel/panel';
import { editorProblems } from './edits/problems';
import { editorSettings } from './settings';
import { lazyShell, type ShownTerminals } from './shell/lazyShell';
import { editorSnapshots } from './edits/snapshots';
import { toPath, workspaceRoots } from './uris';
import { editorWeb } from './web';

export interface EditorHost extends Host {
  readonly terminals: ShownTerminals;
  /** Each change of a file that a plan made, after everything that ran on save. */
  readonly onDidApply: vscode.Event<AppliedChange>;
  /** True while a plan changes this document or saves it: what happens to its text meanwhile is not the person's typing. */
  isChanging(document: vscode.TextDocument): boolean;
  /** True while any plan is being applied. */
  isApplying(): boolean;
  /** True from before a command that may change files until what it changed was told. */
  isCommandRunning(): boolean;
  /** Tells the window what a command has changed. */
  commandChanged(changes: readonly SnapshotChange[], origin: EditOrigin): Promise<void>;
}

export interface EditorHostParts {
  readonly context: vscode.ExtensionContext;
  readonly channel: vscode.LogOutputChannel;
  readonly diffs: EditDiffs;
}

export function createEditorHost({ context, channel, diffs }: EditorHostParts): EditorHost {
  const settings = editorSettings(context.extension.packageJSON);
  const files = editorFiles();
  const applied = new vscode.EventEmitter<AppliedChange>();
  const edits = lazyEdits({ files, settings, onApplied: (change) => applied.fire(change) });
  applied.event((change) => diffs.recordChange(change));
  context.subscriptions.push(applied);
  const problems = editorProblems();
  context.subscriptions.push(problems);
  const shellParts = { settings, roots: workspaceRoots, saveEdits: () => saveOwn(edits), env: process.env };
  const { shell, terminals } = lazyShell(panelIcon(context.extensionUri), shellParts);
  const snapshots = editorSnapshots(() => edits.save());
  const trust = { isTrusted: () => vscode.workspace.isTrusted };
  const acting = { edits: tellingEdits(edits, snapshots), shell, snapshots, history: lazyHistory() };
  return {
    ...trust,
    ...actingWhereTrusted(acting, trust),
    roots: workspaceRoots,
    platform: currentPlatform(),
    settings,
    files,
    media: lazyMedia(),
    search: lazySearch(),
    problems,
    store: createStore(context.globalStorageUri.fsPath),
    web: editorWeb,
    clock: systemClock,
    ids: createIds(systemClock),
    log: channelLog(channel),
    terminals,
    onDidApply: applied.event,
    isChanging: (document) => edits.isChanging(document),
    isApplying: () => edits.isApplying(),
    isCommandRunning: () => snapshots.isWaiting(),
    async commandChanged(changes, origin) {
      const { appliedByCommand } = await import('./edits/commandChanges');
      try {
        for (const change of changes) {
          const told = await appliedByCommand(change, origin, files);
          if (told) applied.fire(told);
        }
      } finally {
        // Else nothing that the person writes would be theirs again in this window.
        snapshots.told();
      }
    },
  };
}

/** Loaded by the first picture or PDF. */
function lazyMedia(): Media {
  const media = () => import('../node/media').then(({ createMedia }) => createMedia());
  return {
    pdfText: async (...asked) => (await media()).pdfText(...asked),
    shrinkImage: async (...asked) => (await media()).shrinkImage(...asked),
  };
}

/** Loaded by the first search: its globs are a good part of what the extension would weigh at activation. */
function lazySearch(): Search {
  let loading: Promise<Search> | undefined;
  const search = () => (loading ??= import('./files/search').then(({ editorSearch }) => editorSearch()));
  return {
    text: async (query, signal) => (await search()).text(query, signal),
    files: async (query, signal) => (await search()).files(query, signal),
    lines: async (query, lines, signal) => (await search()).lines(query, lines, signal),
  };
}

/** Loaded by the first edit, for the same reason; until then there is nothing to save. */
function lazyEdits(parts: EditsParts): EditorEdits & Pick<EditorHost, 'isApplying'> {
  let applying = 0;
  let loading: Promise<EditorEdits> | undefined;
  let loaded: EditorEdits | undefined;
  const edits = () => (loading ??= import('./edits/edits').then(({ editorEdits }) => (loaded = editorEdits(parts))));
  return {
    async apply(plan) {
      applying++;
      try {
        return await (await edits()).apply(plan);
      } finally {
        applying--;
      }
    },
    isApplying: () => applying > 0,
    save: async () => (await loading)?.save(),
    isChanging: (document) => loaded?.isChanging(document) ?? false,
  };
}

/** Saves the agent's own edits, and answers which files of the workspace still have unsaved changes. */
async function saveOwn(edits: EditorEdits): Promise<readonly Path[]> {
  await edits.save();
  const unsaved = [...dirtyDocuments(), ...vscode.workspace.notebookDocuments.filter(({ isDirty }) => isDirty)];
  return unsaved.filter(({ uri }) => vscode.workspace.getWorkspaceFolder(uri)).map(({ uri }) => toPath(uri));
}

/** Git is looked for when a command is first to commit or push. */
function lazyHistory(): History {
  let loading: Promise<History> | undefined;
  const load = () => (loading ??= import('../node/history').then(({ createHistory }) => createHistory()));
  return {
    state: async (folder, signal) => (await load()).state(folder, signal),
    commits: async (folder, range) => (await load()).commits(folder, range),
    pushed: async (folder, remotes) => (await load()).pushed(folder, remotes),
  };
}
