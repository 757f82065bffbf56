// The panel as editor tabs: several at once, each with a session of its own, restored after a reload.
import * as vscode from 'vscode';
import { isJsonObject } from '../../common/json';
import type { App, Surface } from '../app';
import { Bridge } from './bridge';
import { panelHtml, panelIcon, panelOptions } from './panel';

export const TAB = 'lathe.tab';

export function openTab(app: App, sessionId: string | undefined): Surface {
  const options = { ...panelOptions(app.extensionUri), enableFindWidget: true };
  const panel = vscode.window.createWebviewPanel(TAB, 'Lathe', vscode.ViewColumn.Beside, options);
  return furnish(app, panel, sessionId);
}

/** What the page itself has kept with `setState` tells which session it showed. */
export function tabSerializer(app: App): vscode.WebviewPanelSerializer {
  return {
    async deserializeWebviewPanel(panel, state: unknown) {
      const kept = isJsonObject(state) ? state['sessionId'] : undefined;
      panel.webview.options = panelOptions(app.extensionUri);
      furnish(app, panel, typeof kept === 'string' ? kept : undefined);
    },
  };
}

function furnish(app: App, panel: vscode.WebviewPanel, sessionId: string | undefined): Surface {
  panel.iconPath = panelIcon(app.extensionUri);
  const bridge = new Bridge(panel.webview, app, sessionId);
  const surface: Surface = { bridge, isView: false, isVisible: () => panel.visible, reveal: () => panel.reveal() };
  app.add(surface);
  let wasVisible = panel.visible;
  panel.onDidChangeViewState(() => {
    if (panel.active) app.touch(surface);
    if (wasVisible && !panel.visible) bridge.hide();
    wasVisible = panel.visible;
  });
  panel.onDidDispose(() => {
    bridge.dispose();
    app.remove(surface);
  });
  panel.webview.html = panelHtml(panel.webview, app.extensionUri);
  return surface;
}
