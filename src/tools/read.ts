// Tool: one window of a file as it is now: text with line numbers, the text of a PDF, the cells of a notebook; a picture; the names in a folder.
import { hasImageName } from '../core/files/image';
import { lookAt, type Found, type Look } from '../core/files/look';
import { missingFile, pathForDisplay } from '../core/files/naming';
import { isShownAlready, knownOf, noteLook, noteRead } from '../core/files/noteRead';
import { resolvePath, type ResolvedPath } from '../core/files/paths';
import { cutWindow, DEFAULT_LINES, notesOf, type Asked } from '../core/files/window';
import type { Display } from '../common/display';
import { defineTool, type RunContext, type ToolOutput } from '../core/tool/tool';

export const read = defineTool({
  name: 'read',
  kind: 'read',
  description:
    'Reads a file as it is now, unsaved changes included. Lines come as `cat -n` prints them: number, tab, text. At most 2,000 lines (50 KB) a call; the end of the result says where to go on. PNG, JPEG, GIF and WebP are shown as images, PDFs as text, notebooks cell by cell (offset and limit count cells), folders as a list of names.',
  guide: 'read before edit and write: both need the current text. Read whole files unless they are large.',
  schema: {
    type: 'object',
    properties: {
      file_path: { type: 'string', description: 'Path of the file', minLength: 1 },
      offset: { type: 'integer', description: 'First line, from 1', minimum: 1 },
      limit: { type: 'integer', description: 'Number of lines', minimum: 1 },
    },
    required: ['file_path'],
    additionalProperties: false,
  },
  modes: 'all',
  aliases: ['read_file', 'FileReadTool', 'view', 'view_file', 'open_file', 'cat'],
  basic: true,
  searchHint: 'show the content of a file',
  shape: 'window',
  retry: true,
  interrupt: 'error',
  readOnly: () => true,
  concurrent: () => true,
  title: ({ file_path, offset, limit }) =>
    offset === undefined
      ? `Read ${file_path}`
      : `Read ${file_path} from line ${offset}${limit ? `, ${limit} lines` : ''}`,

  async prepare({ file_path, offset = 1, limit = DEFAULT_LINES }, ctx) {
    const resolved = await resolvePath(file_path, ctx);
    if ('objection' in resolved) return resolved;
    const stat = await ctx.host.files.stat(resolved.path);
    if (!stat) return missingFile(resolved, ctx);
    if (stat.kind === 'other') return { objection: `${resolved.shown} is not a regular file, so it is not read.` };
    // Before anything of it is read [G9].
    if (stat.kind === 'file' && hasImageName(resolved.path) && !ctx.seesImages) return unseen(resolved);
    const plan: Look = { resolved, kind: stat.kind === 'file' ? 'file' : 'folder', offset, limit };
    return { targets: [{ op: 'read', path: resolved.path }], plan };
  },

  async run(plan, ctx) {
    // At once, since most of a read is waiting; what was read from elsewhere goes no further than here.
    const [isElsewhere, found] = await Promise.all([hasMoved(plan.resolved, ctx), lookAt(plan, ctx)]);
    if (isElsewhere) return { text: `${plan.resolved.shown} leads somewhere else by now. Try again.`, failed: true };
    // The call may be answered already: nothing is known by what nobody gets.
    if (ctx.signal.aborted) return { failed: true };
    return answer(found, plan, ctx);
  },
});

function unseen({ shown }: ResolvedPath): { readonly objection: string } {
  return {
    objection: `${shown} is an image, and the model in use sees none, so it was not read. Go by its name and by the code that uses it, or ask the person what it shows.`,
  };
}

/** The path is looked at once more: what was judged is what is read (S32). */
async function hasMoved({ path, real }: ResolvedPath, { host }: RunContext): Promise<boolean> {
  return (await host.files.realPath(path)) !== real;
}

function answer(found: Found, { resolved, offset, limit }: Look, { reads, call, host }: RunContext): ToolOutput {
  if (found.kind === 'problem') return { text: found.message, failed: true };
  if (found.kind === 'folder') return found;
  if (found.kind === 'picture') {
    noteLook(resolved.real, { version: found.version, call }, reads);
    return { text: found.text, images: [found.image], display: { kind: 'text', text: found.text } };
  }
  const { content, version, notes } = found;
  const window = cutWindow(content, { offset, limit });
  const shown = { offset, limit: window.count };
  const display = displayOf(found, resolved, shown);
  const before = version === undefined ? undefined : knownOf(resolved.real, version, reads);
  if (before && host.settings.get('files.dedupReads') && isShownAlready(before, shown)) {
    const pointer = `${resolved.shown} has not changed since call ${before.calls.at(-1)} read these ${content.unit}s; their text is in that result.`;
    return { text: pointer, repeats: true, display };
  }
  if (version === undefined) noteLook(resolved.real, { call }, reads);
  else {
    const isCut = window.hasCut || found.isAbridged;
    const total = content.total === undefined ? {} : { total: content.total };
    noteRead(resolved.real, { version, window: shown, ...total, isCut, call }, reads);
  }
  return {
    text: window.text,
    summary: [...notesOf(content, offset, window), ...notes].join('\n'),
    ...(window.images.length > 0 ? { images: window.images } : {}),
    display,
  };
}

function displayOf(
  { content: { unit, total } }: Found & { readonly kind: 'content' },
  resolved: ResolvedPath,
  { offset, limit }: Asked,
): Display {
  return {
    kind: 'file',
    path: pathForDisplay(resolved),
    startLine: offset,
    endLine: offset + limit - 1,
    ...(total === undefined ? {} : { totalLines: total }),
    ...(unit === 'line' ? {} : { unit }),
  };
}
