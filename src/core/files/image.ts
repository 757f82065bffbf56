// Pictures that a model can look at: told by their content, made smaller where they are larger than is of use.
import type { ImageBlock } from '../../common/blocks';
import { isProblem } from '../host';
import type { Media } from '../media';

/** Above this the endpoint refuses the whole request. Source: [G9], Anthropic’s limits for images. */
const BASE64_MAX_CHARS = 5 * 1024 * 1024;
const IMAGE_MAX_BYTES = (BASE64_MAX_CHARS / 4) * 3;
/** Models look at no more than this of the longer side. Source: [G9]. */
const USEFUL_SIDE_PIXELS = 1_568;
/** Decoded, each takes four bytes. */
const MAX_PIXELS = 100_000_000;

export interface Picture {
  readonly block: ImageBlock;
  /** For people and the model: "PNG, 640 × 480 pixels, 13 KB". */
  readonly words: string;
}

interface Size {
  readonly width: number;
  readonly height: number;
  readonly orientation: number;
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

/** Why it cannot be shown says what to do instead. `shown` names it. */
export async function pictureOf(
  bytes: Uint8Array,
  mediaType: ImageBlock['mediaType'],
  { shown, media, signal }: { readonly shown: string; readonly media: Media; readonly signal: AbortSignal },
): Promise<Picture | { readonly objection: string }> {
  const size = await measure(bytes);
  if (!size || isCutOff(bytes, mediaType)) {
    const fault = size ? 'its end is missing' : 'its size cannot be read';
    return { objection: `${shown} begins like an image but is damaged: ${fault}.` };
  }
  const pixels = pixelsOf(size);
  if (bytes.length <= IMAGE_MAX_BYTES && Math.max(size.width, size.height) <= USEFUL_SIDE_PIXELS) {
    return { block: blockOf(bytes, mediaType), words: `${formatOf(mediaType)}, ${pixels}, ${kilobytes(bytes)}` };
  }
  if (size.width * size.height > MAX_PIXELS) {
    return {
      objection: `${shown} has ${pixels}, too many to be decoded. Make a smaller copy with the shell (for example: magick IN -resize 1568x1568 OUT) and read that.`,
    };
  }
  const bounds = { maxSidePixels: USEFUL_SIDE_PIXELS, maxBytes: IMAGE_MAX_BYTES, orientation: size.orientation };
  const smaller = await media.shrinkImage(bytes, bounds, signal);
  if (isProblem(smaller)) return { objection: `${shown} ${smaller.message}` };
  const what = mediaType === 'image/gif' ? 'the first frame of a GIF' : formatOf(mediaType);
  const scaled = smaller.width === size.width ? '' : ` to ${smaller.width} × ${smaller.height}`;
  return {
    block: blockOf(smaller.bytes, smaller.mediaType),
    words: `${what}, ${scaled === '' ? '' : 'scaled from '}${pixels}${scaled}, shown as ${formatOf(smaller.mediaType)} of ${kilobytes(smaller.bytes)}`,
  };
}

function blockOf(bytes: Uint8Array, mediaType: ImageBlock['mediaType']): ImageBlock {
  return { type: 'image', mediaType, data: Buffer.from(bytes).toString('base64') };
}

function formatOf(mediaType: ImageBlock['mediaType']): string {
  return mediaType.slice('image/'.length).toUpperCase();
}

function pixelsOf({ width, height }: Size): string {
  return `${width} × ${height} pixels`;
}

function kilobytes({ length }: Uint8Array): string {
  return `${Math.ceil(length / 1024)} KB`;
}

/** By its header only: nothing is decoded. */
async function measure(bytes: Uint8Array): Promise<Size | undefined> {
  const { imageSize } = await import('image-size');
  try {
    const { width, height, orientation = 1 } = imageSize(bytes);
    return width > 0 && height > 0 ? { width, height, orientation } : undefined;
  } catch {
    return undefined;
  }
}

/** The endpoint refuses a request with half a picture in it. */
function isCutOff(bytes: Uint8Array, mediaType: ImageBlock['mediaType']): boolean {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (mediaType === 'image/png') return !buffer.includes('IEND');
  // After its last scan: a small picture of itself in its head ends too.
  if (mediaType === 'image/jpeg') {
    return !buffer.includes('\xff\xd9', Math.max(2, buffer.lastIndexOf('\xff\xda', undefined, 'latin1')), 'latin1');
  }
  if (mediaType === 'image/gif') return !buffer.includes(0x3b, 13);
  return buffer.readUInt32LE(4) + 8 > buffer.length;
}
