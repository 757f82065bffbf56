// Files as they were before the agent, as read-only documents: what the editor compares with.
import * as vscode from 'vscode';
import { isProblem, type Files } from '../../core/host';
import type { Reviews } from '../../core/review/types';
import { EDITOR_TEXT_BYTES } from '../files/files';
import { toPath } from '../uris';

const BASELINE_SCHEME = 'lathe-before';

/** The same path, so that the language and the name shown are those of the file. */
export function baselineOf(uri: vscode.Uri): vscode.Uri {
  return uri.with({ scheme: BASELINE_SCHEME, query: uri.scheme === 'file' ? '' : uri.toString() });
}

/** Stands in a diff for a file that is not there any more. */
export function absenceOf(uri: vscode.Uri): vscode.Uri {
  return baselineOf(uri).with({ fragment: 'gone' });
}

function fileOf(baseline: vscode.Uri): vscode.Uri {
  return baseline.query === ''
    ? baseline.with({ scheme: 'file', fragment: '' })
    : vscode.Uri.parse(baseline.query, true);
}

/** Held state: who looks at the documents is told when they change. */
export class Baselines implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.Uri>();
  private readonly registration: vscode.Disposable;
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly reviews: Reviews,
    private readonly files: Files,
  ) {
    this.registration = vscode.workspace.registerTextDocumentContentProvider(BASELINE_SCHEME, this);
  }

  /** A file that is not under review any more is compared with itself: nothing differs. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    if (uri.fragment !== '') return '';
    const path = toPath(fileOf(uri));
    const baseline = this.reviews.baseline(path);
    if (baseline !== undefined) return baseline;
    const file = await this.files.text(path, EDITOR_TEXT_BYTES);
    return isProblem(file) ? '' : file.text;
  }

  changed(uri: vscode.Uri): void {
    this.changes.fire(baselineOf(uri));
  }

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
  }
}
