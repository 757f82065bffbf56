// Rewinding, asked for natively: which prompt, what of it, which files. Esc anywhere changes nothing.
import * as vscode from 'vscode';
import { quote } from '../../common/rewinding';
import type { Path } from '../../core/host';
import type { RestoreFile, RestoreOutcome } from '../../core/checkpoint/types';
import type { StandingPrompt } from '../../core/session/history';
import type { Session } from '../../core/session/types';

/** Files that cannot be put back and are named. */
const NAMED_LOST = 10;

interface Parts {
  readonly conversation: boolean;
  readonly files: boolean;
}

/** Puts the words of a prompt into the composer of the panel that shows the session. */
type GiveBack = (session: Session, text: string) => Promise<void>;

/** `turn` absent: the person is asked for the prompt. */
export async function rewind(session: Session, turn: string | undefined, giveBack: GiveBack): Promise<void> {
  if (isBusy(session)) return;
  const prompt = turn === undefined ? await choosePrompt(session) : session.prompts().find((one) => one.turn === turn);
  if (!prompt) {
    if (turn !== undefined) tell(vscode.l10n.t('That prompt is no part of the conversation any more.'));
    return;
  }
  const { files: found } = await session.checkpoints.preview(prompt.turn);
  const files = found.filter(({ state }) => state !== 'same');
  const parts = await chooseParts(files, vscode.l10n.t('Rewind to before {0}', quote(prompt.text)));
  if (!parts) return;
  const chosen = parts.files ? await chooseFiles(files, prompt) : NOTHING_CHOSEN;
  if (!chosen || isBusy(session)) return;
  if (parts.files) {
    const outcome = await session.checkpoints.restore(prompt.turn, chosen.include, chosen.leave);
    if (!outcome.ok) return refuse(outcome.reason);
  }
  if (!parts.conversation) return;
  if (session.rewind(prompt.turn)) await giveBack(session, prompt.text);
  else isBusy(session);
}

export async function undoRewind(session: Session): Promise<void> {
  if (isBusy(session)) return;
  const can: Parts = { conversation: session.canUndoRewind, files: session.checkpoints.canUndo };
  if (!can.conversation && !can.files) {
    return tell(
      vscode.l10n.t('There is no rewinding to undo. One of the conversation can be undone until the next prompt.'),
    );
  }
  const parts =
    can.conversation && can.files ? await pickParts(can, vscode.l10n.t('Undo the latest rewinding of'), []) : can;
  if (!parts || isBusy(session)) return;
  if (parts.files && !(await undoFiles(session))) return;
  if (parts.conversation && !session.undoRewind()) isBusy(session);
}

/** False when nothing was changed. */
async function undoFiles({ checkpoints }: Session): Promise<boolean> {
  const outcome = await checkpoints.undo([]);
  if (!outcome.ok) {
    refuse(outcome.reason);
    return false;
  }
  const changed = outcome.kept.filter(({ state }) => state === 'changed');
  if (changed.length > 0) void offerChanged(checkpoints, changed);
  return true;
}

/** What was changed after the rewinding is kept; the person may still want it back as it was. */
async function offerChanged(checkpoints: Session['checkpoints'], changed: readonly RestoreFile[]): Promise<void> {
  const both = vscode.l10n.t('Put Back Too');
  const message = vscode.l10n.t('Kept, since changed after the rewinding: {0}', nameFiles(changed));
  if ((await vscode.window.showInformationMessage(message, both)) !== both) return;
  const outcome: RestoreOutcome = await checkpoints.undo(changed.map(({ path }) => path));
  if (!outcome.ok) refuse(outcome.reason);
}

/** The latest first. */
async function choosePrompt(session: Session): Promise<StandingPrompt | undefined> {
  const counts = new Map(session.checkpoints.list().map(({ turn, files }) => [turn, files.length]));
  const items = session.prompts().map((prompt) => {
    const count = counts.get(prompt.turn) ?? 0;
    const time = new Date(prompt.time).toLocaleString(vscode.env.language);
    const changed = count === 1 ? vscode.l10n.t('1 file changed') : vscode.l10n.t('{0} files changed', count);
    return { prompt, label: plain(quote(prompt.text)), detail: count === 0 ? time : `${time} · ${changed}` };
  });
  if (items.length === 0) {
    tell(vscode.l10n.t('There is no prompt to rewind to yet.'));
    return undefined;
  }
  const title = vscode.l10n.t('Rewind to before which prompt?');
  return (await vscode.window.showQuickPick(items.reverse(), { title }))?.prompt;
}

/** Where no file was changed there is nothing to choose. */
function chooseParts(files: readonly RestoreFile[], title: string): Promise<Parts | undefined> {
  if (files.length === 0) return Promise.resolve({ conversation: true, files: false });
  const lost = files.filter(({ state }) => state === 'lost');
  return pickParts({ conversation: true, files: lost.length < files.length }, title, lost);
}

