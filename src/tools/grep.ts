// Tool: contents by regular expression.
import type { Display, MatchGroup } from '../common/display';
import { hiddenBelow, secretBelow } from '../core/access/hidden';
import { missingFile, pathFromCwd, pathInRoots, placesFromCwd } from '../core/files/naming';
import type { ResolvedPath } from '../core/files/paths';
import type { Path } from '../core/host';
import { searchStarts } from '../core/files/starts';
import type { Search, TextMatch, TextQuery } from '../core/search';
import { protectionOf } from '../core/permission/protected';
import type { Items } from '../core/output/types';
import { defineTool, type RunContext, type ToolContext, type ToolOutput } from '../core/tool/tool';

/** Source: [T06]. */
const DEFAULT_HEAD = 100;
const LINE_MAX_CHARS = 500;
/** Matching lines that are looked for where the call names no number; all of them are stored. */
const MAX_FOUND = 50_000;
const DISPLAY_MAX_LINES = 200;

type Mode = 'content' | 'files_with_matches' | 'count';

export const grep = defineTool({
  name: 'grep',
  kind: 'search',
  description:
    'Searches contents with ripgrep: Rust regex syntax, no look-around. Ignored files (.gitignore) are left out, hidden ones are not; what may hold secrets (.env, keys) only counts when path names it. output_mode: files_with_matches (default), content (lines with numbers), count.',
  schema: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'The regular expression', minLength: 1 },
      path: {
        type: 'string',
        description: 'File or folder; by default the current folder, of several workspace folders all',
      },
      glob: { type: 'string', description: 'Only files like this, for example *.{ts,tsx}; !*.test.ts excludes' },
      type: { type: 'string', description: 'Only files of a type ripgrep knows: js, py, rust, …' },
      output_mode: { type: 'string', enum: ['content', 'files_with_matches', 'count'], description: 'What to show' },
      '-A': { type: 'integer', description: 'Lines after each match', minimum: 0, maximum: 100 },
      '-B': { type: 'integer', description: 'Lines before each match', minimum: 0, maximum: 100 },
      '-C': { type: 'integer', description: 'Lines around each match', minimum: 0, maximum: 100 },
      '-i': { type: 'boolean', description: 'Ignore case' },
      '-n': { type: 'boolean', description: 'Line numbers; on unless false' },
      multiline: { type: 'boolean', description: 'Matches may span lines, . matches line breaks' },
      head_limit: {
        type: 'integer',
        description: 'At most so many lines or files; by default 100 are shown',
        minimum: 1,
      },
      offset: { type: 'integer', description: 'Skip so many first', minimum: 0 },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
  modes: 'all',
  aliases: ['search', 'grep_search', 'search_file_content', 'GrepTool', 'ripgrep', 'rg', 'code_search'],
  searchHint: 'search in files',
  shape: 'matches',
  retry: true,
  interrupt: 'error',
  readOnly: () => true,
  concurrent: () => true,
  title: ({ pattern, path, glob }) => `Search ${pattern}${(path ?? glob) ? ` in ${path ?? glob}` : ''}`,

  async prepare(input, ctx) {
    const starts = await searchStarts(input.path, ctx);
    if ('objection' in starts) return starts;
    for (const start of starts) if (!(await ctx.host.files.stat(start.path))) return missingFile(start, ctx);
    const { pattern, type, multiline = false, head_limit, offset = 0 } = input;
    const mode: Mode = input.output_mode ?? 'files_with_matches';
    const hidden = await hiddenBelow(starts, ctx.host);
    const mayTell = starts.every((start) => mayTellSecrets(start, ctx));
    const isSecret = mayTell ? () => false : secretBelow(starts, ctx.host);
    const plan = {
      mode,
      mayLeaveOut: hidden.mayLeaveOut,
      isNumbered: input['-n'] ?? true,
      head: head_limit,
      offset,
      paths: starts.map(({ path }) => path),
      query: {
        pattern,
        globs: globsOf(input.glob),
        ...(type === undefined ? {} : { type }),
        ignoreCase: input['-i'] ?? false,
        multiline,
        before: mode === 'content' ? (input['-B'] ?? input['-C'] ?? 0) : 0,
        after: mode === 'content' ? (input['-A'] ?? input['-C'] ?? 0) : 0,
        maxMatches: mode === 'content' && head_limit !== undefined ? offset + head_limit : MAX_FOUND,
        ...(mode === 'files_with_matches' ? { maxPerFile: 1 } : {}),
        leavesOut: (file: Path) => isSecret(file) || hidden.leavesOut(file),
      },
    };
    return { targets: plan.paths.map((path) => ({ op: 'read', path }) as const), plan };
  },

  async run({ mode, isNumbered, head, offset, paths, query, mayLeaveOut }, ctx): Promise<ToolOutput> {
    const found = await searchAll(paths, query, ctx);
    if ('problem' in found) return { text: found.problem, failed: true };
    if (found.matches.length === 0) {
      const display: Display = { kind: 'matches', groups: [], total: 0, more: 0 };
      const besides = mayLeaveOut ? ' (files hidden from you are not searched)' : '';
      return { text: `No match for ${query.pattern} in ${placesFromCwd(paths, ctx)}${besides}.`, display };
    }
    if (mode === 'content') return content(found.matches, { isCut: found.isCut, isNumbered, head, offset }, ctx);
    return perFile(found.matches, { isCut: found.isCut, mode, head, offset }, ctx);
  },
});

