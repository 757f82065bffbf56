// What a person does about the agent's changes: keep, undo, look at, and go from one to the next.
import * as vscode from 'vscode';
import type { Path } from '../../core/host';
import type { ReviewedFile, ReviewHunk } from '../../core/review/types';
import { editorUri } from '../files/documents';
import { toPath, toUri } from '../uris';
import { absenceOf, baselineOf } from './baselines';
import type { OpenReview } from './open';
import type { Target } from './targets';
import { carryOut, shown } from './undo';

/** `undefined`: the file in whole. */
type Hunks = readonly string[] | undefined;

export async function keepChange(review: OpenReview, target: Target): Promise<void> {
  const found = await choose(review, target);
  if (found) keep(review, found.path, found.hunks);
}

export async function undoChange(review: OpenReview, target: Target): Promise<void> {
  const found = await choose(review, target);
  const problem = found && (await undo(review, found.path, found.hunks));
  if (problem !== undefined) void vscode.window.showWarningMessage(problem);
}

export async function keepFiles(review: OpenReview, paths: readonly Path[]): Promise<void> {
  await review.follower.idle();
  for (const path of paths) keep(review, path, undefined);
}

function keep({ reviews, rejections }: OpenReview, path: Path, hunks: Hunks): void {
  // The person may have undone it before, and that too.
  rejections.withdraw((rejection) => rejection.path === path && reviews.isBack(rejection));
  reviews.keep(path, hunks);
}

/** One file after another: what cannot be undone is said, and the rest is. */
export async function undoFiles(review: OpenReview, paths: readonly Path[]): Promise<void> {
  const problems: string[] = [];
  for (const path of paths) {
    await review.follower.settle(path);
    const problem = await undo(review, path, undefined);
    if (problem !== undefined) problems.push(problem);
  }
  if (problems.length > 0) void vscode.window.showWarningMessage(problems.join(' '));
}

/** Asked for once more: it is many files at once, and some may not be open. */
export async function undoAll(review: OpenReview): Promise<void> {
  const paths = review.reviews.files().map(({ path }) => path);
  if (paths.length === 0) return sayNothingToReview();
  if (paths.length === 1 || (await isUndoMeant(paths.length))) await undoFiles(review, paths);
}

async function isUndoMeant(fileCount: number): Promise<boolean> {
  const yes = vscode.l10n.t('Undo All');
  const detail = vscode.l10n.t('What you have typed in between stays. Lathe is told what you took back.');
  const message = vscode.l10n.t('Undo the changes of Lathe’s in {0} files?', fileCount);
  return (await vscode.window.showWarningMessage(message, { modal: true, detail }, yes)) === yes;
}

async function undo(
  { host, reviews, follower, rejections }: OpenReview,
  path: Path,
  hunks: Hunks,
): Promise<string | undefined> {
  const undoing = reviews.planUndo(path, hunks);
  if (!undoing) return undefined;
  const problem = await carryOut(undoing.plan, host);
  await follower.idle();
  // Told to the model only once it is so.
  if (problem === undefined) rejections.add(undoing.rejections);
  return problem;
}

/** The hunks that a command means in the text as it is now; what is meant no more is told, never guessed. */
async function choose(
  { reviews, follower }: OpenReview,
  { uri, choose: among }: Target,
): Promise<{ readonly path: Path; readonly hunks: readonly string[] } | undefined> {
  const path = toPath(uri);
  await follower.settle(path);
  const document = vscode.workspace.textDocuments.find((each) => each.uri.toString() === uri.toString());
  const hunks = among(reviews.hunks(path), document?.lineCount ?? Number.MAX_SAFE_INTEGER);
  if (hunks.length > 0) return { path, hunks: hunks.map(({ id }) => id) };
  void vscode.window.showInformationMessage(vscode.l10n.t('There is no change of Lathe’s here any more.'));
  return undefined;
}

/** What the file was beside what it is. */
export async function openDiff({ reviews }: OpenReview, uri: vscode.Uri): Promise<void> {
  const file = reviews.files().find(({ path }) => path === toPath(uri));
  const isGone = file?.change === 'deleted';
  const title = vscode.l10n.t('{0} (before Lathe ↔ now)', vscode.workspace.asRelativePath(uri));
  await vscode.commands.executeCommand('vscode.diff', baselineOf(uri), isGone ? absenceOf(uri) : uri, title, {
    preview: true,
  });
}

/** All of them in one editor, which says itself how many they are. */
export async function openAll(files: readonly ReviewedFile[]): Promise<void> {
  if (files.length === 0) return sayNothingToReview();
  const sides = files.map(({ path, change }) => {
    const uri = toUri(path);
    return [uri, change === 'created' ? undefined : baselineOf(uri), change === 'deleted' ? undefined : uri];
  });
  await vscode.commands.executeCommand('vscode.changes', vscode.l10n.t('Changes by Lathe'), sides);
}

/** The next change in this file, else the first one of the next file; after the last one the first again. */
export async function goTo({ reviews, follower }: OpenReview, direction: 'next' | 'previous'): Promise<void> {
  await follower.idle();
  const places = reviews.files().flatMap(({ path }) => reviews.hunks(path).map((hunk) => ({ path, hunk })));
  const found = direction === 'next' ? nextPlace(places) : previousPlace(places);
  if (!found) return sayNothingToReview();
  await reveal(found.path, found.hunk);
  const at = vscode.l10n.t('Change {0} of {1}, {2}', places.indexOf(found) + 1, places.length, shown(found.path));
  vscode.window.setStatusBarMessage(at, POSITION_SHOWN_MS);
}

const POSITION_SHOWN_MS = 4_000;

interface Place {
  readonly path: Path;
  readonly hunk: ReviewHunk;
}

function nextPlace(places: readonly Place[]): Place | undefined {
  const here = cursor();
  if (!here) return places[0];
  const isAfter = ({ path, hunk }: Place) => path > here.path || (path === here.path && lineOf(hunk, here) > here.line);
  return places.find(isAfter) ?? places[0];
}

function previousPlace(places: readonly Place[]): Place | undefined {
  const here = cursor();
  if (!here) return places.at(-1);
  const isBefore = ({ path, hunk }: Place) =>
    path < here.path || (path === here.path && lineOf(hunk, here) < here.line);
  return places.findLast(isBefore) ?? places.at(-1);
}

interface Cursor {
  readonly path: Path;
  readonly line: number;
  readonly lineCount: number;
}

function cursor(): Cursor | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  return { path: toPath(document.uri), line: selection.active.line, lineCount: document.lineCount };
}

/** Lines taken out at the end of the file lie on its last line. */
function lineOf({ start }: ReviewHunk, { lineCount }: Pick<Cursor, 'lineCount'>): number {
  return Math.min(start, lineCount - 1);
}

async function reveal(path: Path, hunk: ReviewHunk): Promise<void> {
  const document = await vscode.workspace.openTextDocument(await editorUri(path));
  const line = lineOf(hunk, document);
  const position = new vscode.Position(line, 0);
  const editor = await vscode.window.showTextDocument(document, { selection: new vscode.Range(position, position) });
  const end = new vscode.Position(Math.max(line, hunk.end - 1), 0);
  editor.revealRange(new vscode.Range(position, end), vscode.TextEditorRevealType.InCenterIfOutsideViewport);
}

function sayNothingToReview(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('There is no change of Lathe’s to review.'));
}
