// The end of what a program prints, as rows that it may still go back to: progress that is drawn over itself leaves its last state only.
import {
  add,
  COLUMNS,
  cut,
  editCells,
  emptyRow,
  hasPairs,
  setCell,
  textOf,
  width,
  type CellEdit,
  type Row,
} from './row';

/** How many rows a program can go back over; terminals are seldom higher. What is above is handed on for good. */
const HELD_ROWS = 100;
/** Longer rows are handed on in pieces, so that memory stays bounded. */
const ROW_MAX_CHARS = 16 * 1024;

interface Place {
  row: number;
  /** Absent: at the end of the row, wherever that is. */
  column: number | undefined;
}

/** Held state: the rows, the cursor, and what has been handed on since `take`. */
export class Screen {
  private done: string[] = [];
  private rows: Row[] = [emptyRow()];
  private cursor: Place = { row: 0, column: undefined };
  private saved: Place | undefined;
  /** Where absolute rows count from; unknown until the screen is cleared, or the cursor set for the first time. */
  private top: number | undefined;
  private isAlternate = false;
  /** What is written elsewhere between saving and restoring the cursor: a status line, which stays out of the text. */
  private aside: string | undefined;

  /** Nothing but `restore` and `switchTo` does anything then. */
  get isAside(): boolean {
    return this.aside !== undefined;
  }

  /** What no program can change any more. */
  take(): string {
    const text = this.done.join('');
    this.done = [];
    return text;
  }

  /** What is held: rows with a line feed between them. */
  held(): string {
    return this.rows.map(textOf).join('\n');
  }

  /** Hands on everything above the cursor's row, if that is the last one. */
  settle(): void {
    if (this.cursor.row === this.rows.length - 1) this.handOn(this.cursor.row);
  }

  end(): void {
    this.stayAside();
    this.done.push(this.held());
    this.rows = [emptyRow()];
    this.cursor = { row: 0, column: undefined };
  }

