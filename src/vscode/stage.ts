// The first half of an edit in the editor: each change is checked against the text as it is now, and how to make it is decided.
import { dirname, isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { applySplices } from '../core/edit/lines';
import type { FileChange, Files, Path, TextFile } from '../core/host';
import { isProblem } from '../core/host';
import { isTaken, versionOf } from '../node/files';
import { isRefusal, type Refusal } from '../node/stage';
import { editorUri, findDocument, settles } from './documents';
import { lineEndings, smallest, type LineEnding } from './splices';
import { isLocal, toUri } from './uris';

export { isRefusal, type Refusal };

/** The editor holds texts up to this size, in bytes; larger ones are changed on disk [R07]. */
export const EDITOR_MAX_BYTES = 10 * 1024 * 1024;
/** How long the editor may take to follow a change on disk before a document counts as out of step. */
const FOLLOW_LIMIT_MS = 3_000;
const HALF_CHARACTER = /\p{Surrogate}/u;

export interface Staged {
  readonly change: FileChange;
  readonly uri: vscode.Uri;
  /** `disk`: what the editor cannot hold as it is, written there by replacing the file. */
  readonly where: 'editor' | 'disk';
  readonly document?: vscode.TextDocument;
  readonly wasDirty: boolean;
  /** The text before; absent for a new file. */
  readonly before?: string;
  /** What the text must be right after; absent where no text changes. */
  readonly expected?: string;
  /** The bytes on disk, as the writer there names them. */
  readonly version?: string;
  /** Bytes of a new file. */
  readonly contents?: Uint8Array;
}

export async function stageChange(change: FileChange, files: Files, maxBytes: number): Promise<Staged | Refusal> {
  if (change.real !== undefined && (await files.realPath(change.path)) !== change.real) {
    return { refusal: `${change.path} leads somewhere else by now. Read it again.` };
  }
  if (change.kind === 'create') return stageCreate(change);
  if (change.kind === 'put') return stagePut(change, files);
  const current = await files.text(change.path, maxBytes);
  if (isProblem(current)) {
    if (change.kind === 'edit' || current.problem === 'missing') return { refusal: current.message };
    return { refusal: `${current.message} Lathe deletes and moves text files only; use the shell.` };
  }
  if (current.version !== change.baseVersion) return changed(change.path);
  if (change.kind === 'edit') return stageEdit(change, current, files, maxBytes);
  if (current.isDirty) {
    return {
      refusal: `${change.path} has unsaved changes in the editor. Ask the person to save or discard them first.`,
    };
  }
  if (change.kind === 'move' && change.toReal !== undefined && (await files.realPath(change.to)) !== change.toReal) {
    return { refusal: `${change.to} leads somewhere else by now. Read it again.` };
  }
  if (change.kind === 'move' && (await files.stat(change.to))) return { refusal: `${change.to} exists already.` };
  const uri = await editorUri(change.path);
  return { change, uri, where: 'editor', wasDirty: false, before: current.text };
}

async function stageCreate(change: FileChange & { kind: 'create' }): Promise<Staged | Refusal> {
  const { path, text } = change;
  if (isLocal(path) && !isAbsolute(path)) return { refusal: `${path} is not an absolute path.` };
  const uri = await editorUri(path);
  const parent = isLocal(path) ? toUri(dirname(path)) : vscode.Uri.joinPath(uri, '..');
  const blocked = await blockingFile(parent);
  if (blocked) return { refusal: `${path} cannot be made: ${blocked.fsPath} is a file, not a folder.` };
  const isThere = isLocal(path) ? await isTaken(path) : await exists(uri);
  if (isThere) return { refusal: `${path} exists already.` };
  const document = await findDocument(path);
  if (document?.isDirty) return { refusal: `${path} is open in the editor with unsaved text, though not on disk.` };
  if (HALF_CHARACTER.test(text)) return halfCharacter(path);
  const contents = await vscode.workspace.encode(text, { uri });
  return { change, uri, where: 'editor', wasDirty: false, expected: text, contents };
}

async function stageEdit(
  change: FileChange & { kind: 'edit' },
  current: TextFile,
  files: Files,
  maxBytes: number,
): Promise<Staged | Refusal> {
  const { path } = change;
  const before = current.text;
  const expected = applySplices(before, change.splices);
  if (HALF_CHARACTER.test(expected)) return halfCharacter(path);
  const eols = new Set([...lineEndings(before), ...lineEndings(expected)]);
  const open = await findDocument(path);
  const staged = { change, before, expected, wasDirty: current.isDirty } as const;

  if (current.isDirty && open) {
    if (fitsEditor(eols, open)) return { ...staged, uri: open.uri, where: 'editor', document: open };
    return {
      refusal: `${path} has unsaved changes and the edit would bring in other line endings, which the editor would rewrite. Use the line endings of the file.`,
    };
  }
  if (eols.size > 1 || Buffer.byteLength(expected) > EDITOR_MAX_BYTES) return stageOnDisk(staged, files, maxBytes);

  const uri = await editorUri(path);
  const document = open ?? (await vscode.workspace.openTextDocument(uri));
  if (!fitsEditor(eols, document)) return stageOnDisk(staged, files, maxBytes);
  if (!(await settles(document, before, FOLLOW_LIMIT_MS))) {
    return { refusal: `The editor shows another text of ${path} than the disk holds. Read it again.` };
  }
  return { ...staged, uri, where: 'editor', document };
}

/** Bytes are written on disk; an open document without unsaved changes follows. */
async function stagePut(change: FileChange & { kind: 'put' }, files: Files): Promise<Staged | Refusal> {
  const { path, baseVersion } = change;
  if (!isLocal(path)) return { refusal: `${path} is not on a local disk, where alone bytes can be put back.` };
  if ((await findDocument(path))?.isDirty) return { refusal: `${path} has unsaved changes in the editor.` };
  const staged = { change, uri: toUri(path), where: 'disk', wasDirty: false } as const;
  if (baseVersion === undefined) return staged;
  const current = await files.version(path);
  if (typeof current !== 'string') return { refusal: current.message };
  if (current !== baseVersion) return changed(path);
  const bytes = await files.bytes(path, Number.MAX_SAFE_INTEGER);
  return isProblem(bytes) ? { refusal: bytes.message } : { ...staged, version: versionOf(bytes) };
}

async function stageOnDisk(
  staged: Pick<Staged, 'change' | 'before' | 'expected' | 'wasDirty'>,
  files: Files,
  maxBytes: number,
): Promise<Staged | Refusal> {
  const { path } = staged.change;
  if (!isLocal(path)) return { refusal: `${path} mixes line endings, which can be kept on a local disk only.` };
  const bytes = await files.bytes(path, maxBytes);
  if (isProblem(bytes)) return { refusal: bytes.message };
  return { ...staged, uri: toUri(path), where: 'disk', version: versionOf(bytes) };
}

/** Adds the change to an edit that is applied whole. */
export function addToEdit(
  edit: vscode.WorkspaceEdit,
  { change, uri, document, before, contents }: Staged,
  label: string,
): void {
  const metadata = { label, needsConfirmation: false };
  if (change.kind === 'create') edit.createFile(uri, { ...(contents && { contents }) }, metadata);
  if (change.kind === 'delete') edit.deleteFile(uri, {}, metadata);
  if (change.kind === 'move') edit.renameFile(uri, toUri(change.to), {}, metadata);
  if (change.kind !== 'edit' || !document || before === undefined) return;
  for (const { start, end, text } of change.splices.map((one) => smallest(one, before))) {
    edit.replace(uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text, metadata);
  }
}

/** A document has one kind of line ending and turns every other into it. */
function fitsEditor(eols: ReadonlySet<LineEnding>, { eol }: vscode.TextDocument): boolean {
  const own: LineEnding = eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
  return [...eols].every((found) => found === own);
}

async function blockingFile(folder: vscode.Uri): Promise<vscode.Uri | undefined> {
  for (let at = folder; ; at = vscode.Uri.joinPath(at, '..')) {
    const found = await vscode.workspace.fs.stat(at).then(
      ({ type }) => type,
      () => undefined,
    );
    if (found !== undefined) return found & vscode.FileType.Directory ? undefined : at;
    if (at.path === '/' || at.path === '') return undefined;
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  return vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
}

export function changed(path: Path): Refusal {
  return { refusal: `${path} has changed since it was read. Read it again and repeat the edit on its current text.` };
}

function halfCharacter(path: Path): Refusal {
  return { refusal: `The text for ${path} holds half of a surrogate pair (\\ud800–\\udfff), which is no character.` };
}
