// The Search port in the editor: ripgrep on disk, and open files with unsaved changes as they are now.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative } from 'node:path';
import type { Path } from '../../core/host';
import type { Search, TextMatch, TextQuery } from '../../core/search';
import { createSearch } from '../../node/search';
import { dirtyDocuments, documentPath } from './documents';
import { isLocal } from '../uris';

type TextAnswer = Awaited<ReturnType<Search['text']>>;

export function editorSearch(): Search {
  const disk = createSearch();
  return {
    files: (query, signal) => disk.files(query, signal),
    lines: (query, lines, signal) => disk.lines(query, lines, signal),
    async text(query, signal) {
      const [found, live] = await Promise.all([disk.text(query, signal), searchLive(query, disk, signal)]);
      if (!live || 'problem' in found) return found;
      if ('problem' in live.answer) return live.answer;
      const saved = found.matches.filter(({ path }) => !live.paths.has(path));
      const matches = [...saved, ...live.answer.matches].sort(byPathThenLine);
      const kept = firstMatches(matches, query.maxMatches);
      return { matches: kept, isCut: found.isCut || live.answer.isCut || kept.length < matches.length };
    },
  };
}

/**
 * The texts are laid out below a temporary folder under the names they have below the searched one, so that the very same
 * search, globs, types and context included, runs over them.
 */
async function searchLive(
  query: TextQuery,
  disk: Search,
  signal: AbortSignal,
): Promise<{ readonly paths: ReadonlySet<Path>; readonly answer: TextAnswer } | undefined> {
  const dirty = isLocal(query.path) ? await searchedDocuments(query, disk, signal) : [];
  if (dirty.length === 0) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'lathe-search-'));
  try {
    for (const { name, text } of dirty) {
      const copy = join(folder, name);
      await mkdir(dirname(copy), { recursive: true });
      await writeFile(copy, text, { mode: 0o600 });
    }
    const only = dirty.find(({ path }) => path === query.path);
    const answer = await disk.text({ ...query, path: only ? join(folder, only.name) : folder }, signal);
    const paths = new Set(dirty.map(({ path }) => path));
    if ('problem' in answer) return { paths, answer };
    const original = new Map(dirty.map(({ name, path }) => [join(folder, name), path]));
    const matches = answer.matches.map((match) => ({ ...match, path: original.get(match.path) ?? match.path }));
    return { paths, answer: { ...answer, matches } };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface LiveText {
  readonly path: Path;
  /** Relative to the searched folder. */
  readonly name: string;
  readonly text: string;
}

/** Open files with unsaved changes that the search would look into: below its folder, and not ignored. */
async function searchedDocuments(query: TextQuery, disk: Search, signal: AbortSignal): Promise<LiveText[]> {
  const found: LiveText[] = [];
  for (const document of dirtyDocuments()) {
    const path = documentPath(document);
    if (document.uri.scheme !== 'file') continue;
    if (path === query.path) return [{ path, name: relative(dirname(path), path), text: document.getText() }];
    const name = relative(query.path, path);
    if (name.startsWith('..') || isAbsolute(name) || (await query.leavesOut?.(path))) continue;
    const listed = await disk.files({ pattern: literalGlob(name), path: query.path, maxFiles: 1 }, signal);
    if ('paths' in listed && listed.paths.length > 0) found.push({ path, name, text: document.getText() });
  }
  return found;
}

function literalGlob(name: string): string {
  return `/${name.replaceAll('\\', '/').replace(/[*?[\]{}()!+@|]/g, '\\$&')}`;
}

function byPathThenLine(a: TextMatch, b: TextMatch): number {
  if (a.path !== b.path) return a.path < b.path ? -1 : 1;
  return a.line - b.line;
}

/** Cut after `max` matches; the context that belongs to the next one goes with it. */
function firstMatches(matches: readonly TextMatch[], max: number): readonly TextMatch[] {
  let count = 0;
  const end = matches.findIndex(({ isContext }) => !isContext && ++count > max);
  return end === -1 ? matches : matches.slice(0, end);
}
