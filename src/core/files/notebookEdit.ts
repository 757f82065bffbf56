// Changes one cell of a notebook in the text of its file: everything else stays as it is written, to the byte.
import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import type { JsonObject } from '../../common/json';
import type { CellChange, NewCell, Splice } from '../host';

/** Undefined when the text has no such cell: it is no notebook of format 4, or not written as one. */
export function spliceCell(text: string, change: CellChange): Splice | undefined {
  const root = parseTree(text);
  const cells = root && findNodeAtLocation(root, ['cells']);
  if (cells?.type !== 'array') return undefined;
  const file: NotebookText = { text, cells, style: styleOf(text, cells) };
  if (change.kind === 'insert') return insertCell(file, change.index, change.cell);
  const cell = cells.children?.[change.index];
  if (cell?.type !== 'object') return undefined;
  if (change.kind === 'remove') return removeCell(file, change.index, cell);
  if (change.kind === 'type') return replaceNode(file, cell, retyped(cell, change.cell), file.style.cellIndent);
  const source = findNodeAtLocation(cell, ['source']);
  return source && spliceSource(file, source, change.source);
}

interface NotebookText {
  readonly text: string;
  readonly cells: Node;
  readonly style: Style;
}

interface Style {
  /** One level; undefined: the file is written without line breaks. */
  readonly unit: string | undefined;
  /** Between values of one line. */
  readonly comma: string;
  readonly cellIndent: string;
  readonly eol: string;
  /** Sources of new cells are lists of lines, as the format's own tools write them. */
  readonly hasLists: boolean;
}

function styleOf(text: string, cells: Node): Style {
  const [cell] = cells.children ?? [];
  const [key] = cell?.children ?? [];
  const cellIndent = cell && indentAt(text, cell.offset);
  const keyIndent = key && indentAt(text, key.offset);
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const source = cell && findNodeAtLocation(cell, ['source']);
  const hasLists = source?.type !== 'string';
  const written = { eol, hasLists, comma: text.includes('": ') ? ', ' : ',' };
  if (cellIndent !== undefined && keyIndent !== undefined) {
    return { ...written, unit: keyIndent.slice(cellIndent.length) || ' ', cellIndent };
  }
  const isOneLine = cell !== undefined || !/\n\s*"/.test(text);
  const unit = isOneLine ? undefined : (/\n([ \t]+)"/.exec(text)?.[1] ?? ' ');
  return { ...written, unit, cellIndent: (unit ?? '').repeat(2) };
}

/** The blanks before what stands first in its line. */
function indentAt(text: string, offset: number): string | undefined {
  const before = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return offset > 0 && text.lastIndexOf('\n', offset - 1) !== -1 && /^[ \t]*$/.test(before) ? before : undefined;
}

function insertCell({ cells, style }: NotebookText, index: number, cell: NewCell): Splice | undefined {
  const children = cells.children ?? [];
  const written = write(newCell(cell, style), style, style.cellIndent);
  const gap = style.unit === undefined ? '' : style.eol + style.cellIndent;
  const comma = style.unit === undefined ? style.comma : `,${gap}`;
  const before = children[index - 1];
  if (before) return at(endOf(before), comma + written);
  if (index !== 0) return undefined;
  const [first] = children;
  if (first) return at(first.offset, written + comma);
  const close = style.unit === undefined ? '' : style.eol + style.cellIndent.slice(style.unit.length);
  return { start: cells.offset, end: endOf(cells), text: `[${gap}${written}${close}]` };

  function at(offset: number, added: string): Splice {
    return { start: offset, end: offset, text: added };
  }
}

function removeCell({ cells }: NotebookText, index: number, cell: Node): Splice {
  const children = cells.children ?? [];
  const [before, after] = [children[index - 1], children[index + 1]];
  if (before) return { start: endOf(before), end: endOf(cell), text: '' };
  if (after) return { start: cell.offset, end: after.offset, text: '' };
  return { start: cells.offset, end: endOf(cells), text: '[]' };
}

/** In the form that it has; lines that stay are written as they were, whatever they escape. */
function spliceSource(file: NotebookText, node: Node, source: string): Splice {
  if (node.type !== 'array') return replaceNode(file, node, source, '');
  const written = new Map<string, string>();
  for (const line of node.children ?? []) {
    written.set(String(line.value), file.text.slice(line.offset, endOf(line)));
  }
  const lines = sourceLines(source).map((line) => written.get(line) ?? JSON.stringify(line));
  return { start: node.offset, end: endOf(node), text: listOf(lines, file, node) };
}

function listOf(lines: readonly string[], { text, style }: NotebookText, node: Node): string {
  if (lines.length === 0) return '[]';
  const [first] = node.children ?? [];
  const isOneLine = style.unit === undefined || (first !== undefined && indentAt(text, first.offset) === undefined);
  if (isOneLine) return `[${lines.join(style.comma)}]`;
  const indent = style.cellIndent + (style.unit ?? '');
  const own = (first && indentAt(text, first.offset)) ?? indent + (style.unit ?? '');
  return `[${style.eol}${lines.map((line) => own + line).join(`,${style.eol}`)}${style.eol}${indent}]`;
}

function replaceNode({ style }: NotebookText, node: Node, value: unknown, indent: string): Splice {
  return { start: node.offset, end: endOf(node), text: write(value, style, indent) };
}

function write(value: unknown, { unit, eol }: Style, indent: string): string {
  if (unit === undefined) return JSON.stringify(value);
  return JSON.stringify(value, undefined, unit).replaceAll('\n', eol + indent);
}

function endOf({ offset, length }: Node): number {
  return offset + length;
}

/** In the order of names in which the format's own tools write them. */
function newCell({ type, source, id }: NewCell, { hasLists }: Style): JsonObject {
  const isCode = type === 'code';
  return {
    cell_type: type,
    ...(isCode ? { execution_count: null } : {}),
    ...(id === undefined ? {} : { id }),
    metadata: {},
    ...(isCode ? { outputs: [] } : {}),
    source: hasLists ? sourceLines(source) : source,
  };
}

/** What a cell of another type cannot have goes; all else stays. */
function retyped(node: Node, cell: NewCell): JsonObject {
  const old = valueOf(node);
  const { execution_count: _, outputs: __, attachments, ...kept } = old;
  const source = Array.isArray(old['source']) ? sourceLines(cell.source) : cell.source;
  const isCode = cell.type === 'code';
  return Object.fromEntries(
    Object.entries({
      ...kept,
      ...(attachments === undefined || isCode ? {} : { attachments }),
      cell_type: cell.type,
      source,
      ...(isCode ? { execution_count: null, outputs: [] } : {}),
    }).sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

function valueOf(node: Node): JsonObject {
  const entries = (node.children ?? []).map(({ children = [] }) => [String(children[0]?.value), children[1]] as const);
  return Object.fromEntries(entries.map(([key, value]) => [key, value ? (plain(value) as never) : null]));
}

function plain(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(plain);
  return node.type === 'object' ? valueOf(node) : node.value;
}

/** Each with its line break, as the format has it. */
export function sourceLines(source: string): readonly string[] {
  return source.match(/[^\n]*\n|[^\n]+/g) ?? [];
}
