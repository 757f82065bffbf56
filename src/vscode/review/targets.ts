// Which changes a command means: from a menu on a change, a lens, a hover, the list of files, or the cursor. Nothing given is trusted.
import * as vscode from 'vscode';
import type { EditOrigin, Path } from '../../core/host';
import type { ReviewHunk, Reviews } from '../../core/review/types';
import { toPath } from '../uris';

/** Lines as the editor's own diff counts them: from 1; an end of 0 with nothing there, after the start. */
interface EditorChange {
  readonly modifiedStartLineNumber: number;
  readonly modifiedEndLineNumber: number;
}

export interface Target {
  readonly uri: vscode.Uri;
  /** Of the text as it is when the command begins. */
  readonly choose: (hunks: readonly ReviewHunk[], lineCount: number) => readonly ReviewHunk[];
}

/** The change that a command was called on; without arguments the one at the cursor. */
export function changeTarget(args: readonly unknown[]): Target | undefined {
  const [given, changes, index] = args;
  const uri = uriFrom(given);
  if (!uri) return cursorTarget();
  if (typeof changes === 'string') return { uri, choose: (hunks) => hunks.filter(({ id }) => id === changes) };
  const change = Array.isArray(changes) && typeof index === 'number' ? (changes as unknown[])[index] : undefined;
  if (!isEditorChange(change)) return undefined;
  return { uri, choose: (hunks) => hunks.filter((hunk) => touches(hunk, change)) };
}

function cursorTarget(): Target | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { line } = editor.selection.active;
  return {
    uri: editor.document.uri,
    choose: (hunks, lineCount) => {
      const found = hunkAt(hunks, line, lineCount);
      return found ? [found] : [];
    },
  };
}

/** The files that a command was called on: of the list, several too; else the one in the editor. */
export function fileTargets(args: readonly unknown[]): readonly vscode.Uri[] {
  const given = args.flatMap(
    (each) => uriFrom(each) ?? uriFrom((Object(each) as { resourceUri?: unknown }).resourceUri) ?? [],
  );
  if (given.length > 0) return given;
  const editor = vscode.window.activeTextEditor;
  return editor ? [editor.document.uri] : [];
}

export function pathsOf(uris: readonly vscode.Uri[]): readonly Path[] {
  return uris.map(toPath);
}

/** The call that a link names; without arguments the one that wrote the line at the cursor. */
export function originTarget(
  reviews: Reviews,
  [session, call]: readonly unknown[],
): Pick<EditOrigin, 'session' | 'call'> | undefined {
  if (typeof session === 'string' && typeof call === 'string') return { session, call };
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const path = toPath(editor.document.uri);
  const { line } = editor.selection.active;
  return reviews.originOf(path, line) ?? hunkAt(reviews.hunks(path), line, editor.document.lineCount)?.origins.at(-1);
}

function uriFrom(value: unknown): vscode.Uri | undefined {
  if (value instanceof vscode.Uri) return value;
  if (typeof value !== 'string') return undefined;
  try {
    return vscode.Uri.parse(value, true);
  } catch {
    return undefined;
  }
}

/** The hunk that holds the line; of lines taken out, the place where they were. */
export function hunkAt(hunks: readonly ReviewHunk[], line: number, lineCount: number): ReviewHunk | undefined {
  const inside = hunks.find(({ start, end }) => line >= start && line < end);
  return inside ?? hunks.find(({ start, end }) => start === end && line === Math.min(start, lineCount - 1));
}

function touches(
  { start, end }: ReviewHunk,
  { modifiedStartLineNumber, modifiedEndLineNumber }: EditorChange,
): boolean {
  const isGone = modifiedEndLineNumber === 0;
  const from = isGone ? modifiedStartLineNumber : modifiedStartLineNumber - 1;
  const to = isGone ? from : modifiedEndLineNumber;
  // Two runs without lines meet where they are; the others where they share a line.
  return start === end || from === to ? start <= to && from <= end : start < to && from < end;
}

function isEditorChange(value: unknown): value is EditorChange {
  const { modifiedStartLineNumber, modifiedEndLineNumber } = Object(value) as Partial<EditorChange>;
  return typeof modifiedStartLineNumber === 'number' && typeof modifiedEndLineNumber === 'number';
}