async function searchAll(
  paths: readonly Path[],
  query: Omit<TextQuery, 'path'>,
  { host, signal }: RunContext,
): ReturnType<Search['text']> {
  const matches: TextMatch[] = [];
  for (const path of paths) {
    const maxMatches = query.maxMatches - countMatches(matches);
    if (maxMatches <= 0) return { matches, isCut: true };
    const found = await host.search.text({ ...query, path, maxMatches }, signal);
    if ('problem' in found) return found;
    for (const match of found.matches) matches.push(match);
    if (found.isCut) return { matches, isCut: true };
  }
  return { matches, isCut: false };
}

/** A path that is named is judged by the permission rules, and so is the mode; a folder must not bring in what reading would ask for. */
function mayTellSecrets({ path, real }: ResolvedPath, { host, mode }: ToolContext): boolean {
  return mode === 'bypass' || [path, real].some((form) => protectionOf('read', form, host.platform) === 'secret');
}

/** Commas and blanks part globs, unless they stand in braces. */
function globsOf(glob: string | undefined): readonly string[] {
  return glob?.match(/(?:\{[^}]*\}|[^\s,{])+/g) ?? [];
}

interface Slice {
  /** Undefined: as many as there are, of which the first DEFAULT_HEAD are shown. */
  readonly head: number | undefined;
  readonly offset: number;
  /** The search itself ended early. */
  readonly isCut: boolean;
}

function content(
  matches: readonly TextMatch[],
  { head, offset, isCut, isNumbered }: Slice & { readonly isNumbered: boolean },
  ctx: RunContext,
): ToolOutput {
  const kept = sliceMatches(matches, offset, head ?? MAX_FOUND);
  const { text, list } = writeOut(kept, isNumbered, ctx);
  const found = countMatches(kept);
  const drawn = kept.slice(0, DISPLAY_MAX_LINES);
  return {
    text: text || `There are no matches after the first ${offset}.`,
    items: { list, ...(head === undefined ? { first: DEFAULT_HEAD } : {}) },
    ...(isCut
      ? {
          summary: `(${found} matching lines, and there are more: go on with offset ${offset + found}, or narrow the search.)`,
        }
      : {}),
    display: {
      kind: 'matches',
      groups: groupsOf(drawn, ctx),
      total: found,
      more: found - countMatches(drawn) + (isCut ? 1 : 0),
    },
  };
}

