// An open notebook with unsaved changes as the file that saving it would write: the live cells are the truth.
import * as vscode from 'vscode';
import { isJsonObject, type Json, type JsonObject } from '../common/json';
import type { Path } from '../core/host';
import { toUri } from './uris';

/** Undefined when it is not open as a notebook, or as it is on disk. */
export function dirtyNotebook(path: Path): vscode.NotebookDocument | undefined {
  const uri = toUri(path).toString();
  return vscode.workspace.notebookDocuments.find(
    (notebook) => notebook.isDirty && !notebook.isClosed && notebook.uri.toString() === uri,
  );
}

/** Format 4, with what the editor's own serializer keeps in the metadata. The same cells give the same text. */
export function notebookJson(notebook: vscode.NotebookDocument): string {
  const kept = custom(notebook.metadata);
  const { metadata = {}, nbformat = 4, nbformat_minor = 5 } = kept;
  const cells = notebook.getCells().map((cell): JsonObject => {
    const { id, metadata: inner = {}, attachments } = custom(cell.metadata);
    return {
      cell_type: typeOf(cell),
      ...(typeof id === 'string' ? { id } : {}),
      metadata: withLanguage(inner, cell),
      ...(attachments === undefined ? {} : { attachments }),
      source: splitLines(cell.document.getText()),
      ...(typeOf(cell) === 'code'
        ? {
            execution_count: cell.executionSummary?.executionOrder ?? null,
            outputs: cell.outputs.map(outputOf),
          }
        : {}),
    };
  });
  return `${JSON.stringify({ cells, metadata, nbformat, nbformat_minor }, undefined, 1)}\n`;
}

/** Older editors keep the file's metadata one level deeper. */
function custom(metadata: { readonly [key: string]: unknown }): JsonObject {
  const inner = metadata['custom'];
  return (isJsonObject(inner) ? inner : metadata) as JsonObject;
}

function typeOf({ kind, document }: vscode.NotebookCell): string {
  // The editor has raw cells as code in a language of that name.
  if (document.languageId === 'raw') return 'raw';
  return kind === vscode.NotebookCellKind.Code ? 'code' : 'markdown';
}

function withLanguage(metadata: Json, cell: vscode.NotebookCell): Json {
  const { document } = cell;
  const preferred = typeOf(cell) === 'code' && document.languageId !== 'python';
  if (!preferred || !isJsonObject(metadata)) return metadata;
  return { ...metadata, vscode: { languageId: document.languageId } };
}

function splitLines(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

const ERROR_TYPE = 'application/vnd.code.notebook.error';
const STREAM_TYPES: Readonly<Record<string, string>> = {
  'application/vnd.code.notebook.stdout': 'stdout',
  'application/vnd.code.notebook.stderr': 'stderr',
};

function outputOf({ items, metadata }: vscode.NotebookCellOutput): JsonObject {
  const [first] = items;
  const stream = STREAM_TYPES[first?.mime ?? ''];
  if (stream !== undefined) {
    const text = items.map(({ data }) => Buffer.from(data).toString()).join('');
    return { output_type: 'stream', name: stream, text: splitLines(text) };
  }
  if (first?.mime === ERROR_TYPE) {
    const fault = parse(first.data);
    const { name = 'Error', message = '', stack = '' } = isJsonObject(fault) ? fault : {};
    return {
      output_type: 'error',
      ename: name,
      evalue: message,
      traceback: typeof stack === 'string' ? stack.split('\n') : [],
    };
  }
  const data: JsonObject = Object.fromEntries(items.map((item) => [item.mime, dataOf(item.mime, item.data)]));
  const original: unknown = metadata?.['outputType'];
  return { output_type: typeof original === 'string' ? original : 'display_data', data, metadata: {} };
}

function dataOf(mime: string, bytes: Uint8Array): Json {
  const buffer = Buffer.from(bytes);
  if (mime.startsWith('image/') && mime !== 'image/svg+xml') return buffer.toString('base64');
  return /^application\/(?:.*\+)?json$/.test(mime) ? parse(bytes) : splitLines(buffer.toString());
}

function parse(bytes: Uint8Array): Json {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as Json;
  } catch {
    return null;
  }
}
