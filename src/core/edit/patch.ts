// The difference of two texts as hunks, for people and the model.
import { structuredPatch } from 'diff';
import type { DiffLine, FileDiff, Hunk } from '../../common/display';
import { splitLines } from './lines';

const CONTEXT_LINES = 3;
const TIMEOUT_MS = 500;

export function diffTexts(before: string, after: string, about: Pick<FileDiff, 'path' | 'change' | 'match'>): FileDiff {
  const hunks = hunksOf(splitLines(before), splitLines(after));
  const count = (sign: DiffLine['sign']) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.sign === sign).length, 0);
  return { ...about, added: count('+'), removed: count('-'), hunks };
}

/** Only what lies between the equal ends is compared, so that a small change in a long file costs little. */
function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const shorter = Math.min(before.length, after.length);
  let head = 0;
  while (head < shorter && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  if (head === before.length && head === after.length) return [];

  const from = Math.max(0, head - CONTEXT_LINES);
  const kept = Math.max(0, tail - CONTEXT_LINES);
  const old = before.slice(from, before.length - kept);
  const fresh = after.slice(from, after.length - kept);
  const patch = structuredPatch('', '', old.join(''), fresh.join(''), '', '', {
    context: CONTEXT_LINES,
    timeout: TIMEOUT_MS,
  });
  if (!patch) return [wholeHunk(from, old, fresh)];
  return patch.hunks.map(({ oldStart, newStart, lines }) => ({
    oldStart: oldStart + from,
    newStart: newStart + from,
    lines: lines.filter((line) => !line.startsWith('\\')).map(toDiffLine),
  }));
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
