// The Files port on the editor: unsaved changes are the truth, everything else is read from disk as it is now. Nothing is opened to be read.
import * as vscode from 'vscode';
import { messageOf } from '../../common/errors';
import {
  isProblem,
  type DirectoryEntry,
  type FileProblem,
  type Files,
  type FileStat,
  type LineRange,
  type Path,
  type TextFile,
  type TextLine,
  type TextLines,
  type WholeFile,
} from '../../core/host';
import { createFiles, versionOf } from '../../node/files';
import { readLines } from '../../node/lines';
import { findDocument } from './documents';
import { decode } from './encodings';
import { dirtyNotebook, notebookJson } from './notebooks';
import { isLocal, toUri } from '../uris';

/** Larger files are known by their bytes. */
export const EDITOR_TEXT_BYTES = 50 * 1024 * 1024;

export function editorFiles(): Files {
  const disk = createFiles();
  const bytesOf = (path: Path, maxBytes: number) =>
    isLocal(path) ? disk.bytes(path, maxBytes) : remoteBytes(path, maxBytes);
  return {
    stat: async (path) => (isLocal(path) ? disk.stat(path) : remoteStat(path)),
    realPath: async (path) => (isLocal(path) ? disk.realPath(path) : path),
    list: async (path) => (isLocal(path) ? disk.list(path) : remoteList(path)),
    bytes: bytesOf,
    async lines(path, range, signal) {
      const document = await findDocument(path);
      if (document?.isDirty) return liveLines(document, range);
      return isLocal(path) ? readLines(path, range, signal) : remoteLines(path);
    },
    async text(path, maxBytes) {
      const document = await findDocument(path);
      if (document?.isDirty) return liveText(document, maxBytes);
      const notebook = dirtyNotebook(path);
      if (notebook) return live(path, notebookJson(notebook), maxBytes);
      const bytes = await bytesOf(path, maxBytes);
      if (isProblem(bytes)) return bytes;
      const decoded = await decode(bytes, toUri(path), document?.encoding);
      if (isProblem(decoded)) return { ...decoded, message: `${path} ${decoded.message}` };
      return { ...decoded, version: versionOfText(decoded.text), isDirty: false };
    },
    async whole(path, maxBytes) {
      const document = await findDocument(path);
      const notebook = dirtyNotebook(path);
      const unsaved = document?.isDirty
        ? liveText(document, maxBytes)
        : notebook && live(path, notebookJson(notebook), maxBytes);
      if (unsaved && isProblem(unsaved)) return unsaved;
      const onDisk = isLocal(path) ? await disk.whole(path, maxBytes) : await remoteWhole(path, maxBytes);
      if (!unsaved) return onDisk;
      if (!isProblem(onDisk)) return { ...onDisk, unsaved: unsaved.text };
      return onDisk.problem === 'missing' ? { unsaved: unsaved.text } : onDisk;
    },
    async version(path) {
      const text = await this.text(path, EDITOR_TEXT_BYTES);
      if (!isProblem(text)) return text.version;
      if (text.problem === 'missing' || text.problem === 'directory' || text.problem === 'not-regular') return text;
      if (isLocal(path)) return disk.version(path);
      const bytes = await remoteBytes(path, Number.MAX_SAFE_INTEGER);
      return isProblem(bytes) ? bytes : versionOf(bytes);
    },
  };
}

/** The text itself is the version: neither opening a file, nor closing or saving it, makes it another one. */
export function versionOfText(text: string): string {
  return versionOf(Buffer.from(text));
}

function liveText(document: vscode.TextDocument, maxBytes: number): TextFile | FileProblem {
  return live(document.uri.fsPath, document.getText(), maxBytes, document.encoding);
}

function live(path: Path, text: string, maxBytes: number, encoding = 'utf8'): TextFile | FileProblem {
  if (Buffer.byteLength(text) > maxBytes) {
    const limit = `${(maxBytes / 1024 / 1024).toFixed(1)} MB`;
    return { problem: 'too-large', message: `${path} is larger than ${limit}, unsaved changes included.` };
  }
  return { text, version: versionOfText(text), isDirty: true, encoding };
}

/** The editor holds all of it anyway. */
function liveLines(document: vscode.TextDocument, { first, count, lineMaxChars, maxChars }: LineRange): TextLines {
  const endsOpen = document.lineAt(document.lineCount - 1).text !== '';
  const total = document.lineCount - (endsOpen ? 0 : 1);
  const lines: TextLine[] = [];
  let chars = 0;
  for (let number = first; number <= total && lines.length < count && chars < maxChars; number++) {
    const whole = document.lineAt(number - 1).text;
    const text = whole.slice(0, lineMaxChars).replace(whole.length > lineMaxChars ? /[\ud800-\udbff]$/ : '', '');
    lines.push({ text, moreBytes: Buffer.byteLength(whole) - Buffer.byteLength(text) });
    chars += text.length;
  }
  return { lines, total, isDirty: true };
}

/** A provider of files gives them whole or not at all. */
function remoteLines(path: Path): FileProblem {
  return {
    problem: 'too-large',
    message: `${path} is too large to be read. Find the part you need with grep, or print a range with the shell.`,
  };
}

async function remoteStat(path: Path): Promise<FileStat | undefined> {
  try {
    const { type, size, mtime } = await vscode.workspace.fs.stat(toUri(path));
    return { kind: kindOf(type), sizeBytes: size, modifiedMs: mtime };
  } catch {
    return undefined;
  }
}

async function remoteList(path: Path): Promise<readonly DirectoryEntry[] | FileProblem> {
  try {
    const entries = await vscode.workspace.fs.readDirectory(toUri(path));
    return entries
      .map(([name, type]) => ({ name, kind: kindOf(type), isLink: (type & vscode.FileType.SymbolicLink) !== 0 }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    return remoteProblem(path, error);
  }
}

async function remoteBytes(path: Path, maxBytes: number): Promise<Uint8Array | FileProblem> {
  const found = await remoteStat(path);
  if (found?.kind === 'directory') return { problem: 'directory', message: `${path} is a folder, not a file.` };
  if (found && found.sizeBytes > maxBytes) {
    return { problem: 'too-large', message: `${path} is larger than ${(maxBytes / 1024 / 1024).toFixed(1)} MB.` };
  }
  try {
    return await vscode.workspace.fs.readFile(toUri(path));
  } catch (error) {
    return remoteProblem(path, error);
  }
}

async function remoteWhole(path: Path, maxBytes: number): Promise<WholeFile | FileProblem> {
  const bytes = await remoteBytes(path, maxBytes);
  return isProblem(bytes) ? bytes : { bytes };
}

function kindOf(type: vscode.FileType): FileStat['kind'] {
  if (type & vscode.FileType.File) return 'file';
  return type & vscode.FileType.Directory ? 'directory' : 'other';
}

function remoteProblem(path: Path, error: unknown): FileProblem {
  const code = error instanceof vscode.FileSystemError ? error.code : '';
  if (code === 'FileNotFound') return { problem: 'missing', message: `${path} does not exist.` };
  if (code === 'NoPermissions') return { problem: 'denied', message: `The system denies access to ${path}.` };
  return { problem: 'failed', message: `${path}: ${messageOf(error)}` };
}
