// The Files port on the editor: unsaved changes are the truth, everything else is read from disk as it is now. Nothing is opened to be read.
import * as vscode from 'vscode';
import {
  isProblem,
  type DirectoryEntry,
  type FileProblem,
  type Files,
  type FileStat,
  type Path,
  type TextFile,
  type WholeFile,
} from '../core/host';
import { createFiles, versionOf } from '../node/files';
import { decodeText } from '../node/text';
import { findDocument } from './documents';
import { isLocal, toUri } from './uris';

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
    async text(path, maxBytes) {
      const document = await findDocument(path);
      if (document?.isDirty) return liveText(document, maxBytes);
      const bytes = await bytesOf(path, maxBytes);
      if (isProblem(bytes)) return bytes;
      const decoded = await decode(bytes, toUri(path), document?.encoding);
      if (isProblem(decoded)) return { ...decoded, message: `${path} ${decoded.message}` };
      return { ...decoded, version: versionOfText(decoded.text), isDirty: false };
    },
    async whole(path, maxBytes) {
      const document = await findDocument(path);
      const unsaved = document?.isDirty ? liveText(document, maxBytes) : undefined;
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
  const text = document.getText();
  if (Buffer.byteLength(text) > maxBytes) {
    const limit = `${(maxBytes / 1024 / 1024).toFixed(1)} MB`;
    return {
      problem: 'too-large',
      message: `${document.uri.fsPath} is larger than ${limit}, unsaved changes included.`,
    };
  }
  return { text, version: versionOfText(text), isDirty: true, encoding: document.encoding };
}

/**
 * Strict: what would not come back as the same bytes is a problem, never U+FFFD. The encoding is that of a byte-order mark,
 * else that of the open document, else what the person has set for the file.
 */
async function decode(
  bytes: Uint8Array,
  uri: vscode.Uri,
  documentEncoding: string | undefined,
): Promise<{ readonly text: string; readonly encoding: string } | FileProblem> {
  const encoding = documentEncoding ?? encodingFor(uri);
  if (encoding.startsWith('utf8') || hasMark(bytes)) return decodeText(bytes);
  try {
    const text = await vscode.workspace.decode(bytes, { encoding });
    const back = await vscode.workspace.encode(text, { encoding });
    if (Buffer.compare(back, bytes) === 0) return { text, encoding };
    return {
      problem: 'encoding',
      message: `is not valid ${encoding} text, which is the encoding set for it; it is left alone.`,
    };
  } catch {
    return { problem: 'binary', message: 'is a binary file, so it has no text to show or edit.' };
  }
}

/** What the person has set for the file, as the editor calls it. */
export function encodingFor(uri: vscode.Uri): string {
  return vscode.workspace.getConfiguration('files', uri).get<string>('encoding') ?? 'utf8';
}

/** Whether the text comes back as it is from its bytes in that encoding. */
export async function canEncode(text: string, encoding: string): Promise<boolean> {
  if (encoding.startsWith('utf')) return true;
  const bytes = await vscode.workspace.encode(text, { encoding });
  return (await vscode.workspace.decode(bytes, { encoding })) === text;
}

function hasMark([a, b, c]: Uint8Array): boolean {
  return (a === 0xef && b === 0xbb && c === 0xbf) || (a === 0xff && b === 0xfe) || (a === 0xfe && b === 0xff);
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
  return { problem: 'failed', message: `${path}: ${error instanceof Error ? error.message : String(error)}` };
}
