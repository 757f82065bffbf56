// The Search port by ripgrep: its ignore rules, its regular expressions, its words when a query is wrong.
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { compileGlob } from '../core/files/glob';
import type { Path } from '../core/host';
import type { FileQuery, LineMatch, LineQuery, Search, TextMatch, TextQuery } from '../core/search';
import { runRipgrep } from './ripgrep';

export function createSearch(): Search {
  return { text: searchText, files: findFiles, lines: searchLines };
}

/** Hidden files count, Git's own and installed packages do not [T05]; an ignore file holds outside of a repository too. */
const SCOPE_ARGS = ['--hidden', '--no-require-git', '--no-messages', '--glob=!.git', '--glob=!node_modules'];

async function searchText(query: TextQuery, signal: AbortSignal): ReturnType<Search['text']> {
  const place = await startOf(query.path);
  const isWanted = globFilter(query.globs);
  const matches: TextMatch[] = [];
  let found = 0;
  let isCut = false;
  const { problem, lostLines } = await runRipgrep({
    args: [...SCOPE_ARGS, ...textArgs(query), '--', place.target],
    cwd: place.cwd,
    signal,
    separator: '\n',
    async onLine(line) {
      const event = parseEvent(line);
      if (!event || !isWanted(event.path) || (await query.leavesOut?.(join(place.cwd, event.path)))) return 'more';
      if (!event.isContext && found === query.maxMatches) {
        isCut = true;
        return 'enough';
      }
      if (!event.isContext) found++;
      matches.push(...linesOf(event, place.cwd));
      return 'more';
    },
  });
  if (problem !== undefined) return { problem };
  return { matches, isCut: isCut || lostLines };
}

function textArgs(query: TextQuery): string[] {
  return [
    '--json',
    '--sort=path',
    ...(query.ignoreCase ? ['--ignore-case'] : []),
    ...(query.multiline ? ['--multiline', '--multiline-dotall'] : []),
    ...(query.before > 0 ? [`--before-context=${query.before}`] : []),
    ...(query.after > 0 ? [`--after-context=${query.after}`] : []),
    ...(query.maxPerFile === undefined ? [] : [`--max-count=${query.maxPerFile}`]),
    ...(query.type === undefined ? nameArgs(query.globs) : [`--type=${query.type}`]),
    `--regexp=${query.pattern}`,
  ];
}

async function findFiles(query: FileQuery, signal: AbortSignal): ReturnType<Search['files']> {
  const place = await startOf(query.path);
  const isWanted = globFilter([query.pattern]);
  const paths: Path[] = [];
  let isCut = false;
  const { problem } = await runRipgrep({
    args: [...SCOPE_ARGS, '--files', '--null', '--sortr=modified', ...nameArgs([query.pattern]), '--', place.target],
    cwd: place.cwd,
    signal,
    separator: '\0',
    async onLine(line) {
      const path = line.toString();
      if (!isWanted(path) || (await query.leavesOut?.(join(place.cwd, path)))) return 'more';
      isCut = paths.length === query.maxFiles;
      if (!isCut) paths.push(join(place.cwd, path));
      return isCut ? 'enough' : 'more';
    },
  });
  return problem === undefined ? { paths, isCut } : { problem };
}

async function searchLines(
  query: LineQuery,
  lines: AsyncIterable<string>,
  signal: AbortSignal,
): ReturnType<Search['lines']> {
  const matches: LineMatch[] = [];
  let isCut = false;
  const { problem, lostLines, isLate } = await runRipgrep({
    args: [
      '--json',
      '--text',
      '--line-buffered',
      '--encoding=none',
      ...(query.isLiteral ? ['--fixed-strings'] : []),
      ...(query.context > 0 ? [`--context=${query.context}`] : []),
      `--regexp=${query.pattern}`,
      '--',
      '-',
    ],
    signal,
    input: inPieces(lines),
    inputMs: query.maxMs,
    separator: '\n',
    onLine(line) {
      const event = parseEvent(line);
      if (!event) return 'more';
      isCut = matches.length >= query.maxLines;
      if (!isCut) matches.push({ line: event.line, text: cutLine(event.text), isContext: event.isContext });
      return isCut ? 'enough' : 'more';
    },
  });
  return problem === undefined ? { matches, isCut: isCut || lostLines, isLate } : { problem };
}

