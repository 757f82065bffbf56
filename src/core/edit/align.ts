// Which lines of the file an old text stands for, line by line: matchers find alignments, writing follows them.
import { filledAt, type Ink } from './ink';

/** Lines of the old text that stand for lines of the file, both as half-open ranges; segments follow each other without gaps. */
export interface Segment {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly fileFrom: number;
  readonly fileTo: number;
  /** Nothing but blank lines, on either side as many as there are; else the same ink, as a rule one line for one. */
  readonly isBlank: boolean;
}

export interface Alignment {
  readonly segments: readonly Segment[];
  /** Lines of the file, half-open. */
  readonly from: number;
  readonly to: number;
}

/** Every place where the file has the ink of the block, from the start of a line to the end of one, however it is laid out. */
export function alignByInk(file: Ink, block: Ink): Alignment[] {
  const found: Alignment[] = [];
  const { stream } = block;
  if (stream === '') return found;
  for (let at = file.stream.indexOf(stream); at !== -1; at = file.stream.indexOf(stream, at + 1)) {
    const first = filledAt(file, at);
    const end = filledAt(file, at + stream.length);
    if (first !== undefined && end !== undefined) found.push(alignGroups(file, block, first));
  }
  return found;
}

/** The block against as many filled lines of the file, one for one, from one of them on. */
export function alignLines(file: Ink, block: Ink, first: number): Alignment {
  const segments = block.filled.map((old, at) => {
    const line = file.filled[first + at] ?? 0;
    return { oldFrom: old, oldTo: old + 1, fileFrom: line, fileTo: line + 1, isBlank: false };
  });
  return withBlanks(file, block, segments);
}

/** Lines that were joined or broken are one segment: it ends where lines end on both sides. */
function alignGroups(file: Ink, block: Ink, first: number): Alignment {
  const segments: Segment[] = [];
  const base = file.starts[first] ?? 0;
  const oldEnd = (at: number) => block.starts[at + 1] ?? 0;
  const fileEnd = (at: number) => (file.starts[at + 1] ?? 0) - base;
  let [old, line] = [0, first];
  while (old < block.filled.length) {
    const [oldFrom, fileFrom] = [block.filled[old] ?? 0, file.filled[line] ?? 0];
    while (oldEnd(old) !== fileEnd(line)) {
      if (oldEnd(old) < fileEnd(line)) old++;
      else line++;
    }
    const [oldTo, fileTo] = [(block.filled[old++] ?? 0) + 1, (file.filled[line++] ?? 0) + 1];
    segments.push({ oldFrom, oldTo, fileFrom, fileTo, isBlank: false });
  }
  return withBlanks(file, block, segments);
}

/** Adds the blank lines between segments, and at the edges those that both sides have. */
function withBlanks(file: Ink, block: Ink, filled: readonly Segment[]): Alignment {
  const [head, tail] = [filled[0], filled.at(-1)];
  if (!head || !tail) return { segments: [], from: 0, to: 0 };
  const above = Math.min(head.oldFrom, head.fileFrom - (lastFilledBefore(file, head.fileFrom) + 1));
  const below = Math.min(block.lines.length - tail.oldTo, firstFilledAfter(file, tail.fileTo) - tail.fileTo);
  const [from, to] = [head.fileFrom - above, tail.fileTo + below];
  const segments: Segment[] = [];
  let [oldFrom, fileFrom] = [0, from];
  for (const segment of filled) {
    const gap = { oldFrom, oldTo: segment.oldFrom, fileFrom, fileTo: segment.fileFrom, isBlank: true };
    if (gap.oldFrom < gap.oldTo || gap.fileFrom < gap.fileTo) segments.push(gap);
    segments.push(segment);
    [oldFrom, fileFrom] = [segment.oldTo, segment.fileTo];
  }
  const last = { oldFrom, oldTo: block.lines.length, fileFrom, fileTo: to, isBlank: true };
  if (last.oldFrom < last.oldTo || last.fileFrom < last.fileTo) segments.push(last);
  return { segments, from, to };
}

function lastFilledBefore({ base, lines }: Ink, line: number): number {
  let at = line - 1;
  while (at >= base && lines[at - base] === '') at--;
  return at;
}

/** What comes after the last line break is no blank line. */
function firstFilledAfter({ base, lines }: Ink, line: number): number {
  const end = base + (lines.at(-1) === '' ? lines.length - 1 : lines.length);
  let at = line;
  while (at < end && lines[at - base] === '') at++;
  return at;
}
