// The first half of an edit in the editor: each change is checked against the text as it is now, and how to make it is decided.
import { access, constants, stat } from 'node:fs/promises';
import { dirname, isAbsolute } from 'node:path';
import * as vscode from 'vscode';
import { applySplices } from '../../core/edit/lines';
import { lineEndings, type LineEnding } from '../../core/edit/splices';
import { hasNotebookName } from '../../core/files/notebook';
import type { FileChange, Files, Path, TextFile } from '../../core/host';
import { isProblem } from '../../core/host';
import { isTaken, versionOf } from '../../node/files';
import { isTakenFor } from '../../node/spelling';
import { entryPath, isRefusal, ledAstray, type Refusal } from '../../node/stage';
import type { StagedCell } from './cells';
import { editorUri, entryUri, findDocument, settles } from '../files/documents';
import { canEncode, encodingFor } from '../files/encodings';
import { EDITOR_TEXT_BYTES } from '../files/files';
import { dirtyNotebook } from '../files/notebooks';
import { isLocal, toUri } from '../uris';

export { isRefusal, type Refusal };

/** The editor holds texts up to this size, in bytes; larger ones are changed on disk [R07]. */
export const EDITOR_MAX_BYTES = 10 * 1024 * 1024;
const HALF_CHARACTER = /\p{Surrogate}/u;

export interface Staged {
  readonly change: FileChange;
  readonly uri: vscode.Uri;
  /**
   * `disk`: what the editor cannot hold as it is, written there by replacing the file. `buffer`: bytes under a document that has
   * unsaved changes, or is to have some. `cells`: a notebook that is open as one. `notebook`: bytes under such a one, as with a
   * buffer.
   */
  readonly where: 'editor' | 'disk' | 'buffer' | 'cells' | 'notebook';
  readonly cell?: StagedCell;
  readonly document?: vscode.TextDocument;
  readonly wasDirty: boolean;
  /** Nothing was there. */
  readonly isNew?: boolean;
  /** The text before; absent for a new file and for what is no text. */
  readonly before?: string;
  /** What the text must be right after; absent where no text changes. */
  readonly expected?: string;
  /** The bytes on disk before, as the writer there names them; with several changes the bytes themselves, to take them back. */
  readonly version?: string;
  readonly bytes?: Uint8Array;
  /** Bytes of a new file. */
  readonly contents?: Uint8Array;
  readonly wouldTrash?: boolean;
}

export interface StageLimits {
  readonly maxBytes: number;
  /** The only change of its plan: nothing can fail after it that it would have to be taken back for. */
  readonly isAlone: boolean;
}

export async function stageChange(change: FileChange, files: Files, limits: StageLimits): Promise<Staged | Refusal> {
  const astray = await refuseAstray(change, files);
  if (astray) return astray;
  if (change.kind === 'create') return stageCreate(change);
  if (change.kind === 'put') return stagePut(change, files);
  if (change.kind === 'edit') return stageEdit(change, files, limits);
  return stageRemoval(change, files, limits);
}

/** The path that was judged and shown is the one that is written (S32): asked once more when everything else is ready. */
export async function refuseAstray(change: FileChange, files: Pick<Files, 'realPath'>): Promise<Refusal | undefined> {
  if (change.real !== undefined && (await files.realPath(change.path)) !== change.real) return ledAstray(change.path);
  const isMove = change.kind === 'move' && change.toReal !== undefined;
  return isMove && (await files.realPath(change.to)) !== change.toReal ? ledAstray(change.to) : undefined;
}