const PIECE_CHARS = 64 * 1024;

/** Many lines at once: one at a time they would cost more than the search. */
async function* inPieces(lines: AsyncIterable<string>): AsyncIterable<string> {
  let piece = '';
  for await (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < PIECE_CHARS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** Globs count from the folder that is searched, so ripgrep runs in it. */
async function startOf(path: Path): Promise<{ readonly cwd: Path; readonly target: string }> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  return isFolder ? { cwd: path, target: './' } : { cwd: dirname(path), target: `./${basename(path)}` };
}

/**
 * Filters by path after ripgrep: its own `--glob` overrides ignore files, so that `**\/*` would bring in node_modules.
 * A glob that starts with `!` excludes.
 */
function globFilter(globs: readonly string[]): (relative: string) => boolean {
  const includes = globs.filter((glob) => !glob.startsWith('!')).map(compileGlob);
  const excludes = globs.filter((glob) => glob.startsWith('!')).map((glob) => compileGlob(glob.slice(1)));
  return (relative) => {
    const path = relative.replace(/^\.[\\/]/, '').replaceAll('\\', '/');
    return (includes.length === 0 || includes.some((fits) => fits(path))) && !excludes.some((fits) => fits(path));
  };
}

/** Narrows the walk by file name without overriding ignore files: a file type of our own, where every glob ends in a plain name pattern. */
function nameArgs(globs: readonly string[]): string[] {
  const includes = globs.filter((glob) => !glob.startsWith('!'));
  const names = includes.map((glob) => glob.slice(glob.lastIndexOf('/') + 1));
  if (names.length === 0 || names.some((name) => !/^[\w.*?{},-]+$/.test(name) || name.includes('**'))) return [];
  return [...names.map((name) => `--type-add=lathe:${name}`), '--type=lathe'];
}

/** A match or a line of context; a match may span lines. */
interface LineEvent {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  readonly isContext: boolean;
}

/** Ripgrep's JSON: text, or bytes in base64 where they are no UTF-8. */
type Data = { readonly text: string } | { readonly bytes: string };

interface RipgrepEvent {
  readonly type: string;
  readonly data: { readonly path: Data | null; readonly lines: Data; readonly line_number: number | null };
}

const EVENT_START = /^\{"type":"(match|context)"/;

function parseEvent(line: Buffer): LineEvent | undefined {
  if (!EVENT_START.test(line.toString('latin1', 0, 24))) return undefined;
  const { type, data } = JSON.parse(line.toString()) as RipgrepEvent;
  return {
    path: data.path ? textOf(data.path) : '',
    line: data.line_number ?? 0,
    text: textOf(data.lines),
    isContext: type === 'context',
  };
}

function textOf(data: Data): string {
  return 'text' in data ? data.text : Buffer.from(data.bytes, 'base64').toString();
}

/** Source: the contract of `TextMatch`. */
const MAX_LINE_CHARS = 2_000;

function linesOf(event: LineEvent, cwd: Path): TextMatch[] {
  const path = join(cwd, event.path);
  return event.text
    .replace(/\n$/, '')
    .split('\n')
    .map((text, at) => ({ path, line: event.line + at, text: cutLine(text), isContext: event.isContext }));
}

function cutLine(text: string): string {
  // Never half of a surrogate pair.
  return text
    .replace(/\r?\n?$/, '')
    .slice(0, MAX_LINE_CHARS)
    .replace(/[\ud800-\udbff]$/, '');
}
