// The difference of two texts as hunks, for people and the model.
import { structuredPatch } from 'diff';
import type { DiffLine, FileDiff, Hunk } from '../../common/display';
import { commonHead, commonTail, MAX_CHANGED_LINES, splitLines } from './lines';

const CONTEXT_LINES = 3;

export function diffTexts(before: string, after: string, about: Pick<FileDiff, 'path' | 'change' | 'match'>): FileDiff {
  const hunks = before === after ? [] : hunksOf(before, after);
  const count = (sign: DiffLine['sign']) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.sign === sign).length, 0);
  return { ...about, added: count('+'), removed: count('-'), hunks };
}

/** Only what lies between the equal ends is compared, so that a small change in a long file costs little. */
function hunksOf(before: string, after: string): Hunk[] {
  const head = commonHead(before, after);
  const tail = commonTail(before, after, Math.min(before.length, after.length) - head);
  const from = lineStart(before, head, CONTEXT_LINES);
  const kept = before.length - lineEnd(before, before.length - tail, CONTEXT_LINES);
  const old = before.slice(from, before.length - kept);
  const fresh = after.slice(from, after.length - kept);
  const firstLine = countBreaks(before, from);
  const patch = structuredPatch('', '', old, fresh, '', '', {
    context: CONTEXT_LINES,
    maxEditLength: MAX_CHANGED_LINES,
  });
  if (!patch) return [wholeHunk(firstLine, splitLines(old), splitLines(fresh))];
  return patch.hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart: oldStart + firstLine,
    newStart: newStart + firstLine,
    lines: lines.filter((line) => !line.startsWith('\\')).map(toDiffLine),
  }));
}

/** Where the line starts that lies so many lines before the one of an offset. */
function lineStart(text: string, offset: number, linesBefore: number): number {
  let at = offset;
  for (let count = 0; count <= linesBefore; count++) {
    if (at === 0) return 0;
    at = text.lastIndexOf('\n', at - 1) + (count === linesBefore ? 1 : 0);
    if (at < 0) return 0;
  }
  return at;
}

/** Where the line ends that lies so many lines after the one of an offset, line ending included. */
function lineEnd(text: string, offset: number, linesAfter: number): number {
  let at = offset;
  for (let count = 0; count <= linesAfter; count++) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

function countBreaks(text: string, end: number): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++;
  return count;
}

function toDiffLine(line: string): DiffLine {
  const sign = line[0] === '+' || line[0] === '-' ? line[0] : ' ';
  return { sign, text: line.slice(1).replace(/\r$/, '') };
}

function wholeHunk(from: number, old: readonly string[], fresh: readonly string[]): Hunk {
  const lines = (sign: DiffLine['sign'], texts: readonly string[]) =>
    texts.map((text) => ({ sign, text: text.replace(/\r?\n$/, '') }));
  return { oldStart: from + 1, newStart: from + 1, lines: [...lines('-', old), ...lines('+', fresh)] };
}

/** As a unified diff, for the model. */
export function formatDiff({ hunks, moreHunks = 0 }: Pick<FileDiff, 'hunks' | 'moreHunks'>): string {
  const shown = hunks.map(({ oldStart, newStart, lines }) => {
    const header = `@@ -${rangeOf(oldStart, lines, '+')} +${rangeOf(newStart, lines, '-')} @@`;
    return [header, ...lines.map(({ sign, text }) => sign + text)].join('\n');
  });
  return [...shown, ...(moreHunks > 0 ? [`… ${moreHunks} more hunks`] : [])].join('\n');
}

/** An empty range names the line before it. */
function rangeOf(start: number, lines: readonly DiffLine[], other: DiffLine['sign']): string {
  const length = lines.filter(({ sign }) => sign !== other).length;
  return `${length === 0 ? start - 1 : start},${length}`;
}
