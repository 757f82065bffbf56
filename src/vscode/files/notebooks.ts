// An open notebook with unsaved changes as the file that saving it would write: the live cells are the truth.
import * as vscode from 'vscode';
import { isJsonObject, type Json, type JsonObject } from '../../common/json';
import { parseNotebook } from '../../core/files/notebook';
import type { Path } from '../../core/host';
import { toUri } from '../uris';

/** Undefined when it is not open as a notebook. */
export function openNotebook(path: Path): vscode.NotebookDocument | undefined {
  const uri = toUri(path).toString();
  return vscode.workspace.notebookDocuments.find((each) => !each.isClosed && each.uri.toString() === uri);
}

/** Undefined when it is not open as a notebook, or as it is on disk. */
export function dirtyNotebook(path: Path): vscode.NotebookDocument | undefined {
  const notebook = openNotebook(path);
  return notebook?.isDirty ? notebook : undefined;
}

/** Format 4, as the editor’s own serializer writes it. The same cells give the same text. */
export function notebookJson(notebook: vscode.NotebookDocument): string {
  const kept = custom(notebook.metadata);
  const { metadata = {}, nbformat = 4, nbformat_minor = 5 } = kept;
  const cells = notebook.getCells().map((cell): JsonObject => {
    const { id, metadata: inner = {}, attachments, execution_count: count } = custom(cell.metadata);
    return {
      cell_type: typeOf(cell),
      ...(typeof id === 'string' ? { id } : {}),
      metadata: withLanguage(inner, cell),
      ...(attachments === undefined ? {} : { attachments }),
      source: splitLines(cell.document.getText()),
      ...(typeOf(cell) === 'code'
        ? {
            execution_count: count === undefined ? (cell.executionSummary?.executionOrder ?? null) : count,
            outputs: cell.outputs.map(outputOf),
          }
        : {}),
    };
  });
  return `${JSON.stringify(sortKeys({ cells, metadata, nbformat, nbformat_minor }), undefined, 1)}\n`;
}

function sortKeys(json: Json): Json {
  if (Array.isArray(json)) return json.map(sortKeys);
  if (!isJsonObject(json)) return json;
  const entries = Object.entries(json).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, value]) => [key, sortKeys(value ?? null)]));
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

/** The cells of such a text, outputs included; undefined when it is no notebook. */
export function cellsOf(text: string): vscode.NotebookCellData[] | undefined {
  const json = parse(Buffer.from(text));
  const notebook = parseNotebook(text);
  if (!notebook || !isJsonObject(json) || !Array.isArray(json['cells'])) return undefined;
  const raw = json['cells'].map((cell: unknown): JsonObject => (isJsonObject(cell) ? cell : {}));
  return notebook.cells.map(({ type, language, source, executionCount }, at) => {
    const { id, metadata = {}, attachments, outputs } = raw[at] ?? {};
    const kind = type === 'markdown' ? vscode.NotebookCellKind.Markup : vscode.NotebookCellKind.Code;
    const cell = new vscode.NotebookCellData(kind, source, type === 'raw' ? 'raw' : language);
    cell.metadata = {
      ...{ ...(id === undefined ? {} : { id }), metadata },
      ...(attachments === undefined ? {} : { attachments }),
      ...(type === 'code' ? { execution_count: executionCount ?? null } : {}),
    };
    cell.outputs = Array.isArray(outputs) ? outputs.filter(isJsonObject).map(outputFrom) : [];
    if (executionCount !== undefined) cell.executionSummary = { executionOrder: executionCount };
    return cell;
  });
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
  const kept: JsonObject = metadata ?? {};
  const { outputType = 'display_data', metadata: inner = {}, executionCount = null } = kept;
  const ran = outputType === 'execute_result' ? { execution_count: executionCount } : {};
  return { output_type: outputType, data, metadata: inner, ...ran };
}

/** What `outputOf` makes of it again. */
function outputFrom(output: JsonObject): vscode.NotebookCellOutput {
  const { output_type: outputType, name, text, ename, evalue, traceback, data } = output;
  const { metadata = {}, execution_count: executionCount } = output;
  const { NotebookCellOutputItem: Item } = vscode;
  if (outputType === 'stream') {
    const item = name === 'stderr' ? Item.stderr(joined(text)) : Item.stdout(joined(text));
    return new vscode.NotebookCellOutput([item]);
  }
  if (outputType === 'error') {
    const stack = Array.isArray(traceback) ? traceback.map(String).join('\n') : '';
    const error = { name: joined(ename), message: joined(evalue), stack };
    return new vscode.NotebookCellOutput([new Item(Buffer.from(JSON.stringify(error)), ERROR_TYPE)], { outputType });
  }
  const items = Object.entries(isJsonObject(data) ? data : {}).map(([mime, value]) => {
    if (isImage(mime)) return new Item(Buffer.from(joined(value), 'base64'), mime);
    return new Item(Buffer.from(isJsonType(mime) ? JSON.stringify(value) : joined(value)), mime);
  });
  const ran = executionCount === undefined ? {} : { executionCount };
  return new vscode.NotebookCellOutput(items, { outputType, metadata, ...ran });
}

function joined(text: Json | undefined): string {
  return Array.isArray(text) ? text.map(String).join('') : typeof text === 'string' ? text : '';
}

function dataOf(mime: string, bytes: Uint8Array): Json {
  const buffer = Buffer.from(bytes);
  if (isImage(mime)) return buffer.toString('base64');
  return isJsonType(mime) ? parse(bytes) : splitLines(buffer.toString());
}

function isImage(mime: string): boolean {
  return mime.startsWith('image/') && mime !== 'image/svg+xml';
}

function isJsonType(mime: string): boolean {
  return /^application\/(?:.*\+)?json$/.test(mime);
}

function parse(bytes: Uint8Array): Json {
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as Json;
  } catch {
    return null;
  }
}
