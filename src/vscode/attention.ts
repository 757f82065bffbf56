// How a person who does not look at the panel learns what goes on: the status bar item, the badge, one notification per approval.
import * as vscode from 'vscode';
import type { AgentEvent, EventOf } from '../common/events';
import type { App } from './app';

/** Events after which somebody may have begun or ceased to run or to wait. */
const TURNING_POINTS: ReadonlySet<AgentEvent['type']> = new Set([
  'turn/started',
  'turn/finished',
  'ask/opened',
  'ask/closed',
]);

export function watchActivity(app: App, showPending: (asking: number) => void): vscode.Disposable {
  const item = vscode.window.createStatusBarItem('lathe.status', vscode.StatusBarAlignment.Right, 100);
  item.name = 'Lathe';
  const show = () => {
    const { running, asking, askingSession } = app.sessions.activity();
    Object.assign(item, appearance(running, asking));
    item.command = openCommand(askingSession);
    showPending(asking);
  };
  show();
  item.show();
  const listener = app.sessions.onEvent((event) => {
    if (event.type === 'tool/ended') return void tellEnded(event, app);
    if (!TURNING_POINTS.has(event.type)) return;
    // After the event has been dealt with everywhere, since it is told before the queue of asks has it.
    setImmediate(show);
    if (event.type === 'ask/opened' && !app.isSeen(event.session)) void notify(event.ask, event.session);
  });
  return vscode.Disposable.from(item, listener);
}

function appearance(running: number, asking: number) {
  if (asking > 0) {
    const text = vscode.l10n.t('{0} waiting for your approval', asking);
    return { text: '$(bell-dot) Lathe', tooltip: text, accessibilityInformation: { label: `Lathe: ${text}` } };
  }
  if (running > 0) {
    const text = vscode.l10n.t('Lathe is at work');
    return { text: '$(loading~spin) Lathe', tooltip: text, accessibilityInformation: { label: text } };
  }
  const text = vscode.l10n.t('Open Lathe');
  return { text: '$(comment-discussion) Lathe', tooltip: text, accessibilityInformation: { label: text } };
}

/** With a session: the one that waits, whatever the panel shows. */
function openCommand(session: string | undefined): vscode.Command {
  return { command: 'lathe.open', title: '', arguments: session === undefined ? [] : [session] };
}

/** What a person stopped they know of; where the session is seen, the panel says it. */
async function tellEnded({ session, call, title = call, status }: EventOf<'tool/ended'>, app: App): Promise<void> {
  if (status === 'stopped' || app.isSeen(session)) return;
  const open = vscode.l10n.t('Open Lathe');
  const message =
    status === 'done'
      ? vscode.l10n.t('A command in the background has ended: {0}', plain(title))
      : vscode.l10n.t('A command in the background has failed: {0}', plain(title));
  if ((await vscode.window.showInformationMessage(message, open)) === open) {
    await vscode.commands.executeCommand('lathe.open', session);
  }
}

/** It only opens the panel: a permission is given where its preview can be read. */
async function notify(ask: { readonly kind: string; readonly title?: string }, session: string): Promise<void> {
  const open = vscode.l10n.t('Open Lathe');
  const message =
    ask.kind === 'permission'
      ? vscode.l10n.t('Lathe asks for your approval: {0}', plain(ask.title ?? ''))
      : vscode.l10n.t('Lathe has a question for you.');
  if ((await vscode.window.showInformationMessage(message, open)) === open) {
    await vscode.commands.executeCommand('lathe.open', session);
  }
}

const TITLE_MAX_CHARS = 200;

/** A notification draws links and turns with direction marks, and the model had a hand in the title. */
function plain(title: string): string {
  return title.slice(0, TITLE_MAX_CHARS).replaceAll(/[[\]\p{Cc}\p{Cf}\p{Z}]+/gu, ' ');
}
