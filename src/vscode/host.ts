// The whole host on the editor.
import * as vscode from 'vscode';
import type { Host } from '../core/host';
import { systemClock } from '../node/clock';
import { currentPlatform } from '../node/host';
import { createIds } from '../node/ids';
import { createStore } from '../node/store';
import type { EditDiffs } from './diffs';
import { editorEdits } from './edits';
import { editorFiles } from './files';
import { channelLog } from './log';
import { editorSearch } from './search';
import { editorSettings } from './settings';
import { editorShell } from './shell';
import { Terminals } from './terminal';
import { workspaceRoots } from './uris';
import { editorWeb } from './web';

export interface EditorHost extends Host {
  readonly terminals: Terminals;
}

export interface EditorHostParts {
  readonly context: vscode.ExtensionContext;
  readonly channel: vscode.LogOutputChannel;
  readonly diffs: EditDiffs;
}

export function createEditorHost({ context, channel, diffs }: EditorHostParts): EditorHost {
  const settings = editorSettings(context.extension.packageJSON);
  const terminals = new Terminals(vscode.Uri.joinPath(context.extensionUri, 'media', 'lathe.svg'));
  const files = editorFiles();
  return {
    roots: workspaceRoots,
    platform: currentPlatform(),
    settings,
    files,
    edits: editorEdits({
      files,
      maxBytes: () => settings.get('files.maxEditBytes'),
      onEdited: (call, path, sides) => diffs.record(call, path, sides),
    }),
    search: editorSearch(),
    shell: editorShell({ terminals, settings, env: process.env }),
    store: createStore(context.globalStorageUri.fsPath),
    web: editorWeb,
    clock: systemClock,
    ids: createIds(systemClock),
    log: channelLog(channel),
    terminals,
  };
}
