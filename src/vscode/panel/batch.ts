// Row changes on their way to a panel: gathered per frame, merged per row, split into messages of bounded size.
import type { Row, RowChange } from '../../common/rows';

/** What may happen to one row between two frames: it is replaced, and then grows. */
interface Pending {
  readonly row?: Row;
  readonly text: string;
}

/** Held state of one panel: what it has not been told yet. Rows keep the order of their first change. */
export class RowBatch {
  private readonly pending = new Map<string, Pending>();
  /** The panel has to ask for its page: that holds all that would be told here. */
  private isStale = false;

  get isEmpty(): boolean {
    return this.pending.size === 0 && !this.isStale;
  }

  add(changes: readonly RowChange[]): void {
    for (const change of changes) {
      if (change.type === 'reload') {
        this.pending.clear();
        this.isStale = true;
      }
      if (this.isStale || change.type === 'reload') continue;
      if (change.type === 'upsert') {
        this.pending.set(change.row.id, { row: change.row, text: '' });
        continue;
      }
      const known = this.pending.get(change.id);
      this.pending.set(change.id, { ...known, text: (known?.text ?? '') + change.text });
    }
  }

  clear(): void {
    this.pending.clear();
    this.isStale = false;
  }

  /** Empties it into groups whose JSON is at most `maxChars` long each. */
  take(maxChars: number): RowChange[][] {
    if (this.isStale) {
      this.clear();
      return [[{ type: 'reload' }]];
    }
    const changes = [...this.pending].flatMap(([id, { row, text }]): RowChange[] => [
      ...(row ? [{ type: 'upsert' as const, row: fitRow(row, maxChars) }] : []),
      ...pieces(text, maxChars - APPEND_FRAME_CHARS - id.length).map((piece) => ({
        type: 'append' as const,
        id,
        text: piece,
      })),
    ]);
    this.pending.clear();
    return group(changes, maxChars);
  }
}

const APPEND_FRAME_CHARS = 64;

/** Characters of `value` as JSON. */
export function jsonChars(value: unknown): number {
  return JSON.stringify(value).length;
}

/** The head of a text whose JSON is at most `maxChars` long: escapes can make it six times as long as it is. */
export function fitText(text: string, maxChars: number): string {
  let head = text;
  while (head !== '' && jsonChars(head) > maxChars) {
    head = head.slice(0, Math.floor((head.length * maxChars) / (jsonChars(head) + 1)));
  }
  const last = head.charCodeAt(head.length - 1);
  // Never between the halves of a surrogate pair.
  return head.length < text.length && last >= 0xd800 && last <= 0xdbff ? head.slice(0, -1) : head;
}

/** A row as one message can carry it. What is left out of a long text comes by range; a display or an answer too large is left out. */
function fitRow(row: Row, maxChars: number): Row {
  const size = jsonChars(row);
  if (size <= maxChars) return row;
  if (row.type === 'prompt' || row.type === 'text' || row.type === 'thinking' || row.type === 'notice') {
    return { ...row, text: fitText(row.text, maxChars - (size - jsonChars(row.text))) };
  }
  if (row.type !== 'tool') return row;
  const { display: _, ...rest } = row;
  if (jsonChars(rest) <= maxChars) return rest;
  const { answer: __, ...bare } = rest;
  return bare;
}

/** The last rows that one message can carry, in order; at least the last one. */
export function fitPage(rows: readonly Row[], maxChars: number): readonly Row[] {
  let room = maxChars;
  let start = rows.length;
  const fitted = rows.map((row) => fitRow(row, maxChars));
  while (start > 0) {
    room -= jsonChars(fitted[start - 1]) + 1;
    if (room < 0 && start < rows.length) break;
    start--;
  }
  return fitted.slice(start);
}

function pieces(text: string, maxChars: number): string[] {
  const found: string[] = [];
  for (let rest = text; rest !== '';) {
    const piece = fitText(rest, maxChars);
    found.push(piece);
    rest = rest.slice(piece.length);
  }
  return found;
}

function group(changes: readonly RowChange[], maxChars: number): RowChange[][] {
  const groups: RowChange[][] = [];
  let room = 0;
  for (const change of changes) {
    const size = jsonChars(change) + 1;
    const last = groups.at(-1);
    if (last && size <= room) {
      last.push(change);
      room -= size;
      continue;
    }
    groups.push([change]);
    room = maxChars - size;
  }
  return groups;
}
