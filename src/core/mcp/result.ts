// From what a server answered to what the model reads: texts, images, links and data, in the order they came.
import type { ImageBlock } from '../../common/blocks';
import { isJsonObject, type Json, type JsonObject } from '../../common/json';

export interface Rendered {
  readonly text: string;
  readonly images: readonly ImageBlock[];
}

/** Images that one result may bring into the conversation, and the length of one in base64. Source: limits of the Messages API. */
export const IMAGES_MAX = 10;
export const IMAGE_MAX_CHARS = 5 * 1024 * 1024;

/** Nothing that came is dropped without a word. */
export function renderResult(result: JsonObject): Rendered {
  const { content, structuredContent } = result;
  const images: ImageBlock[] = [];
  const texts = (Array.isArray(content) ? (content as readonly Json[]) : []).map((part) => renderPart(part, images));
  if (structuredContent !== undefined && !texts.some((text) => saysTheSame(text, structuredContent))) {
    texts.push(JSON.stringify(structuredContent, undefined, 2));
  }
  return { text: texts.filter((text) => text !== '').join('\n'), images };
}

function renderPart(part: Json, images: ImageBlock[]): string {
  if (!isJsonObject(part)) return JSON.stringify(part);
  switch (part.type) {
    case 'text':
      return asText(part.text);
    case 'image':
      return takeImage('image', asText(part.mimeType), asText(part.data), images);
    case 'audio':
      return `[audio, ${asText(part.mimeType)}, ${sizeOf(asText(part.data))}: left out, since it cannot be heard here]`;
    case 'resource_link':
      return renderLink(part);
    case 'resource':
      return renderResource(isJsonObject(part.resource) ? part.resource : {}, images);
    default:
      return JSON.stringify(part);
  }
}

function renderLink({ uri, name, title, description, mimeType }: JsonObject): string {
  const about = [title ?? name, mimeType, description].map(asText).filter((text) => text !== '');
  return `[link to the resource ${asText(uri)}${about.length === 0 ? '' : `: ${about.join(', ')}`}]`;
}

function renderResource({ uri, mimeType, text, blob }: JsonObject, images: ImageBlock[]): string {
  const name = `the resource ${asText(uri)}`;
  if (typeof text === 'string') return `[${name}]\n${text}`;
  if (asText(mimeType).startsWith('image/')) return takeImage(name, asText(mimeType), asText(blob), images);
  return `[${name}, ${asText(mimeType) || 'binary'}, ${sizeOf(asText(blob))}: left out, since it is no text]`;
}

/** Adds an image that the model can be sent; what cannot be sent would have every later request refused. */
function takeImage(name: string, declaredType: string, data: string, images: ImageBlock[]): string {
  const leftOut = (why: string): string => `[${name}, ${declaredType}, ${sizeOf(data)}: left out, since ${why}]`;
  if (data.length > IMAGE_MAX_CHARS) return leftOut('it is too large');
  if (images.length >= IMAGES_MAX) return leftOut(`there are more than ${IMAGES_MAX} images`);
  const mediaType = isBase64(data) ? MEDIA_TYPES.find(({ start }) => start.test(data))?.mediaType : undefined;
  if (!mediaType) return leftOut('it is no PNG, JPEG, GIF or WebP');
  images.push({ type: 'image', mediaType, data });
  return `[${name === 'image' ? '' : `${name}: `}image ${images.length}]`;
}

/** The first bytes of the formats that a model takes, in base64. What an image is declared to be does not count. */
const MEDIA_TYPES: readonly { readonly mediaType: ImageBlock['mediaType']; readonly start: RegExp }[] = [
  { mediaType: 'image/png', start: /^iVBORw0KGg/ },
  { mediaType: 'image/jpeg', start: /^\/9j\// },
  { mediaType: 'image/gif', start: /^R0lGOD/ },
  { mediaType: 'image/webp', start: /^UklGR.{6}XRUJQ/ },
];

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data);
}

function sizeOf(base64: string): string {
  return `${Math.floor((base64.length * 3) / 4)} bytes`;
}

/** Servers repeat their data as text for clients that know only text. */
function saysTheSame(text: string, data: Json): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(data);
  } catch {
    return false;
  }
}

function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
