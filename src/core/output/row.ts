// One row of a screen: a plain text as long as possible, and single characters once a program goes back and forth in it.

/** As wide as terminals are taken to be. */
export const COLUMNS = 1_000;
const SURROGATE = /[\ud800-\udfff]/;

export interface Row {
  /** What it holds, as long as nothing in it is written over in small pieces. */
  text: string;
  /** Then: its characters, one for each column. */
  cells?: string[];
  /** Each UTF-16 unit of `text` is one column. */
  isPlain: boolean;
  chars: number;
  /** Written over or erased: blanks at its end are what was erased. */
  isEdited: boolean;
}

export function emptyRow(): Row {
  return { text: '', isPlain: true, chars: 0, isEdited: false };
}

export function textOf({ text, cells, isEdited }: Row): string {
  const found = cells?.join('') ?? text;
  return isEdited ? found.trimEnd() : found;
}

export function width(row: Row): number {
  return row.isPlain && !row.cells ? row.chars : cellsOf(row).length;
}

function cellsOf(row: Row): string[] {
  row.cells ??= [...row.text];
  row.text = '';
  return row.cells;
}

export function add(row: Row, text: string): void {
  row.chars += text.length;
  if (row.cells) {
    for (const character of text) row.cells.push(character);
    return;
  }
  row.text += text;
  row.isPlain &&= !hasPairs(text);
}

export function setCell(row: Row, column: number, character: string): void {
  const cells = cellsOf(row);
  while (cells.length < column) {
    cells.push(' ');
    row.chars++;
  }
  row.chars += character.length - (cells[column]?.length ?? 0);
  cells[column] = character;
}

export function cut(row: Row, column: number): void {
  if (column >= width(row)) return;
  row.isEdited = true;
  if (row.cells) {
    for (const removed of row.cells.splice(column)) row.chars -= removed.length;
    return;
  }
  row.text = row.text.slice(0, column);
  row.chars = row.text.length;
}

export type CellEdit = 'insert' | 'remove' | 'blank' | 'blankBefore';

const EDITS: Readonly<Record<CellEdit, (cells: readonly string[], column: number, count: number) => string[]>> = {
  insert: (cells, column, count) => [...cells.slice(0, column), ...' '.repeat(count), ...cells.slice(column)],
  remove: (cells, column, count) => [...cells.slice(0, column), ...cells.slice(column + count)],
  blank: (cells, column, count) => cells.map((cell, at) => (at < column || at >= column + count ? cell : ' ')),
  blankBefore: (cells, column) => cells.map((cell, at) => (at > column ? cell : ' ')),
};

/** No row that a program edits is wider than terminals are: others would only cost time. */
export function editCells(
  row: Row,
  edit: { readonly column: number; readonly how: CellEdit; readonly count: number },
): void {
  if (row.chars > COLUMNS || edit.column >= width(row)) return;
  row.cells = EDITS[edit.how](cellsOf(row), edit.column, edit.count).slice(0, COLUMNS);
  row.chars = row.cells.join('').length;
  row.isEdited = true;
}

export function hasPairs(text: string): boolean {
  return SURROGATE.test(text);
}
