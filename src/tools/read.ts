// Tool: one window of a text file, with line numbers, or a picture.
import { hasImageName, IMAGE_MAX_BYTES, imageType, pictureOf, tooHeavy } from '../core/files/image';
import { missingFile, pathForDisplay } from '../core/files/naming';
import { resolvePath, type ResolvedPath } from '../core/files/paths';
import type { ReadRecord, ReadState } from '../core/files/readState';
import { isProblem, type FileProblem, type TextFile } from '../core/host';
import type { Display } from '../common/display';
import { defineTool, type RunContext, type ToolOutput } from '../core/tool/tool';

/** Sources: [T01]. */
const DEFAULT_LINES = 2_000;
const LINE_MAX_CHARS = 2_000;
const WINDOW_MAX_CHARS = 50 * 1024;

export const read = defineTool({
  name: 'read',
  kind: 'read',
  description:
    'Reads a text file as it is now, unsaved changes included. Lines come as `cat -n` prints them: number, tab, text. At most 2,000 lines (50 KB) a call; the end of the result says where to go on. PNG, JPEG, GIF and WebP are shown as images.',
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
    if (stat.kind === 'directory') return { objection: `${resolved.shown} is a folder. List it with ls.` };
    if (stat.kind === 'other') return { objection: `${resolved.shown} is not a regular file, so it is not read.` };
    const isImage = hasImageName(resolved.path);
    // Before anything of it is read [G9].
    if (isImage && !ctx.seesImages) return { objection: unseen(resolved.shown) };
    if (isImage && stat.sizeBytes > IMAGE_MAX_BYTES) return { objection: tooHeavy(resolved.shown) };
    return { targets: [{ op: 'read', path: resolved.path }], plan: { resolved, offset, limit } };
  },

  async run({ resolved, offset, limit }, ctx) {
    const { reads, call, host } = ctx;
    const text = () => host.files.text(resolved.path, host.settings.get('files.maxReadBytes'));
    const isNamedImage = hasImageName(resolved.path);
    // At once, since most of a read is waiting; what was read from elsewhere goes no further than here.
    const [isElsewhere, early] = await Promise.all([hasMoved(resolved, ctx), isNamedImage ? undefined : text()]);
    if (isElsewhere) return { text: `${resolved.shown} leads somewhere else by now. Try again.`, failed: true };
    const named = isNamedImage ? await readPicture(resolved, ctx) : undefined;
    if (named) return named;
    const file = early ?? (await text());
    if (isProblem(file)) return (await pictureInstead(file, resolved, ctx)) ?? { text: file.message, failed: true };

    // The call may be answered already: nothing is known by what nobody gets.
    if (ctx.signal.aborted) return { failed: true };

    const lines = linesOf(file.text);
    const window = cutWindow(lines, offset, limit);
    const shown = { offset, limit: window.count };
    const before = recordOf(resolved, file.version, reads);
    if (before && host.settings.get('files.dedupReads') && isShownAlready(before, shown)) {
      const pointer = `${resolved.shown} has not changed since call ${before.calls.at(-1)} read these lines; their text is in that result.`;
      return { text: pointer, repeats: true, display: display(resolved, offset, window.count, lines.length) };
    }
    const known = knownLines(before, shown, lines.length, call);
    reads.set(resolved.real, { version: file.version, window: shown, ...known, inContext: true });
    return {
      text: window.text,
      summary: summaryOf(file, lines.length, offset, window),
      display: display(resolved, offset, window.count, lines.length),
    };
  },
});

function unseen(shown: string): string {
  return `${shown} is an image, and the model in use sees none, so it was not read. Go by its name and by the code that uses it, or ask the person what it shows.`;
}

/** The path is looked at once more: what was judged is what is read (S32). */
async function hasMoved({ path, real }: ResolvedPath, { host }: RunContext): Promise<boolean> {
  return (await host.files.realPath(path)) !== real;
}

