// A badge on files under review, wherever the editor lists files.
import * as vscode from 'vscode';
import type { Path } from '../../core/host';
import type { Reviews } from '../../core/review/types';
import { toPath, toUri } from '../uris';
import { describe } from './sourceControl';

/** Held state: the editor is told which files to ask for anew. */
export class ReviewBadges implements vscode.FileDecorationProvider, vscode.Disposable {
  private readonly changes = new vscode.EventEmitter<vscode.Uri[]>();
  private readonly registration: vscode.Disposable;
  readonly onDidChangeFileDecorations = this.changes.event;

  constructor(private readonly reviews: Reviews) {
    this.registration = vscode.window.registerFileDecorationProvider(this);
  }

  provideFileDecoration(uri: vscode.Uri): vscode.FileDecoration | undefined {
    const path = toPath(uri);
    if (this.reviews.baseline(path) === undefined) return undefined;
    const file = this.reviews.files().find((each) => each.path === path);
    return file && new vscode.FileDecoration('L', describe(file));
  }

  changed(paths: readonly Path[]): void {
    this.changes.fire(paths.map(toUri));
  }

  dispose(): void {
    this.registration.dispose();
    this.changes.dispose();
  }
}
