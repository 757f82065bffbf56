// Which part of a file one answer shows: numbered lines, or the cells of a notebook, within what a result may take.
import type { ImageBlock } from '../../common/blocks';
import type { TextLine } from '../host';

/** Sources: [T01]. */
export const DEFAULT_LINES = 2_000;
export const LINE_MAX_CHARS = 2_000;
export const WINDOW_MAX_CHARS = 50 * 1024;

/** One line, or one cell of a notebook. */
export interface Item {
  readonly text: string;
  /** A part of it is not in `text`. */
  readonly isCut: boolean;
  readonly images?: readonly ImageBlock[];
}

export interface Content {
  readonly unit: 'line' | 'cell';
  /** From the item `first` on, at least as many as the window asks for, or all that there are. */
  readonly items: readonly Item[];
  /** Number of items[0], from 1. */
  readonly first: number;
  /** Of the whole; absent where it was not read to its end. */
  readonly total?: number;
}

export interface Asked {
  readonly offset: number;
  readonly limit: number;
}

export interface Window {
  readonly text: string;
  readonly count: number;
  readonly hasCut: boolean;
  readonly images: readonly ImageBlock[];
}

export function linesOf(text: string): Item[] {
  const lines = text.split('\n').map((line) => lineOf(line.replace(/\r$/, '')));
  if (lines.at(-1)?.text === '') lines.pop();
  return lines;
}

function lineOf(text: string): Item {
  if (text.length <= LINE_MAX_CHARS) return { text, isCut: false };
  const head = text.slice(0, LINE_MAX_CHARS).replace(/[\ud800-\udbff]$/, '');
  return { text: `${head}… (${text.length - head.length} more characters)`, isCut: true };
}

export function itemOf({ text, moreBytes }: TextLine): Item {
  return moreBytes === 0 ? { text, isCut: false } : { text: `${text}… (${moreBytes} more bytes)`, isCut: true };
}

export function cutWindow({ unit, items, first }: Content, { offset, limit }: Asked): Window {
  const texts: string[] = [];
  const images: ImageBlock[] = [];
  let chars = 0;
  let hasCut = false;
  for (const item of items.slice(offset - first, offset - first + limit)) {
    const text = unit === 'line' ? `${String(offset + texts.length).padStart(6)}\t${item.text}` : item.text;
    chars += text.length + 1;
    if (chars > WINDOW_MAX_CHARS && texts.length > 0) break;
    hasCut ||= item.isCut;
    images.push(...(item.images ?? []));
    texts.push(text);
  }
  return { text: texts.join('\n'), count: texts.length, hasCut, images };
}

/** What the model is told of the rest; empty where it sees all. */
export function notesOf({ unit, total }: Content, offset: number, { count, hasCut }: Window): string[] {
  const last = offset + count - 1;
  const units = unit === 'line' ? 'Lines' : 'Cells';
  const isLast = total !== undefined && last >= total;
  const range = `(${units} ${offset}–${last} of ${total ?? 'a file too large to be counted'}.`;
  return [
    ...(count === 0 && total !== undefined && total > 0
      ? [`(There is no ${unit} ${offset}: the file has ${total}.)`]
      : []),
    ...(count > 0 && (!isLast || offset > 1) ? [`${range}${isLast ? '' : ` Go on with offset ${last + 1}.`})`] : []),
    ...(hasCut && unit === 'line'
      ? ['(Lines over 2,000 characters are cut: print the rest of one with the shell.)']
      : []),
  ];
}
