// Looks at what a path leads to and says what there is to show: lines, pages, cells, a picture, names, or why there is nothing.
import type { ImageBlock } from '../../common/blocks';
import type { Display } from '../../common/display';
import type { RunContext } from '../tool/tool';
import { isProblem, type FileProblem, type TextFile } from '../host';
import { guessText } from './encoding';
import { describeFolder } from './folder';
import { hasImageName, imageType, pictureOf } from './image';
import { hasNotebookName, parseNotebook, type Notebook } from './notebook';
import { cellItem, type DrawImage } from './notebookText';
import type { PdfText } from '../media';
import type { ResolvedPath } from './paths';
import { hasPdfName, isPdf, PDF_MAX_BYTES, pdfLines, pdfNotes } from './pdf';
import { itemOf, LINE_MAX_CHARS, linesOf, WINDOW_MAX_CHARS, type Asked, type Content } from './window';

export type Found =
  | {
      readonly kind: 'content';
      readonly content: Content;
      /** Absent where the file cannot be told from another version of itself. */
      readonly version?: string;
      /** It is shown otherwise than it is written, or only in part. */
      readonly isAbridged: boolean;
      readonly notes: readonly string[];
    }
  | { readonly kind: 'picture'; readonly text: string; readonly image: ImageBlock; readonly version: string }
  | { readonly kind: 'folder'; readonly text: string; readonly display: Display }
  | { readonly kind: 'problem'; readonly message: string };

/** What is asked for. */
export interface Look extends Asked {
  readonly resolved: ResolvedPath;
  readonly kind: 'file' | 'folder';
}

export async function lookAt(look: Look, ctx: RunContext): Promise<Found> {
  const { resolved, kind } = look;
  if (kind === 'folder') {
    const folder = await describeFolder(resolved, ctx.host);
    return isProblem(folder) ? problem(folder.message) : { kind, ...folder };
  }
  const { path } = resolved;
  return (
    (hasImageName(path) || hasPdfName(path) ? await lookAtBytes(resolved, ctx) : undefined) ?? lookAtText(look, ctx)
  );
}

function problem(message: string): Found {
  return { kind: 'problem', message };
}

/** What it is goes by its content. Undefined when it is neither a picture that is seen nor a PDF. */
async function lookAtBytes({ path, shown }: ResolvedPath, ctx: RunContext): Promise<Found | undefined> {
  const { host, seesImages, signal } = ctx;
  // Before the bytes: should they be newer, the version is one that is no longer current.
  const version = await host.files.version(path);
  const maxBytes = hasPdfName(path) ? PDF_MAX_BYTES : host.settings.get('files.maxReadBytes');
  const bytes = await host.files.bytes(path, maxBytes);
  if (isProblem(bytes)) return problem(bytes.message);
  if (typeof version !== 'string') return problem(version.message);
  if (isPdf(bytes)) {
    const pdf = await host.media.pdfText(bytes, signal);
    return isProblem(pdf) ? problem(`${shown} ${pdf.message}`) : pdfFound(pdf, version);
  }
  const type = seesImages ? imageType(bytes) : undefined;
  if (type === undefined) return undefined;
  const picture = await pictureOf(bytes, type, { shown, media: host.media, signal });
  if ('objection' in picture) return problem(picture.objection);
  // The image is never part of the text.
  return { kind: 'picture', text: `${shown}: ${picture.words}.`, image: picture.block, version };
}

function pdfFound(pdf: PdfText, version: string): Found {
  const items = linesOf(pdfLines(pdf));
  const content: Content = { unit: 'line', items, first: 1, total: items.length };
  return { kind: 'content', content, version, isAbridged: true, notes: pdfNotes(pdf) };
}

const UNSAVED = '(The file has unsaved changes in the editor, shown here.)';

