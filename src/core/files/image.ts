// Pictures that a model can look at: told by their content, bounded as the endpoint bounds them.
import type { ImageBlock } from '../../common/blocks';

/** Above these the endpoint refuses the whole request. Source: [G9], Anthropic’s limits for images. */
const BASE64_MAX_CHARS = 5 * 1024 * 1024;
const SIDE_MAX_PIXELS = 8_000;
/** What becomes BASE64_MAX_CHARS. */
export const IMAGE_MAX_BYTES = (BASE64_MAX_CHARS / 4) * 3;

export interface Picture {
  readonly block: ImageBlock;
  /** For people and the model: "PNG, 640 × 480 pixels, 13 KB". */
  readonly words: string;
}

const NAME = /\.(?:png|jpe?g|gif|webp)$/i;

/** All that can be known of a file before it is read. An SVG is text. */
export function hasImageName(path: string): boolean {
  return NAME.test(path);
}

/** By its first bytes, whatever its name says. */
export function imageType(bytes: Uint8Array): ImageBlock['mediaType'] | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 12));
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^GIF8[79]a/.test(start)) return 'image/gif';
  return /^RIFF[^]{4}WEBP/.test(start) ? 'image/webp' : undefined;
}

export function tooHeavy(shown: string): string {
  const most = (IMAGE_MAX_BYTES / 1024 / 1024).toFixed(2);
  return `${shown} is an image of more than ${most} MB, which no model takes. ${SMALLER_COPY}`;
}

const SMALLER_COPY =
  'Images are not scaled down here: make a smaller copy with the shell (for example: magick IN -resize 1568x1568 OUT) and read that.';

/** Why it cannot be sent says what to do instead. */
export async function pictureOf(
  bytes: Uint8Array,
  mediaType: ImageBlock['mediaType'],
  shown: string,
): Promise<Picture | { readonly objection: string }> {
  if (bytes.length > IMAGE_MAX_BYTES) return { objection: tooHeavy(shown) };
  const size = await measure(bytes);
  if (!size) return { objection: `${shown} begins like an image but is damaged: its size cannot be read.` };
  const pixels = `${size.width} × ${size.height} pixels`;
  if (Math.max(size.width, size.height) > SIDE_MAX_PIXELS) {
    return { objection: `${shown} has ${pixels}; models take at most ${SIDE_MAX_PIXELS} a side. ${SMALLER_COPY}` };
  }
  const format = mediaType.slice('image/'.length).toUpperCase();
  const words = `${format}, ${pixels}, ${Math.ceil(bytes.length / 1024)} KB`;
  return { block: { type: 'image', mediaType, data: Buffer.from(bytes).toString('base64') }, words };
}

async function measure(bytes: Uint8Array): Promise<{ readonly width: number; readonly height: number } | undefined> {
  const { imageSize } = await import('image-size');
  try {
    return imageSize(bytes);
  } catch {
    return undefined;
  }
}
