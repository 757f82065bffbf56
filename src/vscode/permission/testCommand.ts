// “Test a Command”: what would be decided about a command, part by part, while the person types it. Nothing runs.
import * as vscode from 'vscode';
import { MODE_INFO, type Mode } from '../../common/modes';
import type { Host } from '../../core/host';
import { tryCommand, type TriedCommand } from '../../core/permission/tryCommand';

/** Typing is over. */
const PAUSE_MS = 150;

export async function testCommand(host: Host, mode: Mode, shellTool: string): Promise<void> {
  const [root] = host.roots();
  if (!root) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open a folder first: commands are judged by where they run.'),
    );
    return;
  }
  const pick = vscode.window.createQuickPick();
  pick.title = vscode.l10n.t('Test a command in {0} mode (nothing runs)', MODE_INFO[mode].label);
  pick.placeholder = vscode.l10n.t('A command, such as git status');
  pick.matchOnDetail = true;
  let round = 0;
  let timer: NodeJS.Timeout | undefined;
  const judge = async (command: string): Promise<void> => {
    const mine = ++round;
    const tried =
      command.trim() === '' ? undefined : await tryCommand(command, { host, mode, shellTool, cwd: root.path });
    if (mine === round) pick.items = tried ? itemsOf(tried) : [];
  };
  pick.onDidChangeValue((command) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      judge(command).catch((error: unknown) => host.log.error('A command could not be tested', error));
    }, PAUSE_MS);
  });
  await new Promise<void>((resolve) => {
    pick.onDidHide(() => {
      clearTimeout(timer);
      round++;
      resolve();
    });
    pick.show();
  });
  pick.dispose();
}

const always = { alwaysShow: true } as const;

function itemsOf({ verdict, line, touches }: TriedCommand): vscode.QuickPickItem[] {
  const parts = verdict.effect === 'ask' ? (verdict.parts ?? []) : [];
  return [
    ...outcome(verdict),
    ...(parts.length > 0
      ? parts.map(({ text, verdict: part, notes }) => item(ICONS[part], text, notes.join('; ')))
      : line.commands.map(({ text, readsOnly, risks }) =>
          item(
            readsOnly ? ICONS.reads : ICONS.allowed,
            text,
            risks.join('; ') || (readsOnly ? vscode.l10n.t('Only reads') : ''),
          ),
        )),
    ...touches.map(({ op, shown }) => item(op === 'read' ? 'eye' : 'edit', shown, TOUCHES[op])),
  ];
}

const ICONS = { reads: 'eye', allowed: 'check', asks: 'shield' } as const;
const TOUCHES = {
  read: vscode.l10n.t('It reads this'),
  write: vscode.l10n.t('It changes this'),
  delete: vscode.l10n.t('It deletes this'),
} as const;

function outcome(verdict: TriedCommand['verdict']): vscode.QuickPickItem[] {
  switch (verdict.effect) {
    case 'allow':
      return [item('pass', vscode.l10n.t('Runs without asking'), verdict.because)];
    case 'deny':
      return [item('circle-slash', vscode.l10n.t('Is refused'), verdict.because)];
    case 'ask':
      return [item('question', vscode.l10n.t('Asks you'), verdict.reasons.join('; '))];
  }
}

/** Icons in a text of the person's are not drawn. */
function item(icon: string, label: string, detail: string): vscode.QuickPickItem {
  return {
    label: `$(${icon}) ${label.replaceAll('$(', '$\u200b(')}`,
    ...(detail === '' ? {} : { detail: detail.replaceAll('$(', '$\u200b(') }),
    ...always,
  };
}
