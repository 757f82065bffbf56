// The port for work on bytes that takes long and comes from strangers: done apart from the host's own thread, in bounded time and memory.
import type { ImageBlock } from '../common/blocks';
import type { FileProblem } from './host';

export interface PdfText {
  /** The text of each page that was reached, from the first on; empty where a page has none. */
  readonly pages: readonly string[];
  readonly pageCount: number;
}

export interface ImageBounds {
  /** Of the longer side. */
  readonly maxSidePixels: number;
  readonly maxBytes: number;
  /** As EXIF has it, 1 to 8: how the picture has to be turned to stand upright. */
  readonly orientation: number;
}

export interface SmallerImage {
  readonly bytes: Uint8Array;
  readonly mediaType: ImageBlock['mediaType'];
  readonly width: number;
  readonly height: number;
}

/** Neither rejects: what cannot be worked on is a problem, worded without the file's name ("is damaged …"). */
export interface Media {
  /** Where time runs out, the pages reached by then. */
  pdfText(bytes: Uint8Array, signal: AbortSignal): Promise<PdfText | FileProblem>;
  /** PNG, JPEG, WebP or the first frame of a GIF, as PNG or JPEG within the bounds. */
  shrinkImage(bytes: Uint8Array, bounds: ImageBounds, signal: AbortSignal): Promise<SmallerImage | FileProblem>;
}