async function pickParts(can: Parts, title: string, lost: readonly RestoreFile[]): Promise<Parts | undefined> {
  const items = [
    ...(can.conversation && can.files
      ? [{ label: vscode.l10n.t('Conversation and files'), parts: { conversation: true, files: true } }]
      : []),
    ...(can.conversation
      ? [{ label: vscode.l10n.t('Conversation only'), parts: { conversation: true, files: false } }]
      : []),
    ...(can.files ? [{ label: vscode.l10n.t('Files only'), parts: { conversation: false, files: true } }] : []),
  ];
  const placeHolder = lost.length === 0 ? undefined : vscode.l10n.t('Cannot be put back: {0}', nameFiles(lost));
  const options = { title, ...(placeHolder === undefined ? {} : { placeHolder }) };
  return (await vscode.window.showQuickPick(items, options))?.parts;
}

interface Chosen {
  readonly include: readonly Path[];
  readonly leave: readonly Path[];
}

const NOTHING_CHOSEN: Chosen = { include: [], leave: [] };

type FileItem = vscode.QuickPickItem & { readonly file?: RestoreFile };

/** What the person has changed since is there to be chosen, and not chosen. */
async function chooseFiles(files: readonly RestoreFile[], prompt: StandingPrompt): Promise<Chosen | undefined> {
  const of = (state: RestoreFile['state']): RestoreFile[] => files.filter((file) => file.state === state);
  const [ready, changed, lost] = [of('ready'), of('changed'), of('lost')];
  const items: FileItem[] = [
    ...section(vscode.l10n.t('As Lathe left them'), ready),
    ...section(vscode.l10n.t('Changed since, by you or another program: kept unless you choose them'), changed),
    ...lost.slice(0, NAMED_LOST).map((file) => separator(vscode.l10n.t('Cannot be put back: {0}', whyLost(file)))),
    ...(lost.length > NAMED_LOST
      ? [separator(vscode.l10n.t('Cannot be put back: {0} more', lost.length - NAMED_LOST))]
      : []),
  ];
  const picked = await vscode.window.showQuickPick<FileItem>(items, {
    title: vscode.l10n.t('Files to put back to before {0}', quote(prompt.text)),
    placeHolder: vscode.l10n.t('Enter puts the chosen ones back, Esc changes nothing'),
    canPickMany: true,
    matchOnDescription: true,
  });
  if (!picked) return undefined;
  const chosen = new Set(picked.map(({ file }) => file));
  return {
    include: changed.filter((file) => chosen.has(file)).map(({ path }) => path),
    leave: ready.filter((file) => !chosen.has(file)).map(({ path }) => path),
  };
}

function section(label: string, files: readonly RestoreFile[]): FileItem[] {
  if (files.length === 0) return [];
  return [
    separator(label),
    ...files.map((file) => ({
      file,
      label: plain(vscode.workspace.asRelativePath(file.path)),
      description: EFFECTS[file.effect](),
      picked: file.state === 'ready',
      ...(file.reason === undefined ? {} : { detail: file.reason }),
    })),
  ];
}

const EFFECTS: Readonly<Record<RestoreFile['effect'], () => string>> = {
  restore: () => vscode.l10n.t('back to what it was'),
  remove: () => vscode.l10n.t('removed: it was not there'),
  recreate: () => vscode.l10n.t('there again'),
};

function separator(label: string): FileItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function whyLost({ path, reason }: RestoreFile): string {
  const name = vscode.workspace.asRelativePath(path);
  return reason === undefined ? name : `${name} (${reason.replace(/\.$/, '')})`;
}

function nameFiles(files: readonly RestoreFile[]): string {
  const named = files.slice(0, NAMED_LOST).map(whyLost).join(', ');
  return files.length > NAMED_LOST ? vscode.l10n.t('{0} and {1} more', named, files.length - NAMED_LOST) : named;
}

/** Not an icon where a name or a prompt looks like one. */
function plain(label: string): string {
  return label.replaceAll('$(', '$\u200B(');
}

function isBusy(session: Session): boolean {
  if (session.isRunning()) tell(vscode.l10n.t('Lathe is still at work. Stop it first, then rewind.'));
  else if (session.readOnlyBecause !== undefined) tell(session.readOnlyBecause);
  return session.isRunning() || session.readOnlyBecause !== undefined;
}

function tell(message: string): void {
  void vscode.window.showInformationMessage(message);
}

function refuse(reason: string): void {
  void vscode.window.showErrorMessage(vscode.l10n.t('Nothing was rewound: {0}', reason));
}