/** Any regular file: what is no text has the version of its bytes. */
async function stageRemoval(
  change: FileChange & { kind: 'delete' | 'move' },
  files: Files,
  { isAlone }: StageLimits,
): Promise<Staged | Refusal> {
  const { path } = change;
  const text = await files.text(path, EDITOR_TEXT_BYTES);
  const version = isProblem(text) ? await files.version(path) : text.version;
  if (typeof version !== 'string') return { refusal: version.message };
  if (version !== change.baseVersion) return changed(path);
  if (!isProblem(text) && text.isDirty) {
    return { refusal: `${path} has unsaved changes in the editor. Ask the person to save or discard them first.` };
  }
  if (change.kind === 'move' && (await isTakenByOther(change))) return { refusal: `${change.to} exists already.` };
  const bytes = isAlone ? undefined : await files.bytes(path, Number.MAX_SAFE_INTEGER);
  if (bytes && isProblem(bytes)) return { refusal: bytes.message };
  const uri = await entryUri(path);
  return {
    ...{ change, uri, where: 'editor', wasDirty: false, wouldTrash: hasTrash(uri) },
    ...(!isProblem(text) && { before: text.text }),
    ...(bytes && { bytes }),
  };
}

/** The editor does not tell which file systems have a trash: those of the machine that its window runs on. */
function hasTrash(uri: vscode.Uri): boolean {
  const { appHost, remoteName } = vscode.env;
  const isHere = uri.scheme === 'file' && appHost === 'desktop' && remoteName === undefined;
  return isHere && vscode.workspace.getConfiguration('files', uri).get<boolean>('enableTrash') !== false;
}

async function stageCreate(change: FileChange & { kind: 'create' }): Promise<Staged | Refusal> {
  const { path, text } = change;
  if (isLocal(path) && !isAbsolute(path)) return { refusal: `${path} is not an absolute path.` };
  const uri = await editorUri(path);
  const parent = isLocal(path) ? toUri(dirname(path)) : vscode.Uri.joinPath(uri, '..');
  const blocked = await blockingFile(parent);
  if (blocked) return { refusal: `${path} cannot be made: ${blocked.fsPath} is a file, not a folder.` };
  if (await exists(path)) return { refusal: `${path} exists already.` };
  const document = await findDocument(path);
  if (document?.isDirty) return { refusal: `${path} is open in the editor with unsaved text, though not on disk.` };
  if (HALF_CHARACTER.test(text)) return halfCharacter(path);
  const encoding = encodingFor(uri);
  if (!(await canEncode(text, encoding))) return notInEncoding(path, encoding);
  const contents = await vscode.workspace.encode(text, { uri });
  return { change, uri, where: 'editor', wasDirty: false, isNew: true, expected: text, contents };
}

async function stageEdit(
  change: FileChange & { kind: 'edit' },
  files: Files,
  { maxBytes }: StageLimits,
): Promise<Staged | Refusal> {
  const { path } = change;
  const current = await files.text(path, maxBytes);
  if (isProblem(current)) return { refusal: current.message };
  if (current.version !== change.baseVersion) return changed(path);
  if (isLocal(path) && !(await isWritable(path))) return { refusal: `${path} is read-only.` };
  const before = current.text;
  const expected = applySplices(before, change.splices);
  if (HALF_CHARACTER.test(expected)) return halfCharacter(path);
  if (!(await canEncode(expected, current.encoding))) return notInEncoding(path, current.encoding);
  const eols = new Set([...lineEndings(before), ...lineEndings(expected)]);
  const open = await findDocument(path);
  const staged = { change, before, expected, wasDirty: current.isDirty } as const;

  if (current.isDirty && open) {
    if (fitsEditor(eols, open)) return { ...staged, uri: open.uri, where: 'editor', document: open };
    return {
      refusal: `${path} has unsaved changes and the edit would bring in other line endings, which the editor would rewrite. Use the line endings of the file.`,
    };
  }
  // The editor takes a mark at the start for the mark of the file and drops it.
  const hasMark = before.startsWith('\ufeff') || expected.startsWith('\ufeff');
  if (hasMark || eols.size > 1 || Buffer.byteLength(expected) > EDITOR_MAX_BYTES)
    return stageOnDisk(staged, files, open);

  const uri = await editorUri(path);
  const document = open ?? (await openAs(uri, current));
  if (!fitsEditor(eols, document)) return stageOnDisk(staged, files, document);
  if (!(await settles(document, before))) {
    return { refusal: `The editor shows another text of ${path} than the disk holds. Read it again.` };
  }
  return { ...staged, uri, where: 'editor', document };
}

