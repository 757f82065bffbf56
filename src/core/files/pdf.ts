// A PDF as lines of text: one stretch for each page, under a line that names it.
import type { PdfText } from '../media';

/** Larger ones are not opened. */
export const PDF_MAX_BYTES = 50 * 1024 * 1024;

export function hasPdfName(path: string): boolean {
  return /\.pdf$/i.test(path);
}

export function isPdf(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 5)) === '%PDF-';
}

export function pdfLines({ pages, pageCount }: PdfText): string {
  return pages.map((text, at) => pageLines(text, `[Page ${at + 1} of ${pageCount}`)).join('');
}

function pageLines(text: string, head: string): string {
  const lines = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[ \t]+$/gm, '')
    .trim();
  return lines === '' ? `${head}: no text]\n` : `${head}]\n${lines}\n`;
}

/** What the lines do not tell. */
export function pdfNotes({ pages, pageCount }: PdfText): string[] {
  if (pages.length === pageCount && pages.every((text) => text.trim() === '')) {
    return ['(No page has text: these are pictures, such as scans. Turn pages into images or text with the shell.)'];
  }
  const notReached = pageCount - pages.length;
  return [
    '(The text of a PDF, without its layout and pictures.)',
    ...(notReached > 0 ? [`(${notReached} more pages were not reached in time: use the shell for them.)`] : []),
  ];
}
