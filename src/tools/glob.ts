// Tool: files by the pattern of their names.
import { hiddenBelow, type Hidden } from '../core/access/hidden';
import { missingFile, pathFromCwd, pathInRoots, placesFromCwd } from '../core/files/naming';
import { resolvePath, type ResolvedPath } from '../core/files/paths';
import { searchStarts } from '../core/files/starts';
import type { Host, Path } from '../core/host';
import type { Search } from '../core/search';
import { defineTool, type RunContext, type ToolContext } from '../core/tool/tool';

/** Source: [T05]. */
const MAX_SHOWN = 200;
/** Counted, so that the result can say how many more there are. */
const MAX_FOUND = 2_000;
const LOOKS_AT_ONCE = 64;
/** What is longer is no pattern, and costs a multiple of its length to look at. */
const PATTERN_MAX_CHARS = 10_000;

interface Query {
  readonly path: Path;
  readonly pattern: string;
}

interface Plan {
  readonly pattern: string;
  readonly queries: readonly Query[];
  readonly starts: readonly ResolvedPath[];
}

export const glob = defineTool({
  name: 'glob',
  kind: 'search',
  description:
    'Finds files by name pattern, newest first, at most 200. Ignored files (.gitignore) are left out, hidden ones are not. To search contents use grep.',
  schema: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'For example src/**/*.ts, or *.md at any depth', minLength: 1 },
      path: {
        type: 'string',
        description: 'The folder to search; by default the current one, of several workspace folders all',
      },
    },
    required: ['pattern'],
    additionalProperties: false,
  },
  modes: 'all',
  aliases: ['find_files', 'file_search', 'GlobTool', 'search_files'],
  searchHint: 'find files by name',
  shape: 'window',
  retry: true,
  interrupt: 'error',
  readOnly: () => true,
  concurrent: () => true,
  title: ({ pattern, path }) => `Find ${pattern}${path === undefined ? '' : ` in ${path}`}`,

  async prepare({ pattern, path }, ctx) {
    if (pattern.length > PATTERN_MAX_CHARS) {
      return { objection: `The pattern has ${pattern.length} characters, which no path fits. Give a short one.` };
    }
    const { folder, rest } = splitPattern(pattern);
    const named = await searchStarts(path, ctx);
    if ('objection' in named) return named;
    const starts = folder === undefined ? named : await inFolder(folder, named, ctx);
    if ('objection' in starts) return starts;
    const queries: Query[] = [];
    for (const start of starts) {
      const stat = await ctx.host.files.stat(start.path);
      if (!stat) return missingFile(start, ctx);
      if (stat.kind !== 'directory') return { objection: `${start.shown} is a file; path must be a folder.` };
      const inner = await resolvePath(rest, { host: ctx.host, cwd: () => start.path });
      const isFolder = !('objection' in inner) && (await ctx.host.files.stat(inner.path))?.kind === 'directory';
      queries.push({ path: start.path, pattern: isFolder ? `${rest.replace(/\/$/, '')}/**` : rest });
    }
    return {
      targets: queries.map((query) => ({ op: 'read', path: query.path }) as const),
      plan: { pattern: rest, queries, starts },
    };
  },

  async run({ pattern, queries, starts }: Plan, ctx) {
    const { host } = ctx;
    const hidden = await hiddenBelow(starts, host);
    const found = await findAll(queries, hidden.leavesOut, ctx);
    if ('problem' in found) return { text: found.problem, failed: true };
    const shown = found.paths.slice(0, MAX_SHOWN);
    const more = found.paths.length - shown.length;
    const display = { kind: 'files', paths: shown.map((each) => pathInRoots(each, host)), more } as const;
    if (shown.length === 0) {
      return {
        text: `No file matches ${pattern} in ${placesFromCwd(
          queries.map(({ path }) => path),
          ctx,
        )} (ignored files${hidden.mayLeaveOut ? ' and those hidden from you' : ''} are not searched).`,
        display,
      };
    }
    const count = `${found.isCut ? 'more than ' : ''}${found.paths.length}`;
    return {
      text: shown.map((each) => pathFromCwd(each, ctx)).join('\n'),
      ...(more > 0 ? { summary: `(The newest ${MAX_SHOWN} of ${count} files. Narrow the pattern or the path.)` } : {}),
      display,
    };
  },
});

async function inFolder(
  folder: string,
  [first]: readonly ResolvedPath[],
  ctx: ToolContext,
): Promise<readonly ResolvedPath[] | { readonly objection: string }> {
  const resolved = await resolvePath(folder, { host: ctx.host, cwd: () => first?.path ?? ctx.cwd() });
  return 'objection' in resolved ? resolved : [resolved];
}

async function findAll(
  queries: readonly Query[],
  leavesOut: Hidden['leavesOut'],
  { host, signal }: RunContext,
): ReturnType<Search['files']> {
  const paths: Path[] = [];
  let isCut = false;
  for (const query of queries) {
    const found = await host.search.files({ ...query, maxFiles: MAX_FOUND, leavesOut }, signal);
    if ('problem' in found) return found;
    paths.push(...found.paths);
    isCut ||= found.isCut;
  }
  if (queries.length === 1) return { paths, isCut };
  const sorted = await newestFirst([...new Set(paths)], host);
  return { paths: sorted.slice(0, MAX_FOUND), isCut: isCut || sorted.length > MAX_FOUND };
}

/** Of one folder they come so; those of several have to be looked at. */
async function newestFirst(paths: readonly Path[], { files }: Pick<Host, 'files'>): Promise<readonly Path[]> {
  const dated: { readonly path: Path; readonly time: number }[] = [];
  for (let at = 0; at < paths.length; at += LOOKS_AT_ONCE) {
    const some = paths.slice(at, at + LOOKS_AT_ONCE);
    const looked = some.map(async (path) => ({ path, time: (await files.stat(path))?.modifiedMs ?? 0 }));
    dated.push(...(await Promise.all(looked)));
  }
  return dated.sort((a, b) => b.time - a.time).map(({ path }) => path);
}

/** A pattern that starts outside of the current folder brings its own: `/etc/*.conf`, `~/x/**`, `../lib/*.ts`. */
function splitPattern(pattern: string): { readonly folder?: string; readonly rest: string } {
  if (!/^(\/|~|\.\.|[a-z]:[\\/])/i.test(pattern)) return { rest: pattern };
  const parts = pattern.replaceAll('\\', '/').split('/');
  const firstGlob = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  if (firstGlob === -1) return { folder: parts.slice(0, -1).join('/') || '/', rest: parts.at(-1) ?? '' };
  return { folder: parts.slice(0, firstGlob).join('/') || '/', rest: parts.slice(firstGlob).join('/') };
}
