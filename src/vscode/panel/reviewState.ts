// What a panel shows of the files under review, and what it may do with them: the review itself is the editor's.
import * as vscode from 'vscode';
import type { ReviewAction, ReviewState } from '../../common/protocol';
import type { Path } from '../../core/host';
import type { ReviewedFile } from '../../core/review/types';
import { toUri } from '../uris';

/** What is listed, in files and in characters of their paths. */
const LISTED_FILES = 50;
const LISTED_CHARS = 8_000;

export function reviewState(files: readonly ReviewedFile[]): ReviewState {
  let chars = 0;
  const listed = files
    .slice(0, LISTED_FILES)
    .filter(({ path }) => (chars += path.length) <= LISTED_CHARS)
    .map(({ path, change, added, removed }) => ({
      ...{ path, change, added, removed },
      name: vscode.workspace.asRelativePath(toUri(path)),
    }));
  const sum = (count: (file: ReviewedFile) => number): number => files.reduce((all, file) => all + count(file), 0);
  return { listed, files: files.length, added: sum(({ added }) => added), removed: sum(({ removed }) => removed) };
}

const COMMANDS = {
  open: { all: 'lathe.review.openAll', one: 'lathe.review.openDiff' },
  keep: { all: 'lathe.review.keepAll', one: 'lathe.review.keepFile' },
  undo: { all: 'lathe.review.undoAll', one: 'lathe.review.undoFile' },
} as const;

/** All of them where no path is named. */
export async function actOnReview(action: ReviewAction, path: Path | undefined): Promise<void> {
  const { one, all } = COMMANDS[action];
  await (path === undefined ? vscode.commands.executeCommand(all) : vscode.commands.executeCommand(one, toUri(path)));
}
