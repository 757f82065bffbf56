// Taking the agent's changes back: what has to be done to the file, and what the model is told of it.
import { createHash } from 'node:crypto';
import type { DiffLine, FileDiff } from '../../common/display';
import { formatDiff } from '../edit/patch';
import { undoSplices } from './file';
import { changeOf, type FileState, type Hunk } from './state';
import type { Rejection, UndoPlan } from './types';

export interface Undo {
  readonly plan: UndoPlan;
  readonly rejections: readonly Rejection[];
}

/** Of one rejection: it goes with the next request, and a whole file would not. */
const MAX_DIFF_CHARS = 4000;
const MAX_LINE_CHARS = 300;
const CONTEXT_LINES = 3;

/** Without `ids`: everything. Undefined when there is nothing to undo. */
export function planUndo(file: FileState, ids: ReadonlySet<string> | undefined): Undo | undefined {
  const hunks = ids ? file.hunks.filter(({ id }) => ids.has(id)) : file.hunks;
  if (ids && hunks.length === 0) return undefined;
  const plan = planOf(file, hunks, ids === undefined);
  return plan && { plan, rejections: rejectionsOf(file, hunks, ids === undefined) };
}

function planOf(file: FileState, hunks: readonly Hunk[], isWhole: boolean): UndoPlan | undefined {
  const { path, from, isNew, isGone } = file;
  if (isGone) return { kind: 'recreate', path, text: file.base.join('') };
  const splices = undoSplices(file, hunks);
  const before = file.lines.join('');
  if (isNew && (isWhole || hunks.length === file.hunks.length) && isBlank(file.base)) {
    return { kind: 'remove', path, before };
  }
  if (isWhole && from !== undefined) return { kind: 'move', path, to: from, before, splices };
  return splices.length > 0 ? { kind: 'edit', path, before, splices } : undefined;
}

function isBlank(lines: readonly string[]): boolean {
  return lines.every((line) => line.trim() === '');
}

function rejectionsOf(file: FileState, hunks: readonly Hunk[], isWhole: boolean): Rejection[] {
  const origins = [...(isWhole ? file.origins : []), ...hunks.flatMap((hunk) => hunk.origins)];
  const calls = new Map<string, Set<string>>();
  for (const { session, call } of origins) calls.set(session, (calls.get(session) ?? new Set()).add(call));
  return [...calls].flatMap(([session, ids]) => {
    const mine = hunks.filter((hunk) => hunk.origins.some((origin) => origin.session === session));
    const diff = diffOf(file, mine, isWhole);
    if (diff === '') return [];
    return [{ session, path: file.path, calls: [...ids], diff, hunks: mine.map((hunk) => hashOf(file, hunk)) }];
  });
}

/** Every hunk of it stands there as it did. */
export function isBack(file: FileState, { hunks }: Rejection): boolean {
  const there = new Set(file.hunks.map((hunk) => hashOf(file, hunk)));
  return hunks.length > 0 && hunks.every((hash) => there.has(hash));
}

function hashOf({ base, lines }: FileState, { start, end, baseStart, baseEnd }: Hunk): string {
  const change = JSON.stringify([base.slice(baseStart, baseEnd), lines.slice(start, end)]);
  return createHash('sha256').update(change).digest('base64url').slice(0, 22);
}

/** As the agent had made the change: what it added is added in it. */
function diffOf(file: FileState, hunks: readonly Hunk[], isWhole: boolean): string {
  const { from, path } = file;
  const change = changeOf(file);
  const renamed = isWhole && from !== undefined && !file.isGone ? [`rename from ${from}`, `rename to ${path}`] : [];
  const about = isWhole && (change === 'created' || change === 'deleted') ? [`${change} file`] : [];
  const shown = boundedDiff(withContext(file, hunks));
  return [...renamed, ...about, ...(shown === '' ? [] : [shown])].join('\n');
}

/** Against the text in which just these hunks are undone. */
function withContext({ lines, base }: FileState, hunks: readonly Hunk[]): FileDiff['hunks'] {
  const shown: { oldStart: number; newStart: number; lines: DiffLine[] }[] = [];
  let [at, shift] = [0, 0];
  const add = (sign: DiffLine['sign'], from: readonly string[], start: number, end: number) => {
    for (const line of from.slice(start, end)) shown.at(-1)?.lines.push({ sign, text: line.replace(/\r?\n$/, '') });
  };
  for (const [index, { start, end, baseStart, baseEnd }] of hunks.entries()) {
    const previous = hunks[index - 1];
    if (!previous || start - previous.end > 2 * CONTEXT_LINES) {
      at = Math.max(0, start - CONTEXT_LINES);
      shown.push({ oldStart: at + shift + 1, newStart: at + 1, lines: [] });
    }
    add(' ', lines, at, start);
    add('-', base, baseStart, baseEnd);
    add('+', lines, start, end);
    shift += baseEnd - baseStart - (end - start);
    const next = hunks[index + 1]?.start ?? Infinity;
    at = next - end > 2 * CONTEXT_LINES ? end + CONTEXT_LINES : end;
    add(' ', lines, end, at);
  }
  return shown;
}

function boundedDiff(hunks: FileDiff['hunks']): string {
  const shown: FileDiff['hunks'][number][] = [];
  let left = MAX_DIFF_CHARS;
  for (const hunk of hunks) {
    const lines: DiffLine[] = [];
    for (const { sign, text } of hunk.lines) {
      const line = text.length > MAX_LINE_CHARS ? `${text.slice(0, MAX_LINE_CHARS)}…` : text;
      left -= line.length + 2;
      if (left < 0) break;
      lines.push({ sign, text: line });
    }
    const missing = hunk.lines.length - lines.length;
    if (lines.length > 0) shown.push({ ...hunk, lines });
    if (missing === 0) continue;
    const cut = formatDiff({ hunks: shown, moreHunks: hunks.length - shown.length });
    return lines.length > 0 ? `${cut}\n… of the last one shown, ${missing} more lines` : cut;
  }
  return formatDiff({ hunks: shown });
}