/** The editor may guess encodings; the text that was read is in the one that it was read in. */
async function openAs(uri: vscode.Uri, { encoding }: TextFile): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uri);
  if (document.encoding === encoding || document.isDirty) return document;
  return vscode.workspace.openTextDocument(uri, { encoding });
}

async function isWritable(path: Path): Promise<boolean> {
  try {
    const [{ mode }] = await Promise.all([stat(path), access(path, constants.W_OK)]);
    return (mode & 0o222) !== 0;
  } catch {
    return false;
  }
}

/** Bytes are written on disk; an open document without unsaved changes follows, one with them is changed with the disk. */
async function stagePut(change: FileChange & { kind: 'put' }, files: Files): Promise<Staged | Refusal> {
  const { path, baseVersion, unsaved } = change;
  if (!isLocal(path)) return { refusal: `${path} is not on a local disk, where alone bytes can be put back.` };
  const [text, open] = await Promise.all([files.text(path, EDITOR_TEXT_BYTES), findDocument(path)]);
  const isThere = await exists(path);
  if (baseVersion === undefined && isThere) return { refusal: `${path} exists already.` };
  const notebook = dirtyNotebook(path);
  const wasDirty = open?.isDirty || notebook !== undefined;
  if (wasDirty && baseVersion === undefined) return { refusal: `${path} has unsaved changes in the editor.` };
  const holdsUnsaved = wasDirty || unsaved !== undefined;
  const asNotebook = notebook !== undefined || (unsaved !== undefined && !open && hasNotebookName(path));
  const where = asNotebook ? 'notebook' : holdsUnsaved ? 'buffer' : 'disk';
  const staged = { change, uri: await editorUri(path), where, wasDirty, ...(open && { document: open }) } as const;
  if (baseVersion === undefined) return { ...staged, isNew: true };

  const version = isProblem(text) ? await files.version(path) : text.version;
  if (typeof version !== 'string') return { refusal: version.message };
  if (version !== baseVersion) return changed(path);
  const before = isProblem(text) ? {} : { before: text.text };
  // The person has deleted the file and kept its text in the editor.
  if (!isThere) return { ...staged, ...before };
  const bytes = await files.bytes(path, Number.MAX_SAFE_INTEGER);
  return isProblem(bytes) ? { refusal: bytes.message } : { ...staged, ...before, version: versionOf(bytes), bytes };
}

async function stageOnDisk(
  staged: Pick<Staged, 'change' | 'before' | 'expected' | 'wasDirty'>,
  files: Files,
  document: vscode.TextDocument | undefined,
): Promise<Staged | Refusal> {
  const { path } = staged.change;
  if (!isLocal(path)) return { refusal: `${path} mixes line endings, which can be kept on a local disk only.` };
  const bytes = await files.bytes(path, EDITOR_TEXT_BYTES);
  if (isProblem(bytes)) return { refusal: bytes.message };
  return {
    ...staged,
    uri: toUri(path),
    where: 'disk',
    version: versionOf(bytes),
    bytes,
    ...(document && { document }),
  };
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

/** The name itself: a link that leads nowhere is there too. */
async function exists(path: Path): Promise<boolean> {
  if (isLocal(path)) return isTaken(path);
  return vscode.workspace.fs.stat(toUri(path)).then(
    () => true,
    () => false,
  );
}

/** The same name in another spelling is the file itself where the file system folds case. */
async function isTakenByOther({ path, to }: FileChange & { kind: 'move' }): Promise<boolean> {
  if (!isLocal(path) || !isLocal(to)) return exists(to);
  const [from, place] = await Promise.all([entryPath(path), entryPath(to)]);
  return isTakenFor(from, place);
}

export function changed(path: Path): Refusal {
  return { refusal: `${path} has changed since it was read. Read it again and repeat the edit on its current text.` };
}

function halfCharacter(path: Path): Refusal {
  return { refusal: `The text for ${path} holds half of a surrogate pair (\\ud800–\\udfff), which is no character.` };
}

function notInEncoding(path: Path, encoding: string): Refusal {
  return {
    refusal: `${path} is kept in the encoding ${encoding}, which has no place for some character of the new text. Use characters of that encoding, or ask the person to save the file as UTF-8.`,
  };
}
