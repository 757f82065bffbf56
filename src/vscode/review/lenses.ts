// Keep and Undo above each change of the agent's in the ordinary editor, with the prompt that it came from.
import * as vscode from 'vscode';
import type { ReviewHunk, Reviews } from '../../core/review/types';
import { toPath } from '../uris';
import { oneLine } from '../../common/oneLine';
import type { ChangeArguments, OriginArguments } from './window';

const PROMPT_MAX_CHARS = 60;

/** Held state: the editor is told when lenses may have changed. */
export class ReviewLenses implements vscode.CodeLensProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<void>();
  private readonly registration: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.changes.event;

  constructor(private readonly reviews: Reviews) {
    this.registration = vscode.languages.registerCodeLensProvider('*', this);
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    return this.reviews.hunks(toPath(document.uri)).flatMap((hunk) => lensesOf(hunk, document));
  }

  changed(): void {
    this.changes.fire();
  }

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
  }
}

function lensesOf({ id, start, origins }: ReviewHunk, document: vscode.TextDocument): vscode.CodeLens[] {
  const line = Math.min(start, document.lineCount - 1);
  const range = new vscode.Range(line, 0, line, 0);
  const change: ChangeArguments = [document.uri.toString(), id];
  const lens = (title: string, command: string, tooltip: string, args: ChangeArguments | OriginArguments) =>
    new vscode.CodeLens(range, { title, command, tooltip, arguments: [...args] });
  const lenses = [
    lens(vscode.l10n.t('Keep'), 'lathe.review.keepChange', vscode.l10n.t('Keep this change of Lathe’s'), change),
    lens(vscode.l10n.t('Undo'), 'lathe.review.undoChange', vscode.l10n.t('Undo this change of Lathe’s'), change),
  ];
  const origin = origins.at(-1);
  if (!origin) return lenses;
  const prompt = oneLine(origin.prompt, PROMPT_MAX_CHARS);
  const from = vscode.l10n.t('from “{0}”', prompt);
  const tooltip = vscode.l10n.t('Show it in the panel');
  return [...lenses, lens(from, 'lathe.review.showOrigin', tooltip, [origin.session, origin.call])];
}