/** Lines below the name of their file; an item is a match with the lines around it. */
function writeOut(
  kept: readonly TextMatch[],
  isNumbered: boolean,
  ctx: RunContext,
): { readonly text: string; readonly list: Items['list'] } {
  const lines: string[] = [];
  const list: { end: number; group: string }[] = [];
  let chars = 0;
  let group = '';
  let holdsMatch = false;
  const closeItem = (): void => {
    if (holdsMatch) list.push({ end: chars, group });
    holdsMatch = false;
  };
  const add = (line: string): void => {
    lines.push(line);
    chars += line.length + 1;
  };
  let before: TextMatch | undefined;
  for (const match of kept) {
    const isNewFile = match.path !== before?.path;
    const isApart = !isNewFile && before !== undefined && hasGap(before, match);
    if (isNewFile || isApart || (holdsMatch && !match.isContext)) closeItem();
    if (isNewFile) add((group = pathFromCwd(match.path, ctx)));
    if (isApart) add('--');
    add(`${isNumbered ? `${match.line}${match.isContext ? '-' : ':'} ` : ''}${cut(match.text)}`);
    if (!match.isContext) holdsMatch = true;
    before = match;
  }
  closeItem();
  return { text: lines.join('\n'), list };
}

function countMatches(lines: readonly TextMatch[]): number {
  return lines.reduce((count, { isContext }) => count + (isContext ? 0 : 1), 0);
}

/** The matches from `offset` on, at most `head`, each with its context. */
function sliceMatches(matches: readonly TextMatch[], offset: number, head: number): readonly TextMatch[] {
  let count = 0;
  const numbers = matches.map(({ isContext }) => (isContext ? count : count++));
  return matches.filter((_, at) => (numbers[at] ?? 0) >= offset && (numbers[at] ?? 0) < offset + head);
}

function hasGap(before: TextMatch, match: TextMatch): boolean {
  return match.line !== before.line + 1 && (before.isContext || match.isContext);
}

function cut(text: string): string {
  if (text.length <= LINE_MAX_CHARS) return text;
  return `${text.slice(0, LINE_MAX_CHARS).replace(/[\ud800-\udbff]$/, '')}…`;
}

function perFile(
  matches: readonly TextMatch[],
  { head, offset, isCut, mode }: Slice & { readonly mode: Mode },
  ctx: RunContext,
): ToolOutput {
  const counts = new Map<Path, number>();
  for (const { path } of matches) counts.set(path, (counts.get(path) ?? 0) + 1);
  const kept = [...counts].slice(offset, offset + (head ?? DEFAULT_HEAD));
  const lines = kept.map(([path, count]) => `${pathFromCwd(path, ctx)}${mode === 'count' ? `:${count}` : ''}`);
  const more = counts.size - offset - kept.length;
  const notes = [
    ...(mode === 'count' ? [`(${matches.length} matching lines in ${counts.size} files.)`] : []),
    ...(more > 0 ? [`(${more} more files: go on with offset ${offset + kept.length}.)`] : []),
    ...(isCut ? ['(The search ended early, so there may be more: narrow it.)'] : []),
  ];
  const display: Display =
    mode === 'count'
      ? {
          kind: 'matches',
          groups: kept.map(([path, count]) => ({ path: pathInRoots(path, ctx.host), count, lines: [] })),
          total: matches.length,
          more: Math.max(0, more),
        }
      : { kind: 'files', paths: kept.map(([path]) => pathInRoots(path, ctx.host)), more: Math.max(0, more) };
  return {
    text: lines.join('\n') || `There are no files after the first ${offset}.`,
    ...(notes.length > 0 ? { summary: notes.join('\n') } : {}),
    display,
  };
}

function groupsOf(matches: readonly TextMatch[], { host }: RunContext): MatchGroup[] {
  const groups = new Map<Path, TextMatch[]>();
  for (const match of matches) groups.set(match.path, [...(groups.get(match.path) ?? []), match]);
  return [...groups].map(([path, lines]) => ({
    path: pathInRoots(path, host),
    count: lines.filter(({ isContext }) => !isContext).length,
    lines: lines.map(({ line, text, isContext }) => ({ line, text: cut(text), ...(isContext ? { isContext } : {}) })),
  }));
}
