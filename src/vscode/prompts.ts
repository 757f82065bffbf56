// The prompts that commands and code actions write for a person: what it is about, where, and the text in question.
import * as vscode from 'vscode';

/** A place in a file as a person would name it: `src/a.ts:3-9`, lines 1-based. */
function placeOf(uri: vscode.Uri, range: vscode.Range): string {
  const path = vscode.workspace.asRelativePath(uri);
  const start = range.start.line + 1;
  // A selection that ends at the start of a line does not mean that line.
  const end = Math.max(start, range.end.character === 0 && !range.isEmpty ? range.end.line : range.end.line + 1);
  return start === end ? `${path}:${start}` : `${path}:${start}-${end}`;
}

/** More than this is referred to by its lines only, in characters. */
const QUOTED_CHARS = 4_000;

/** The text in a code fence that it cannot close. */
function quoted(document: vscode.TextDocument, range: vscode.Range): string {
  const text = document.getText(range);
  if (range.isEmpty || text.length > QUOTED_CHARS) return '';
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `\n\n${fence}${document.languageId}\n${text.replace(/\r?\n$/, '')}\n${fence}`;
}

const SEVERITY: Readonly<Record<vscode.DiagnosticSeverity, string>> = {
  [vscode.DiagnosticSeverity.Error]: 'error',
  [vscode.DiagnosticSeverity.Warning]: 'warning',
  [vscode.DiagnosticSeverity.Information]: 'note',
  [vscode.DiagnosticSeverity.Hint]: 'hint',
};

export function fixPrompt(document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): string {
  const lines = diagnostics.map((found) => {
    const code = typeof found.code === 'object' ? found.code.value : found.code;
    const origin = [found.source, code].filter((part) => part !== undefined && part !== '').join(' ');
    const column = found.range.start.character + 1;
    return `- ${placeOf(document.uri, found.range)}, column ${column}: ${SEVERITY[found.severity]}${origin && ` (${origin})`}: ${found.message}`;
  });
  const start = Math.min(...diagnostics.map(({ range }) => range.start.line));
  const end = Math.max(...diagnostics.map(({ range }) => range.end.line));
  const range = new vscode.Range(document.lineAt(start).range.start, document.lineAt(end).range.end);
  const what = diagnostics.length === 1 ? 'this problem' : 'these problems';
  return `Fix ${what}, and its cause rather than its symptom:\n\n${lines.join('\n')}${quoted(document, range)}`;
}

export function explainPrompt(document: vscode.TextDocument, range: vscode.Range): string {
  return `Explain ${placeOf(document.uri, range)}: what it does, and why it is there.${quoted(document, range)}`;
}

/** For the composer: the person says what to change. */
export function editPrompt(document: vscode.TextDocument, range: vscode.Range): string {
  return `In ${placeOf(document.uri, range)}: `;
}

export function mention(uri: vscode.Uri, range?: vscode.Range): string {
  return range && !range.isEmpty ? `${placeOf(uri, range)} ` : `${vscode.workspace.asRelativePath(uri)} `;
}
