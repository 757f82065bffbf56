// Lines of a file of any size: read in pieces, only those asked for are kept.
import type { FileHandle } from 'node:fs/promises';
import { TextDecoder } from 'node:util';
import type { FileProblem, LineRange, Path, TextLine, TextLines } from '../core/host';
import { notRegular, openWithoutWaiting, problemOf } from './files';
import { BINARY, SNIFF_BYTES } from './text';

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

export async function readLines(path: Path, range: LineRange, signal: AbortSignal): Promise<TextLines | FileProblem> {
  let file: FileHandle | undefined;
  try {
    file = await openWithoutWaiting(path);
    const opened = await file.stat();
    if (!opened.isFile()) return notRegular(path);
    const scan = scanLines(range);
    for await (const piece of utf8Pieces(file)) {
      if (signal.aborted) return stopped(path);
      if (scan.push(piece) === 'enough') return { lines: scan.lines, isDirty: false };
    }
    return { lines: scan.lines, total: scan.finish(), isDirty: false };
  } catch (error) {
    if (error instanceof NoText) return { ...error.found, message: `${path} ${error.found.message}` };
    return problemOf(path, error);
  } finally {
    void file?.close().catch(() => {});
  }
}

function stopped(path: Path): FileProblem {
  return { problem: 'failed', message: `${path} was not read to that line: the call was stopped.` };
}

class NoText extends Error {
  constructor(readonly found: FileProblem) {
    super(found.message);
  }
}

/** The content as UTF-8 without byte-order mark, as it is or converted from UTF-16. The pieces are good until the next one. */
async function* utf8Pieces(file: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let decoder: TextDecoder | undefined;
  for (let isFirst = true; ; isFirst = false) {
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
    const piece = buffer.subarray(0, bytesRead);
    if (isFirst) {
      const name = utf16Name(piece);
      decoder = name === undefined ? undefined : new TextDecoder(name, { fatal: true });
      if (!decoder && piece.subarray(0, SNIFF_BYTES).includes(0)) throw new NoText(BINARY);
    }
    const isMarked = isFirst && piece[0] === 0xef && piece[1] === 0xbb && piece[2] === 0xbf;
    if (decoder) yield Buffer.from(decode(decoder, piece, bytesRead === 0 ? 'all' : 'a part'));
    else yield piece.subarray(isMarked ? 3 : 0);
    if (bytesRead === 0) return;
  }
}

function utf16Name([a, b]: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
}

/** The end of a part may be the middle of a character. */
function decode(decoder: TextDecoder, bytes: Uint8Array, extent: 'all' | 'a part'): string {
  try {
    return decoder.decode(bytes, { stream: extent === 'a part' });
  } catch {
    throw new NoText({
      problem: 'encoding',
      message: `is not valid ${decoder.encoding.toUpperCase()} text. Use the shell to look at it or convert it.`,
    });
  }
}

interface Scan {
  readonly lines: readonly TextLine[];
  push(piece: Buffer): 'more' | 'enough';
  /** At the end of the text: the number of its lines. */
  finish(): number;
}

function scanLines({ first, count, lineMaxChars, maxChars }: LineRange): Scan {
  // A character of UTF-8 takes at most three bytes for each unit of UTF-16.
  const keptBytes = lineMaxChars * 3;
  const lines: TextLine[] = [];
  let number = 1;
  let chars = 0;
  /** Of the line that is being read. */
  let kept: Buffer[] = [];
  let keptLength = 0;
  let lineBytes = 0;

  const isFull = () => lines.length >= count || chars >= maxChars;

  function take(part: Buffer): void {
    lineBytes += part.length;
    if (number < first || isFull()) return;
    if (part.includes(0)) throw new NoText(BINARY);
    const head = part.subarray(0, keptBytes - keptLength);
    // A copy: the piece is overwritten by the next one.
    if (head.length > 0) kept.push(Buffer.from(head));
    keptLength += head.length;
  }

  function endLine(): void {
    if (number >= first && !isFull()) {
      const line = lineOf(Buffer.concat(kept), { lineBytes, lineMaxChars });
      lines.push(line);
      chars += line.text.length;
    }
    number++;
    kept = [];
    keptLength = lineBytes = 0;
  }

  return {
    lines,
    push(piece) {
      let start = 0;
      for (let at = piece.indexOf(NEWLINE); at !== -1; at = piece.indexOf(NEWLINE, start)) {
        // Something begins after what is full: it is not the end.
        if (isFull()) return 'enough';
        take(piece.subarray(start, at));
        endLine();
        start = at + 1;
      }
      if (start === piece.length) return 'more';
      if (isFull()) return 'enough';
      take(piece.subarray(start));
      return 'more';
    },
    finish() {
      if (lineBytes > 0) endLine();
      return number - 1;
    },
  };
}

function lineOf(
  kept: Buffer,
  { lineBytes, lineMaxChars }: { readonly lineBytes: number; readonly lineMaxChars: number },
): TextLine {
  const isWhole = kept.length === lineBytes;
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const decoded = decode(decoder, kept, isWhole ? 'all' : 'a part').replace(/\r$/, '');
  if (isWhole && decoded.length <= lineMaxChars) return { text: decoded, moreBytes: 0 };
  const text = decoded.slice(0, lineMaxChars).replace(/[\ud800-\udbff]$/, '');
  return { text, moreBytes: lineBytes - Buffer.byteLength(text) };
}
