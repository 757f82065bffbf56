// The list of changed files and the marks in the gutter: a source control of our own, there only while something is under review.
import * as vscode from 'vscode';
import type { ReviewedFile, Reviews } from '../../core/review/types';
import { toPath, toUri } from '../uris';
import { baselineOf } from './baselines';

const ID = 'lathe';
const GROUP = 'changed';

/** Held state: the source control, and what it shows. */
export class ReviewControl implements vscode.Disposable {
  private readonly control: vscode.SourceControl;
  private readonly group: vscode.SourceControlResourceGroup;

  constructor(private readonly reviews: Reviews) {
    this.control = vscode.scm.createSourceControl(ID, 'Lathe');
    this.control.inputBox.visible = false;
    this.control.quickDiffProvider = {
      provideOriginalResource: (uri) =>
        this.reviews.baseline(toPath(uri)) === undefined ? undefined : baselineOf(uri),
    };
    this.group = this.control.createResourceGroup(GROUP, vscode.l10n.t('Changed by Lathe'));
    this.group.hideWhenEmpty = true;
  }

  /** Also makes the editor ask anew which files have something to compare with. */
  show(files: readonly ReviewedFile[]): void {
    this.group.resourceStates = files.map(resourceOf);
    this.control.count = files.length;
  }

  dispose(): void {
    this.group.dispose();
    this.control.dispose();
  }
}

function resourceOf(file: ReviewedFile): vscode.SourceControlResourceState {
  const resourceUri = toUri(file.path);
  return {
    resourceUri,
    contextValue: file.change,
    command: { command: 'lathe.review.openDiff', title: vscode.l10n.t('Open Changes'), arguments: [resourceUri] },
    decorations: { tooltip: describe(file), strikeThrough: file.change === 'deleted' },
  };
}

/** For people: `Created by Lathe, +12 −4`. */
export function describe({ change, added, removed, from }: ReviewedFile): string {
  const counts = `+${added} −${removed}`;
  if (change === 'created') return vscode.l10n.t('Created by Lathe, {0}', counts);
  if (change === 'deleted') return vscode.l10n.t('Deleted by Lathe, {0}', counts);
  if (change === 'moved') {
    const earlier = from === undefined ? '' : vscode.workspace.asRelativePath(toUri(from));
    return vscode.l10n.t('Moved by Lathe from {0}, {1}', earlier, counts);
  }
  return vscode.l10n.t('Changed by Lathe, {0}', counts);
}