/** Undefined when it is no image by its content. The image is never part of the text. */
async function readPicture({ path, shown }: ResolvedPath, { host }: RunContext): Promise<ToolOutput | undefined> {
  const bytes = await host.files.bytes(path, host.settings.get('files.maxReadBytes'));
  if (isProblem(bytes)) return { text: bytes.message, failed: true };
  const type = imageType(bytes);
  if (type === undefined) return undefined;
  const picture = await pictureOf(bytes, type, shown);
  if ('objection' in picture) return { text: picture.objection, failed: true };
  const text = `${shown}: ${picture.words}.`;
  return { text, images: [picture.block], display: { kind: 'text', text } };
}

/** A picture by another name. */
async function pictureInstead(
  { problem }: FileProblem,
  resolved: ResolvedPath,
  ctx: RunContext,
): Promise<ToolOutput | undefined> {
  return problem === 'binary' && ctx.seesImages ? readPicture(resolved, ctx) : undefined;
}

type Shown = NonNullable<ReadRecord['window']>;

/** What the model has before it of this very text [R03]. */
function recordOf({ real }: ResolvedPath, version: string, reads: ReadState): ReadRecord | undefined {
  const record = reads.get(real);
  return record?.inContext && record.version === version ? record : undefined;
}

function isShownAlready({ window }: ReadRecord, { offset, limit }: Shown): boolean {
  return limit > 0 && window?.offset === offset && window.limit === limit;
}

/** What is known of the text once these lines are shown too, nothing to note when that is all of it, and which calls show it. */
function knownLines(
  before: ReadRecord | undefined,
  { offset, limit }: Shown,
  total: number,
  call: string,
): Pick<ReadRecord, 'known' | 'calls'> {
  const shown = { first: offset, last: offset + limit - 1 };
  const earlier = before ? (before.known ?? { first: 1, last: total }) : shown;
  const isApart = earlier.first > shown.last + 1 || shown.first > earlier.last + 1;
  const isMore = shown.first > earlier.first || shown.last < earlier.last;
  const known = isApart
    ? shown
    : { first: Math.min(earlier.first, shown.first), last: Math.max(earlier.last, shown.last) };
  const calls = before && isMore && !isApart ? [...before.calls, call] : [call];
  return known.first <= 1 && known.last >= total ? { calls } : { known, calls };
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

interface Window {
  readonly text: string;
  readonly count: number;
  /** Lines of which only the beginning is shown. */
  readonly cutLines: number;
}

function cutWindow(lines: readonly string[], offset: number, limit: number): Window {
  const shown: string[] = [];
  let chars = 0;
  let cutLines = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + limit)) {
    const isCut = line.length > LINE_MAX_CHARS;
    const text = `${String(offset + shown.length).padStart(6)}\t${isCut ? cutLine(line) : line}`;
    chars += text.length + 1;
    if (chars > WINDOW_MAX_CHARS && shown.length > 0) break;
    if (isCut) cutLines++;
    shown.push(text);
  }
  return { text: shown.join('\n'), count: shown.length, cutLines };
}

function cutLine(line: string): string {
  const head = line.slice(0, LINE_MAX_CHARS).replace(/[\ud800-\udbff]$/, '');
  return `${head}… (${line.length - head.length} more characters)`;
}

function summaryOf(file: TextFile, total: number, offset: number, { count, cutLines }: Window): string {
  const last = offset + count - 1;
  const notes = [
    ...(file.text === '' ? ['(The file is empty.)'] : []),
    ...(offset > total && total > 0 ? [`(There is no line ${offset}: the file has ${total}.)`] : []),
    ...(count > 0 && (last < total || offset > 1)
      ? [`(Lines ${offset}–${last} of ${total}.${last < total ? ` Go on with offset ${last + 1}.` : ''})`]
      : []),
    ...(cutLines > 0 ? ['(Lines over 2,000 characters are cut: print the rest of one with the shell.)'] : []),
    ...(file.isDirty ? ['(The file has unsaved changes in the editor, shown here.)'] : []),
  ];
  return notes.join('\n');
}

function display(resolved: ResolvedPath, offset: number, count: number, totalLines: number): Display {
  return { kind: 'file', path: pathForDisplay(resolved), startLine: offset, endLine: offset + count - 1, totalLines };
}
