// The panel as a view in the secondary side bar.
import * as vscode from 'vscode';
import type { App, Surface } from '../app';
import { Bridge } from './bridge';
import { panelHtml, panelOptions } from './panel';

export const VIEW = 'lathe.panel';
/** The session that the view shows, in the memory of the workspace. */
const SHOWN = 'view.session';

/** Held state: the view while it exists; the editor makes and drops it as it is shown and closed. */
export class PanelView implements vscode.WebviewViewProvider {
  private view: vscode.WebviewView | undefined;

  constructor(private readonly app: App) {}

  resolveWebviewView(view: vscode.WebviewView): void {
    const { app } = this;
    this.view = view;
    view.webview.options = panelOptions(app.extensionUri);
    const { memory } = app;
    const bridge = new Bridge(view.webview, app, memory.get<string>(SHOWN), (id) => void memory.update(SHOWN, id));
    const surface: Surface = { bridge, isView: true, isVisible: () => view.visible, reveal: () => view.show(false) };
    app.add(surface);
    view.onDidChangeVisibility(() => {
      if (view.visible) app.touch(surface);
      if (!view.visible) bridge.hide();
    });
    view.onDidDispose(() => {
      this.view = undefined;
      bridge.dispose();
      app.remove(surface);
    });
    view.webview.html = panelHtml(view.webview, app.extensionUri);
    this.showPending(app.sessions.activity().asking);
  }

  /** A badge with the number of approvals that wait. */
  showPending(asking: number): void {
    if (!this.view) return;
    this.view.badge =
      asking === 0 ? undefined : { value: asking, tooltip: vscode.l10n.t('{0} waiting for your approval', asking) };
  }
}
