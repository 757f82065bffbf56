// Which rows are drawn: a bounded stretch of the transcript, by row numbers that stay when older rows arrive.
import type { RowOrder } from '../state';

/** The most rows drawn at once, and how many come and go when the person scrolls to an edge. */
export const WINDOW_ROWS = 200;
const STEP_ROWS = 60;

/** Numbers of the first row drawn and of the row after the last one. */
export interface RowWindow {
  readonly start: number;
  readonly end: number;
}

export function rowsEnd({ first, ids }: RowOrder): number {
  return first + ids.length;
}

export function latestWindow(order: RowOrder): RowWindow {
  const end = rowsEnd(order);
  return { start: Math.max(order.first, end - WINDOW_ROWS), end };
}

export function earlierWindow({ start, end }: RowWindow, order: RowOrder): RowWindow {
  const next = Math.max(order.first, start - STEP_ROWS);
  return { start: next, end: Math.min(end, next + WINDOW_ROWS) };
}

export function laterWindow({ start, end }: RowWindow, order: RowOrder): RowWindow {
  const next = Math.min(rowsEnd(order), end + STEP_ROWS);
  return { start: Math.max(start, next - WINDOW_ROWS), end: next };
}

/** A window that shows the row `id`, with as much before it as after it; undefined when it is not here. */
export function windowAround(id: string, order: RowOrder): RowWindow | undefined {
  const at = order.ids.indexOf(id);
  if (at < 0) return undefined;
  const start = Math.max(order.first, order.first + at - WINDOW_ROWS / 2);
  return { start, end: Math.min(rowsEnd(order), start + WINDOW_ROWS) };
}

export function idsIn({ start, end }: RowWindow, { first, ids }: RowOrder): readonly string[] {
  return ids.slice(Math.max(0, start - first), Math.max(0, end - first));
}