async function lookAtText(look: Look, ctx: RunContext): Promise<Found> {
  const { host } = ctx;
  const { path } = look.resolved;
  const file = await host.files.text(path, host.settings.get('files.maxReadBytes'));
  if (isProblem(file)) return (await lookOtherwise(file, look, ctx)) ?? problem(file.message);
  const notebook = hasNotebookName(path) ? parseNotebook(file.text) : undefined;
  if (notebook) return lookAtNotebook(notebook, file, look, ctx);
  const items = linesOf(file.text);
  const notes = [...(file.text === '' ? ['(The file is empty.)'] : []), ...(file.isDirty ? [UNSAVED] : [])];
  const content: Content = { unit: 'line', items, first: 1, total: items.length };
  return { kind: 'content', content, version: file.version, isAbridged: false, notes };
}

/** What there is to see of a file that has no text to give. */
async function lookOtherwise({ problem: what }: FileProblem, look: Look, ctx: RunContext): Promise<Found | undefined> {
  if (what === 'too-large') return lookAtLines(look, ctx);
  if (what === 'encoding') return lookByGuess(look, ctx);
  return what === 'binary' ? lookAtBytes(look.resolved, ctx) : undefined;
}

/** The window alone is read of a file that is larger than what is read whole. */
async function lookAtLines({ resolved: { path }, offset, limit }: Look, { host, signal }: RunContext): Promise<Found> {
  const stat = await host.files.stat(path);
  // What cannot be edited anyway is not read to its end for its version.
  const isEditable = stat !== undefined && stat.sizeBytes <= host.settings.get('files.maxEditBytes');
  const version = isEditable ? await host.files.version(path) : undefined;
  const range = { first: offset, count: limit, lineMaxChars: LINE_MAX_CHARS, maxChars: WINDOW_MAX_CHARS };
  const found = await host.files.lines(path, range, signal);
  if (isProblem(found)) return problem(found.message);
  const { lines, total, isDirty } = found;
  return {
    kind: 'content',
    content: { unit: 'line', items: lines.map(itemOf), first: offset, ...(total === undefined ? {} : { total }) },
    ...(typeof version === 'string' ? { version } : {}),
    isAbridged: false,
    notes: isDirty ? [UNSAVED] : [],
  };
}

/** To look at only: an edit is refused as long as the encoding is not known for sure. */
async function lookByGuess({ resolved: { path } }: Look, { host }: RunContext): Promise<Found> {
  const bytes = await host.files.bytes(path, host.settings.get('files.maxReadBytes'));
  if (isProblem(bytes)) return problem(bytes.message);
  const { text, name, setting } = await guessText(bytes);
  const items = linesOf(text);
  return {
    kind: 'content',
    content: { unit: 'line', items, first: 1, total: items.length },
    isAbridged: true,
    notes: [
      `(Its encoding is not known: shown as ${name}, which is a guess. It cannot be edited like this. The person can set files.encoding to "${setting}" for it, or have it converted to UTF-8.)`,
    ],
  };
}

/** A few show what the rest is like, and each takes up to 1,600 tokens. */
const MAX_IMAGES = 4;

async function lookAtNotebook(
  notebook: Notebook,
  file: TextFile,
  { resolved, offset, limit }: Look,
  { host, seesImages, signal }: RunContext,
): Promise<Found> {
  let room = seesImages ? MAX_IMAGES : 0;
  const draw: DrawImage = async ({ data = '' }) => {
    if (room === 0) return undefined;
    const bytes = Buffer.from(data, 'base64');
    const type = imageType(bytes);
    if (type === undefined) return undefined;
    // One that turns out to be damaged has taken as long as one that is shown.
    room--;
    const picture = await pictureOf(bytes, type, { shown: resolved.shown, media: host.media, signal });
    return 'objection' in picture ? undefined : picture.block;
  };
  const items = [];
  for (const cell of notebook.cells.slice(offset - 1, offset - 1 + limit)) items.push(await cellItem(cell, draw));
  return {
    kind: 'content',
    content: { unit: 'cell', items, first: offset, total: notebook.cells.length },
    version: file.version,
    isAbridged: true,
    notes: [
      ...(notebook.cells.length === 0 ? ['(The notebook has no cells.)'] : []),
      ...(file.isDirty ? ['(The notebook has unsaved changes in the editor, shown here.)'] : []),
    ],
  };
}
