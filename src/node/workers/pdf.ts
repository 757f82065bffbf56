// A thread of its own: takes the text out of a PDF, page by page. Whoever started it ends it when it takes too long.
import { parentPort, workerData } from 'node:worker_threads';
import { getDocumentProxy } from 'unpdf';

/** Sent in this order: one `count`, a `page` for each page, `done`; `failed` in place of all that is left. */
export type PdfMessage =
  | { readonly kind: 'count'; readonly pages: number }
  | { readonly kind: 'page'; readonly text: string }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly reason: 'encrypted' | 'damaged'; readonly message: string };

async function readPages(bytes: Uint8Array): Promise<void> {
  const pdf = await getDocumentProxy(bytes, { disableFontFace: true, verbosity: 0 });
  send({ kind: 'count', pages: pdf.numPages });
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const parts = items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : ''));
    page.cleanup();
    send({ kind: 'page', text: parts.join('') });
  }
  send({ kind: 'done' });
}

function send(message: PdfMessage): void {
  parentPort?.postMessage(message);
}

await readPages(workerData as Uint8Array).catch((error: unknown) => {
  const { name, message } = error instanceof Error ? error : { name: '', message: String(error) };
  send({ kind: 'failed', reason: name === 'PasswordException' ? 'encrypted' : 'damaged', message });
});
