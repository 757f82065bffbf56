// Matcher: whole lines equal but for blanks at their ends, where one rule explains all differences of indentation [E2].
import { diffArrays } from 'diff';
import { indentMap, indentOf, type IndentMap } from '../indent';
import { lineText, type TextView } from '../lines';
import type { Matcher, Place, Wanted } from '../matcher';

export const lineTrimmed: Matcher = {
  name: 'lineTrimmed',
  find(view, wanted) {
    const block = readBlock(wanted);
    if (!block.oldTrimmed.some(isTelling)) return [];
    const windows = windowsOf(view, block);
    const exact = windows.filter(({ isIndentedAlike }) => isIndentedAlike);
    return (exact.length > 0 ? exact : windows).flatMap((window) => toPlace(view, block, window) ?? []);
  },
};

/** Blocks of nothing but braces and blanks occur anywhere; at least one line must say something. */
function isTelling(line: string): boolean {
  return /[\p{L}\p{N}_][^\n]*[\p{L}\p{N}_][^\n]*[\p{L}\p{N}_]/u.test(line);
}

interface Block {
  readonly old: readonly string[];
  readonly oldTrimmed: readonly string[];
  readonly new: readonly string[];
  /** The text goes to the end of its last line, line ending included. */
  readonly oldEndsLine: boolean;
  readonly newEndsLine: boolean;
}

function readBlock({ oldText, newText }: Wanted): Block {
  const old = oldText.replace(/\n$/, '').split('\n');
  return {
    old,
    oldTrimmed: old.map(trimBlanks),
    new: newText === '' ? [] : newText.replace(/\n$/, '').split('\n'),
    oldEndsLine: oldText.endsWith('\n'),
    newEndsLine: newText.endsWith('\n'),
  };
}

function trimBlanks(line: string): string {
  return line.replace(/^[ \t]+|[ \t\r\f\v]+$/g, '');
}

interface Window {
  /** Index of its first line in the file. */
  readonly first: number;
  readonly lines: readonly string[];
  readonly isIndentedAlike: boolean;
}

function windowsOf(view: TextView, { old, oldTrimmed }: Block): Window[] {
  const anchor = oldTrimmed.findIndex((line) => line !== '');
  const trimmed = view.lines.map((_, at) => trimBlanks(lineText(view, at)));
  const windows: Window[] = [];
  for (let at = trimmed.indexOf(oldTrimmed[anchor] ?? ''); at !== -1;) {
    const first = at - anchor;
    if (first >= 0 && oldTrimmed.every((line, offset) => trimmed[first + offset] === line)) {
      const lines = old.map((_, offset) => lineText(view, first + offset));
      const isIndentedAlike = lines.every(
        (line, offset) => isBlank(line) || indentOf(line) === indentOf(old[offset] ?? ''),
      );
      windows.push({ first, lines, isIndentedAlike });
    }
    at = trimmed.indexOf(oldTrimmed[anchor] ?? '', at + 1);
  }
  return windows;
}

function isBlank(line: string): boolean {
  return trimBlanks(line) === '';
}

function toPlace(view: TextView, block: Block, { first, lines }: Window): Place | undefined {
  const rewritten = rewrite(block, lines);
  if (!rewritten) return undefined;
  const last = first + lines.length - 1;
  const takesEol = block.oldEndsLine && view.lines[last]?.eol !== '';
  const start = view.lfStarts[first] ?? 0;
  const end = takesEol
    ? (view.lfStarts[last + 1] ?? 0)
    : (view.lfStarts[last] ?? 0) + (lines[lines.length - 1]?.length ?? 0);
  const endsLine = rewritten.length > 0 && block.newEndsLine && (takesEol || !block.oldEndsLine);
  return {
    start,
    end,
    text: rewritten.join('\n') + (endsLine ? '\n' : ''),
    similarity: similarityOf(block.old, lines),
  };
}

/** The new lines in the file's own form: what the model kept stays as the file has it, what it added is moved by the block's rule. */
function rewrite(block: Block, fileLines: readonly string[]): string[] | undefined {
  const map = blockMap(block, fileLines);
  const coordinates = coordinatesOfNew(block, fileLines);
  if (!map || coordinates === 'unclear') return undefined;
  const isForFile = coordinates === 'file';
  const move: IndentMap = isForFile ? (indent) => indent : map;
  const rewritten: (string | undefined)[] = [];
  let oldAt = 0;
  let newAt = 0;
  for (const { added, removed, value } of diffArrays([...block.oldTrimmed], block.new.map(trimBlanks))) {
    for (const text of value) {
      const oldLine = added ? '' : (block.old[oldAt] ?? '');
      const fileLine = added ? '' : (fileLines[oldAt++] ?? '');
      if (removed) continue;
      const newLine = block.new[newAt++] ?? '';
      const isKept = !added && (isBlank(text) || indentOf(newLine) === indentOf(isForFile ? fileLine : oldLine));
      rewritten.push(isKept ? fileLine : place(newLine, move));
    }
  }
  return rewritten.includes(undefined) ? undefined : (rewritten as string[]);
}

function place(line: string, map: IndentMap): string | undefined {
  if (isBlank(line)) return '';
  const indent = indentOf(line);
  const mapped = map(indent);
  return mapped === undefined ? undefined : mapped + line.slice(indent.length);
}

/** The rule for added lines. The first line is left out where others speak: models tend to drop its indentation. */
function blockMap(block: Block, fileLines: readonly string[]): IndentMap | undefined {
  const pairs = block.old.flatMap((line, at) =>
    isBlank(line) ? [] : [{ old: indentOf(line), file: indentOf(fileLines[at] ?? '') }],
  );
  return indentMap(pairs) ?? (pairs.length > 2 ? indentMap(pairs.slice(1)) : undefined);
}

/**
 * Whether the new text stands as deep as the old one or already as deep as the file: by the lines it keeps, and where they
 * disagree, since some were moved in or out on purpose, by its outermost line.
 */
function coordinatesOfNew(block: Block, fileLines: readonly string[]): 'old' | 'file' | 'unclear' {
  const indents = new Map(block.new.map((line) => [trimBlanks(line), indentOf(line)]));
  const votes = block.old.flatMap((line, at) => {
    const [old, file] = [indentOf(line), indentOf(fileLines[at] ?? '')];
    const indent = isBlank(line) ? undefined : indents.get(trimBlanks(line));
    if (old === file || (indent !== old && indent !== file)) return [];
    return [indent === old ? ('old' as const) : ('file' as const)];
  });
  if (!votes.includes('file')) return 'old';
  if (!votes.includes('old')) return 'file';
  const outermost = outermostIndent(block.new);
  if (outermost === outermostIndent(block.old)) return 'old';
  return outermost === outermostIndent(fileLines) ? 'file' : 'unclear';
}

function outermostIndent(lines: readonly string[]): number {
  return Math.min(...lines.filter((line) => !isBlank(line)).map((line) => indentOf(line).length));
}

function similarityOf(old: readonly string[], file: readonly string[]): number {
  const size = (lines: readonly string[]) => lines.reduce((sum, line) => sum + line.length + 1, 0);
  const changed = old.reduce((sum, line, at) => {
    const other = file[at] ?? '';
    if (line === other) return sum;
    const inBoth = trimBlanks(line).length;
    return sum + Math.max(line.length, other.length) - inBoth;
  }, 0);
  return Math.max(0, 1 - changed / Math.max(size(old), size(file)));
}
