// What a panel may ask of the host: one handler per request. They get only requests of the protocol, from the session shown.
import * as vscode from 'vscode';
import { MODE_INFO, type Mode } from '../../common/modes';
import type { Handlers } from '../../common/protocol';
import { fitText } from './batch';
import type { Bridge } from './bridge';
import { openEditDiff } from '../edits/diffs';
import { openFile, openLink } from './open';
import { actOnReview } from './reviewState';
import { continueInBackground, stopRun } from './taskState';

/** A piece of text or output as JSON, in UTF-16 units: well below the bound of a message. */
const PIECE_MAX_CHARS = 48 * 1024;

export function handlersFor(panel: Bridge): Handlers {
  const { app } = panel;
  return {
    'panel/ready': ({ sessionId }) => panel.ready(sessionId),
    'panel/focused': async () => app.use(panel),
    'rows/before': async ({ row }) => panel.page(undefined, row),
    'row/text': async ({ row, offset }) => {
      return { text: fitText(panel.live.session.transcript.text(row, offset), PIECE_MAX_CHARS) };
    },
    'output/range': async ({ call, offset }) => {
      const { outputs } = panel.live.session;
      const { text, next } = await outputs.read(call, offset);
      const bytes = (await outputs.info(call))?.bytes ?? 0;
      const piece = fitText(text, PIECE_MAX_CHARS);
      return { text: piece, next: piece === text ? next : offset + Buffer.byteLength(piece), bytes };
    },
    'prompt/send': async ({ text }) => {
      const { session } = panel.live;
      if (text.trim() === '') return { accepted: false, problem: 'Type what Lathe should do.' };
      if (session.readOnlyBecause !== undefined) return { accepted: false, problem: session.readOnlyBecause };
      if (session.isRunning()) {
        return { accepted: false, problem: 'Lathe is still at work. Stop it, or send this when it is done.' };
      }
      await app.drafts.set(session.id, '');
      app.run(session, text);
      return { accepted: true };
    },
    'draft/save': async ({ sessionId, text }) => app.drafts.set(sessionId, text),
    'turn/stop': async () => panel.live.session.stop(),
    'ask/answer': async ({ ask, answer }) => ({ accepted: panel.live.asks.answer(ask, answer) }),
    'proposal/open': async ({ ask }) => (await import('../permission/proposals')).openProposal(app, panel.live, ask),
    'proposal/apply': async ({ ask, digest }) => {
      const { applyProposal } = await import('../permission/proposals');
      return { accepted: await applyProposal(panel.live, ask, digest) };
    },
    'mode/set': async ({ mode }) => {
      if (await isMeant(mode)) panel.live.session.setMode(mode);
      // Also when it was not meant: the picker shows the mode that holds.
      panel.refreshState();
    },
    'session/new': async () => panel.switchTo(await app.sessions.start()),
    'file/open': ({ path, line }) => openFile(path, line, app.host.roots()),
    'diff/open': ({ call, path }) => openEditDiff(app, panel.live.session, call, path),
    'review/act': ({ action, path }) => actOnReview(action, path),
    'rewind/start': async ({ turn }) => {
      const { session } = panel.live;
      const { rewind } = await import('../sessions/rewind');
      return rewind(session, turn, (to, text) => app.giveBack(to, text));
    },
    'terminal/show': async ({ sessionId, call }) => app.showTerminal(sessionId, call),
    'run/stop': async ({ call }) => stopRun(panel.live.session, call),
    'run/release': async ({ call }) => continueInBackground(panel.live.session, call),
    'link/open': ({ url }) => openLink(url),
    'command/run': async ({ command }) => {
      if (!app.hasCommand(command)) throw new Error(`${command} is not a command of Lathe.`);
      await vscode.commands.executeCommand(command);
    },
  };
}

/** A mode that lets everything run is confirmed by the person in a dialog that no page can answer. */
export async function isMeant(mode: Mode): Promise<boolean> {
  const { dangerous, label, description } = MODE_INFO[mode];
  if (!dangerous) return true;
  const yes = vscode.l10n.t('Use {0}', label);
  const detail = vscode.l10n.t(
    '{0}: edits, commands and network. Use it only where nothing can be lost, such as a container. It holds for this session.',
    description,
  );
  const message = vscode.l10n.t('Let Lathe work without asking?');
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, yes)) === yes;
}