  /** Text with line feeds, and no other control character but tabs. */
  write(text: string): void {
    if (this.aside !== undefined) return this.writeAside(text);
    let start = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
      if (start > 0 && this.isOnNewRow()) break;
      this.put(text.slice(start, end));
      this.feed();
      start = end + 1;
    }
    const rest = start === 0 ? text : text.slice(start);
    this.put(rest.includes('\n') ? this.pass(rest) : rest);
  }

  /** Many lines at once: a program may print millions of them. Returns the one that is not complete. */
  private pass(lines: string): string {
    let from = lines.length;
    for (let count = 0; count <= HELD_ROWS && from > 0; count++) from = lines.lastIndexOf('\n', from - 1);
    if (from > 0) {
      this.handOn(this.rows.length - 1);
      this.done.push(lines.slice(0, from + 1));
      this.top = this.saved = undefined;
    }
    const last = lines.slice(from > 0 ? from + 1 : 0).split('\n');
    for (const line of last.slice(0, -1)) {
      this.put(line);
      this.feed();
    }
    return last.at(-1) ?? '';
  }

  private isOnNewRow(): boolean {
    return this.cursor.row === this.rows.length - 1 && this.rows[this.cursor.row]?.chars === 0;
  }

  private feed(): void {
    this.currentRow();
    this.cursor = { row: this.cursor.row + 1, column: 0 };
    if (this.cursor.row === this.rows.length) this.rows.push(emptyRow());
    // Not at each line: moving all rows up costs more than the line does.
    if (this.rows.length > 2 * HELD_ROWS) this.handOn(this.rows.length - HELD_ROWS);
  }

  private put(text: string): void {
    const { column } = this.cursor;
    let rest = text;
    if (rest !== '' && column !== undefined) {
      const row = this.currentRow();
      if (column !== width(row)) rest = this.putOver(row, column, rest);
    }
    while (rest !== '') rest = this.append(this.currentRow(), rest);
  }

  /** Returns what no longer went into the row. */
  private append(row: Row, text: string): string {
    this.cursor.column = undefined;
    const room = ROW_MAX_CHARS - row.chars;
    if (text.length < room) {
      add(row, text);
      return '';
    }
    const end = room + (isHighSurrogate(text.charCodeAt(room - 1)) ? 1 : 0);
    add(row, text.slice(0, end));
    this.spill();
    return text.slice(end);
  }

  /** Returns what no longer went into the row. */
  private putOver(row: Row, column: number, text: string): string {
    row.isEdited = true;
    const end = column + text.length;
    const isCheap = row.chars <= 4 * text.length + 64 && end < ROW_MAX_CHARS;
    if (isCheap && !row.cells && row.isPlain && !hasPairs(text)) {
      row.text = row.text.slice(0, column).padEnd(column) + text + row.text.slice(end);
      row.chars = row.text.length;
      this.cursor.column = end;
      return '';
    }
    let at = column;
    let taken = 0;
    for (const character of text) {
      setCell(row, at++, character);
      taken += character.length;
      if (row.chars < ROW_MAX_CHARS) continue;
      this.spill();
      return text.slice(taken);
    }
    this.cursor.column = at;
    return '';
  }

  /** The row that is being written has become too long to be held. */
  private spill(): void {
    const { row } = this.cursor;
    this.handOn(row);
    const [full] = this.rows;
    if (full) this.done.push(full.cells?.join('') ?? full.text);
    this.rows[0] = emptyRow();
    this.cursor = { row: 0, column: undefined };
  }

  private handOn(count: number): void {
    if (count <= 0) return;
    for (const row of this.rows.splice(0, count)) this.done.push(textOf(row), '\n');
    this.cursor.row = Math.max(0, this.cursor.row - count);
    if (this.top !== undefined) this.top = this.top < count ? undefined : this.top - count;
    if (this.saved) this.saved = this.saved.row < count ? undefined : { ...this.saved, row: this.saved.row - count };
  }

  private currentRow(): Row {
    while (this.rows.length <= this.cursor.row) this.rows.push(emptyRow());
    return this.rows[this.cursor.row] ?? emptyRow();
  }

  private column(): number {
    return (this.cursor.column ??= width(this.currentRow()));
  }

  moveBy(rows: number, columns: number): void {
    const column = this.column();
    // The same rows are left however the output came.
    if (rows < 0) this.handOn(this.rows.length - HELD_ROWS);
    const lowest = Math.max(this.rows.length, HELD_ROWS) - 1;
    this.cursor = {
      row: clamp(this.cursor.row + rows, 0, lowest),
      column: clamp(column + columns, 0, Math.max(column, COLUMNS)),
    };
  }

  toColumn(column: number): void {
    this.cursor.column = clamp(column, 0, COLUMNS);
  }

  /** Counted from the top of the screen. */
  toPlace(row: number, column?: number): void {
    if (this.saved && !this.isAlternate) {
      this.aside = '';
      return;
    }
    const before = column ?? this.column();
    if (this.top === undefined) this.begin();
    this.cursor = { row: (this.top ?? 0) + clamp(row, 0, HELD_ROWS - 1), column: clamp(before, 0, COLUMNS) };
  }

  save(): void {
    this.handOn(this.rows.length - HELD_ROWS);
    this.saved = { row: this.cursor.row, column: this.column() };
  }

  restore(): void {
    this.aside = undefined;
    if (this.saved) this.cursor = { ...this.saved };
  }

  private writeAside(text: string): void {
    this.aside += text;
    if ((this.aside ?? '').length > ROW_MAX_CHARS) this.stayAside();
  }

  /** It was no status line: it never comes back. */
  private stayAside(): void {
    const text = this.aside;
    this.aside = this.saved = undefined;
    if (text === undefined || text === '') return;
    this.begin();
    this.write(text);
  }

  eraseRow(): void {
    cut(this.currentRow(), 0);
    this.cursor.column = 0;
  }

  eraseAfter(): void {
    cut(this.currentRow(), this.column());
  }

  eraseBelow(): void {
    this.eraseAfter();
    this.rows.length = this.cursor.row + 1;
  }

  /** What was on it stays in the text, but for a screen of its own, which is drawn anew again and again. */
  clear(): void {
    if (this.isAlternate) this.rows = [emptyRow()];
    else this.begin();
  }

  /** The screen of a program that fills it, or back from it. */
  switchTo(which: 'main' | 'alternate'): void {
    this.restore();
    this.begin();
    this.isAlternate = which === 'alternate';
  }

  /** A new screen below all there is. */
  private begin(): void {
    while (this.rows.length > 1 && this.rows.at(-1)?.chars === 0) this.rows.pop();
    if (this.rows.length > 1 || this.rows[0]?.chars !== 0) this.handOn(this.rows.length);
    this.rows = [emptyRow()];
    this.cursor = { row: 0, column: 0 };
    this.top = 0;
    this.saved = undefined;
  }

  insertRows(count: number): void {
    this.currentRow();
    const room = 2 * HELD_ROWS - this.rows.length;
    this.rows.splice(this.cursor.row, 0, ...Array.from({ length: clamp(count, 0, room) }, emptyRow));
  }

  removeRows(count: number): void {
    this.rows.splice(this.cursor.row, count);
    if (this.rows.length === 0) this.rows.push(emptyRow());
  }

  /** Puts in, takes out or blanks characters in the cursor's row. */
  edit(how: CellEdit, count: number): void {
    editCells(this.currentRow(), { column: this.column(), how, count: clamp(count, 0, COLUMNS) });
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Never below `least`, whatever `most` is. */
function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
