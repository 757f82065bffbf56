// PDF files made from their parts, as small as they can be.
import { constants, deflateRawSync } from 'node:zlib';

/** One page for each text; its lines stand one below the other. */
export function pdf(pages: readonly string[]): Buffer {
  return pdfOf(pages.map((text) => ({ content: pageContent(text) })));
}

/** Says that it is encrypted, and opens with no password there is. */
export function lockedPdf(): Buffer {
  const key = '00'.repeat(32);
  const encrypt = `/Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >> /ID [<00> <00>]`;
  return pdfOf([{ content: pageContent('secret') }], encrypt);
}

/** Each of its forms draws the next one ten times: 10^20 texts. */
export function endlessPdf(): Buffer {
  const levels = 20;
  const forms = Array.from({ length: levels }, (_, level) => {
    const isLast = level + 1 === levels;
    const resources = isLast ? FONT : `/XObject << /F ${formNumber(level + 1)} 0 R >>`;
    const content = isLast ? pageContent('again') : '/F Do '.repeat(10);
    const dictionary = `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << ${resources} >>`;
    return stream(dictionary, Buffer.from(content));
  });
  return pdfOf([{ content: '/F Do', resources: `/XObject << /F ${formNumber(0)} 0 R >>` }], '', forms);
}

/** A page whose content is so many megabytes of spaces, a thousandth of them in the file. */
export function swollenPdf(megabytes: number): Buffer {
  const block = deflateRawSync(Buffer.alloc(1024 * 1024, ' '), { finishFlush: constants.Z_FULL_FLUSH });
  const blocks = Array<Buffer>(megabytes).fill(block);
  const content = Buffer.concat([Buffer.from('789c', 'hex'), ...blocks, Buffer.from('0300', 'hex')]);
  return pdfOf([{ content, filter: '/Filter /FlateDecode' }]);
}

interface Page {
  readonly content: string | Buffer;
  readonly filter?: string;
  readonly resources?: string;
}

const FONT = '/Font << /F1 3 0 R >>';
const FIRST_EXTRA = 100;

function formNumber(level: number): number {
  return FIRST_EXTRA + level;
}

function pageContent(text: string): string {
  const escaped = (line: string) => line.replace(/[\\()]/g, '\\$&');
  const lines = text === '' ? [] : text.split('\n').map((line) => `(${escaped(line)}) Tj T*`);
  return `BT /F1 12 Tf 14 TL 50 700 Td ${lines.join(' ')} ET`;
}

function pdfOf(pages: readonly Page[], trailer = '', extras: readonly Buffer[] = []): Buffer {
  const objects = new Map<number, Buffer>();
  const kids = pages.map((_, at) => `${10 + at * 2} 0 R`).join(' ');
  objects.set(1, Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'));
  objects.set(2, Buffer.from(`<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`));
  objects.set(3, Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'));
  for (const [at, { content, filter = '', resources = FONT }] of pages.entries()) {
    const number = 10 + at * 2;
    const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents ${number + 1} 0 R /Resources << ${resources} >> >>`;
    objects.set(number, Buffer.from(page));
    objects.set(number + 1, stream(filter, Buffer.from(content)));
  }
  for (const [at, extra] of extras.entries()) objects.set(FIRST_EXTRA + at, extra);
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  const offsets = new Map<number, number>();
  for (const [number, body] of objects) {
    offsets.set(
      number,
      parts.reduce((sum, { length }) => sum + length, 0),
    );
    parts.push(Buffer.from(`${number} 0 obj\n`), body, Buffer.from('\nendobj\n'));
  }
  const start = parts.reduce((sum, { length }) => sum + length, 0);
  const size = Math.max(...objects.keys()) + 1;
  const table = Array.from({ length: size }, (_, number) => {
    const offset = offsets.get(number);
    return offset === undefined ? '0000000000 65535 f \n' : `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const end = `xref\n0 ${size}\n${table.join('')}trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`;
  return Buffer.concat([...parts, Buffer.from(end)]);
}

function stream(dictionary: string, content: Buffer): Buffer {
  const head = `<< ${dictionary} /Length ${content.length} >>\nstream\n`;
  return Buffer.concat([Buffer.from(head), content, Buffer.from('\nendstream')]);
}
