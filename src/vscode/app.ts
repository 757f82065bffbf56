// The running extension of one window: the host, the sessions and the panels that show them. It knows no tool.
import * as vscode from 'vscode';
import type { TurnEnd } from '../common/events';
import type { Session } from '../core/session/types';
import type { Bridge } from './panel/bridge';
import type { EditDiffs } from './edits/diffs';
import { keptDrafts, type Drafts } from './panel/drafts';
import type { EditorHost } from './host';
import { WindowReview } from './review/window';
import type { Keys } from './secrets';
import { Sessions, type OpenSession } from './sessions/sessions';

/** One place that shows a panel: the view, or an editor tab. */
export interface Surface {
  readonly bridge: Bridge;
  readonly isView: boolean;
  isVisible(): boolean;
  reveal(): void;
}

export interface AppParts {
  readonly context: vscode.ExtensionContext;
  readonly host: EditorHost;
  readonly diffs: EditDiffs;
  readonly keys: Keys;
  readonly openSession: OpenSession;
}

export class App implements vscode.Disposable {
  readonly host: EditorHost;
  readonly keys: Keys;
  readonly diffs: EditDiffs;
  readonly sessions: Sessions;
  readonly drafts: Drafts;
  /** What the agent changed, until it is kept or undone. */
  readonly review: WindowReview;
  /** What is remembered for the workspace. */
  readonly memory: vscode.Memento;
  readonly extensionUri: vscode.Uri;
  /** Where copies and other files of Lathe's own go. */
  readonly storageUri: vscode.Uri;
  private readonly commandNames: ReadonlySet<string>;
  /** The last used one last. */
  private readonly surfaces = new Set<Surface>();
  private readonly added = new vscode.EventEmitter<Surface>();

  constructor({ context, host, diffs, keys, openSession }: AppParts) {
    this.host = host;
    this.keys = keys;
    this.diffs = diffs;
    this.extensionUri = context.extensionUri;
    this.storageUri = context.globalStorageUri;
    this.memory = context.workspaceState;
    this.sessions = new Sessions(openSession, this.memory);
    this.drafts = keptDrafts(this.memory);
    this.review = new WindowReview({
      host,
      memory: this.memory,
      showCall: async (session, call) => {
        const { bridge } = await this.showSession(session);
        // A call's row is named like the call.
        bridge.tell({ type: 'row/reveal', row: call });
      },
    });
    const manifest = context.extension.packageJSON as { contributes: { commands: { command: string }[] } };
    this.commandNames = new Set(manifest.contributes.commands.map(({ command }) => command));
  }

  add(surface: Surface): void {
    this.surfaces.add(surface);
    this.added.fire(surface);
  }

  /** Used now: what a command does is meant for it. */
  touch(surface: Surface): void {
    this.surfaces.delete(surface);
    this.surfaces.add(surface);
  }

  use(bridge: Bridge): void {
    const surface = [...this.surfaces].find((one) => one.bridge === bridge);
    if (surface) this.touch(surface);
  }

  remove(surface: Surface): void {
    this.surfaces.delete(surface);
  }

  hasCommand(name: string): boolean {
    return this.commandNames.has(name);
  }

  /** Whether a person sees that session in some panel now. */
  isSeen(session: string): boolean {
    return [...this.surfaces].some((surface) => surface.isVisible() && surface.bridge.sessionId === session);
  }

  /** A panel on screen, with the focus: the last used visible one, else the view. */
  async show(): Promise<Surface> {
    const visible = [...this.surfaces].findLast((surface) => surface.isVisible());
    if (visible) {
      visible.reveal();
      return visible;
    }
    const view = [...this.surfaces].find(({ isView }) => isView) ?? this.nextView();
    await vscode.commands.executeCommand('lathe.panel.focus');
    return view;
  }

  /** That session on screen: in the panel that shows it, else in the one that `show` finds. */
  async showSession(id: string): Promise<Surface> {
    const own = [...this.surfaces].findLast(({ bridge }) => bridge.sessionId === id);
    if (own) {
      own.reveal();
      return own;
    }
    const surface = await this.show();
    surface.bridge.switchTo(await this.sessions.get(id));
    return surface;
  }

  /** Text for the composer of a panel on screen; the person sends it. */
  async compose(text: string): Promise<void> {
    const { bridge } = await this.show();
    bridge.tell({ type: 'composer/insert', text });
    bridge.tell({ type: 'composer/focus' });
  }

  /** Sends a prompt in the session of a panel on screen, or puts it into the composer while a turn runs there. */
  async send(text: string): Promise<void> {
    const { bridge } = await this.show();
    const { session } = await this.sessionOf(bridge);
    if (session.isRunning()) return this.compose(text);
    this.run(session, text);
  }

  /** The session that commands are about: that of the last used panel. */
  active() {
    const last = [...this.surfaces].at(-1);
    return last ? this.sessionOf(last.bridge) : this.sessions.current();
  }

  /** A new session in the last used panel. */
  async startSession(): Promise<void> {
    const { bridge } = await this.show();
    bridge.switchTo(await this.sessions.start());
    bridge.tell({ type: 'composer/focus' });
  }

  run(session: Session, text: string): void {
    const taken = session.prompt(text).then((end) => (isRefused(end) ? this.giveBack(session, text) : undefined));
    taken.catch((error: unknown) => this.host.log.error('A turn ended with a bug', error));
  }

  /** A prompt that was not let through, or rewound away, is in the composer again. */
  async giveBack({ id }: Session, text: string): Promise<void> {
    const own = [...this.surfaces].findLast(({ bridge }) => bridge.sessionId === id);
    if (own) own.bridge.tell({ type: 'composer/insert', text });
    else await this.drafts.set(id, text);
  }

  showTerminal(session: string, call?: string): void {
    this.host.terminals.show(session, call);
  }

  /** Who will answer the next prompt, as people read it. */
  async nextModel(session: Session): Promise<{ readonly label: string; readonly isDemo: boolean }> {
    const { settings } = this.host;
    const baseUrl = settings.get('baseUrl').trim();
    const isDemo = baseUrl === '' && (await this.keys.get(baseUrl)) === undefined;
    if (isDemo) return { label: vscode.l10n.t('Demo model'), isDemo };
    const last = session.model();
    const label = last.isDemo ? settings.get('model') : last.label;
    return { label: label || vscode.l10n.t('Default model'), isDemo };
  }

  /** A setting, a key or the workspace has changed. */
  refresh(): void {
    this.review.refresh();
    for (const { bridge } of this.surfaces) bridge.refreshState();
  }

  dispose(): void {
    this.sessions.dispose();
    this.review.dispose();
    this.added.dispose();
  }

  private sessionOf(bridge: Bridge) {
    return bridge.sessionId === undefined ? this.sessions.current() : this.sessions.get(bridge.sessionId);
  }

  private nextView(): Promise<Surface> {
    return new Promise((resolve) => {
      const listener = this.added.event((surface) => {
        if (!surface.isView) return;
        listener.dispose();
        resolve(surface);
      });
    });
  }
}

/** The model never saw it, and it stands nowhere. */
function isRefused(end: TurnEnd | 'busy' | 'readonly'): boolean {
  return end === 'blocked' || end === 'readonly';
}
