// The light bulb: "Fix with Lathe" on problems, "Explain with Lathe" and "Edit with Lathe…" on selections.
import * as vscode from 'vscode';

/** What the actions hand to the commands of the same name. */
export type ActionArguments = readonly [
  uri: vscode.Uri,
  range: vscode.Range,
  diagnostics?: readonly vscode.Diagnostic[],
];

const EXPLAIN = vscode.CodeActionKind.Empty.append('lathe').append('explain');
const EDIT = vscode.CodeActionKind.RefactorRewrite.append('lathe');

export const codeActions: vscode.CodeActionProvider = {
  provideCodeActions(document, range, { diagnostics }) {
    const fixes = diagnostics.map((diagnostic) => {
      const fix = action(vscode.l10n.t('Fix with Lathe'), vscode.CodeActionKind.QuickFix, 'lathe.fix', [
        document.uri,
        diagnostic.range,
        [diagnostic],
      ]);
      fix.diagnostics = [diagnostic];
      return fix;
    });
    if (range.isEmpty) return fixes;
    return [
      ...fixes,
      action(vscode.l10n.t('Explain with Lathe'), EXPLAIN, 'lathe.explain', [document.uri, range]),
      action(vscode.l10n.t('Edit with Lathe…'), EDIT, 'lathe.edit', [document.uri, range]),
    ];
  },
};

export const codeActionMetadata: vscode.CodeActionProviderMetadata = {
  providedCodeActionKinds: [vscode.CodeActionKind.QuickFix, EXPLAIN, EDIT],
};

function action(title: string, kind: vscode.CodeActionKind, command: string, args: ActionArguments): vscode.CodeAction {
  const made = new vscode.CodeAction(title, kind);
  made.command = { title, command, arguments: [...args] };
  return made;
}
