// How one row changes: what arrives is joined with what is already here, so that no text is lost or shown twice.
import type { Row } from '../src/common/rows';

/** Rows whose text may be longer than what has arrived of it. */
export type LongRow = Extract<Row, { readonly chars: number }>;

export function isLong(row: Row | undefined): row is LongRow {
  return row?.type === 'prompt' || row?.type === 'text' || row?.type === 'thinking';
}

/** Characters of the text that are still with the host. */
export function missingChars(row: LongRow): number {
  return Math.max(0, row.chars - row.text.length);
}

/** A row that replaces another one brings only the head of its text: what streamed in before is kept when it fits. */
export function mergeRow(held: Row | undefined, next: Row): Row {
  if (!isLong(held) || !isLong(next) || held.type !== next.type) return next;
  const { text } = held;
  const isLonger = text.length > next.text.length && text.length <= next.chars;
  return isLonger && text.startsWith(next.text) ? { ...next, text } : next;
}

/** Text at the end of a row. Where earlier text is missing, only the length grows: the rest comes by range. */
export function appendText(row: LongRow, text: string): LongRow {
  const chars = row.chars + text.length;
  return missingChars(row) > 0 ? { ...row, chars } : { ...row, text: row.text + text, chars };
}

/** A piece that came by range. It may hold text whose own event is still on its way: that is left to the event. */
export function insertPiece(row: LongRow, offset: number, piece: string): LongRow {
  if (row.text.length !== offset) return row;
  return { ...row, text: row.text + piece.slice(0, missingChars(row)) };
}
