// Tool: files by the pattern of their names.
import { missingFile, pathFromCwd, pathInRoots, placeFromCwd } from '../core/files/naming';
import { resolvePath } from '../core/files/paths';
import { defineTool } from '../core/tool/tool';

/** Source: [T05]. */
const MAX_SHOWN = 200;
/** Counted, so that the result can say how many more there are. */
const MAX_FOUND = 2_000;
/** What is longer is no pattern, and costs a multiple of its length to look at. */
const PATTERN_MAX_CHARS = 10_000;

export const glob = defineTool({
  name: 'glob',
  kind: 'search',
  description:
    'Finds files by name pattern, newest first, at most 200. Ignored files (.gitignore) are left out, hidden ones are not. To search contents use grep.',
  schema: {
    type: 'object',
    properties: {
      pattern: { type: 'string', description: 'For example src/**/*.ts, or *.md at any depth', minLength: 1 },
      path: { type: 'string', description: 'The folder to search; by default the current one' },
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

  async prepare({ pattern, path = '.' }, ctx) {
    if (pattern.length > PATTERN_MAX_CHARS) {
      return { objection: `The pattern has ${pattern.length} characters, which no path fits. Give a short one.` };
    }
    const { folder, rest } = splitPattern(pattern);
    const start = await resolvePath(path, ctx);
    if ('objection' in start) return start;
    const resolved =
      folder === undefined ? start : await resolvePath(folder, { host: ctx.host, cwd: () => start.path });
    if ('objection' in resolved) return resolved;
    const stat = await ctx.host.files.stat(resolved.path);
    if (!stat) return missingFile(resolved, ctx);
    if (stat.kind !== 'directory') return { objection: `${resolved.shown} is a file; path must be a folder.` };

    const inner = await resolvePath(rest, { host: ctx.host, cwd: () => resolved.path });
    const isFolder = !('objection' in inner) && (await ctx.host.files.stat(inner.path))?.kind === 'directory';
    const plan = { path: resolved.path, pattern: isFolder ? `${rest.replace(/\/$/, '')}/**` : rest };
    return { targets: [{ op: 'read', path: resolved.path }], plan };
  },

  async run({ path, pattern }, ctx) {
    const { host, signal } = ctx;
    const found = await host.search.files({ pattern, path, maxFiles: MAX_FOUND }, signal);
    if ('problem' in found) return { text: found.problem, failed: true };
    const shown = found.paths.slice(0, MAX_SHOWN);
    const more = found.paths.length - shown.length;
    const display = { kind: 'files', paths: shown.map((each) => pathInRoots(each, host)), more } as const;
    if (shown.length === 0) {
      return {
        text: `No file matches ${pattern} in ${placeFromCwd(path, ctx)} (ignored files are not searched).`,
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

/** A pattern that starts outside of the current folder brings its own: `/etc/*.conf`, `~/x/**`, `../lib/*.ts`. */
function splitPattern(pattern: string): { readonly folder?: string; readonly rest: string } {
  if (!/^(\/|~|\.\.|[a-z]:[\\/])/i.test(pattern)) return { rest: pattern };
  const parts = pattern.replaceAll('\\', '/').split('/');
  const firstGlob = parts.findIndex((part) => /[*?[\]{}]/.test(part));
  if (firstGlob === -1) return { folder: parts.slice(0, -1).join('/') || '/', rest: parts.at(-1) ?? '' };
  return { folder: parts.slice(0, firstGlob).join('/') || '/', rest: parts.slice(firstGlob).join('/') };
}
