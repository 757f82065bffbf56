// A Jupyter notebook (.ipynb, format 4) as cells: what `read` shows, and what an edit addresses.
import { isJsonObject, isTooDeep, type Json, type JsonObject } from '../../common/json';

export interface CellOutput {
  readonly kind: 'text' | 'error' | 'image';
  /** For an image its MIME type. */
  readonly text: string;
  /** Base64, of an image. */
  readonly data?: string;
}

export interface NotebookCell {
  /** From 1. */
  readonly number: number;
  /** Its id, or `#3` for the third where the file has no usable ids. */
  readonly name: string;
  readonly type: 'code' | 'markdown' | 'raw';
  readonly language: string;
  readonly source: string;
  /** `In [3]`; absent when it has not run. */
  readonly executionCount?: number;
  readonly outputs: readonly CellOutput[];
}

export interface Notebook {
  readonly language: string;
  readonly cells: readonly NotebookCell[];
}

export function hasNotebookName(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** Undefined when the text is no notebook of format 4. */
export function parseNotebook(text: string): Notebook | undefined {
  const json = parseJson(text);
  if (!isJsonObject(json) || isTooDeep(json) || !Array.isArray(json['cells'])) return undefined;
  const language = languageOf(json['metadata']);
  const raw = json['cells'].map((cell: unknown): JsonObject => (isJsonObject(cell) ? cell : {}));
  const ids = raw.map((cell) => usableId(cell['id']));
  const uses = new Map<string | undefined, number>();
  for (const id of ids) uses.set(id, (uses.get(id) ?? 0) + 1);
  const cells = raw.map((cell, at) => {
    const id = ids[at];
    const name = id !== undefined && uses.get(id) === 1 ? id : `#${at + 1}`;
    return cellOf(cell, { number: at + 1, name, language });
  });
  return { language, cells };
}

/** By id, or by `#NUMBER`. */
export function findCell({ cells }: Notebook, name: string): NotebookCell | undefined {
  const number = /^#(\d+)$/.exec(name)?.[1];
  return cells.find((cell) => cell.name === name || (number !== undefined && cell.number === Number(number)));
}

function cellOf(
  cell: JsonObject,
  place: { readonly number: number; readonly name: string; readonly language: string },
): NotebookCell {
  const { number, name, language } = place;
  const type = cell['cell_type'] === 'markdown' || cell['cell_type'] === 'raw' ? cell['cell_type'] : 'code';
  const count = cell['execution_count'];
  const outputs = Array.isArray(cell['outputs']) ? cell['outputs'].filter(isJsonObject) : [];
  return {
    ...{ number, name, type, source: joined(cell['source']) },
    language: type === 'code' ? (cellLanguage(cell) ?? language) : type === 'markdown' ? 'markdown' : 'text',
    ...(typeof count === 'number' ? { executionCount: count } : {}),
    outputs: outputs.flatMap(outputsOf),
  };
}

/** As the format allows it, so that it needs no escaping where it is shown. */
function usableId(id: Json | undefined): string | undefined {
  return typeof id === 'string' && /^[\w-]{1,64}$/.test(id) ? id : undefined;
}

function languageOf(metadata: Json | undefined): string {
  if (!isJsonObject(metadata)) return 'python';
  const [info, kernel] = [metadata['language_info'], metadata['kernelspec']];
  const named = isJsonObject(info) ? info['name'] : isJsonObject(kernel) ? kernel['language'] : undefined;
  return word(named) ?? 'python';
}

/** The editor lets a single cell have another language. */
function cellLanguage({ metadata }: JsonObject): string | undefined {
  const vscode = isJsonObject(metadata) ? metadata['vscode'] : undefined;
  return isJsonObject(vscode) ? word(vscode['languageId']) : undefined;
}

function word(value: Json | undefined): string | undefined {
  return typeof value === 'string' && /^[\w.+#-]{1,40}$/.test(value) ? value : undefined;
}

const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
const TEXT_TYPES = ['text/plain', 'text/markdown', 'text/latex', 'text/html', 'application/json', 'image/svg+xml'];

function outputsOf(output: JsonObject): readonly CellOutput[] {
  if (output['output_type'] === 'stream') return [{ kind: 'text', text: joined(output['text']) }];
  if (output['output_type'] === 'error') {
    const trace = Array.isArray(output['traceback']) ? output['traceback'].map(joined).join('\n') : '';
    const head = `${joined(output['ename'])}: ${joined(output['evalue'])}`;
    return [{ kind: 'error', text: trace === '' ? head : trace }];
  }
  const data = output['data'];
  if (!isJsonObject(data)) return [];
  const image = IMAGE_TYPES.find((type) => data[type] !== undefined);
  if (image !== undefined) return [{ kind: 'image', text: image, data: joined(data[image]).replace(/\s+/g, '') }];
  const type = TEXT_TYPES.find((each) => data[each] !== undefined) ?? Object.keys(data)[0];
  return type === undefined ? [] : [{ kind: 'text', text: joined(data[type]) }];
}

/** The format writes a text as one string or as a list of its lines. */
function joined(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map((part) => (typeof part === 'string' ? part : '')).join('');
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
