// Bytes to text and back without losing any: UTF-8 and UTF-16, byte-order mark kept, everything else refused rather than mangled.
import type { FileProblem } from '../core/host';

/** As VS Code calls them. */
export type Encoding = 'utf8' | 'utf8bom' | 'utf16le' | 'utf16be';

export interface DecodedText {
  /** Without byte-order mark. */
  readonly text: string;
  readonly encoding: Encoding;
}

/** How much is looked at to tell binary from text, in bytes. */
export const SNIFF_BYTES = 8 * 1024;

/** Strict: a byte sequence that would come back differently is a problem, never U+FFFD (R33). */
export function decodeText(bytes: Uint8Array): DecodedText | FileProblem {
  const encoding = encodingOf(bytes);
  if (encoding === 'utf8' && looksBinary(bytes)) return BINARY;
  try {
    const body = bytes.subarray(MARKS[encoding].length);
    return { text: decoders[encoding](body), encoding };
  } catch {
    return {
      problem: 'encoding',
      message: `is not valid ${LABELS[encoding]} text. Its encoding is not known here, so it is left alone; use the shell to look at it or convert it.`,
    };
  }
}

/** Undefined when the text cannot be written without loss: half of a surrogate pair is no character. */
export function encodeText(text: string, encoding: Encoding): Uint8Array | undefined {
  if (/\p{Surrogate}/u.test(text)) return undefined;
  const body = Buffer.from(text, encoding.startsWith('utf16') ? 'utf16le' : 'utf8');
  if (encoding === 'utf16be') body.swap16();
  return Buffer.concat([MARKS[encoding], body]);
}

const MARKS: Readonly<Record<Encoding, Uint8Array>> = {
  utf8: new Uint8Array(),
  utf8bom: Uint8Array.of(0xef, 0xbb, 0xbf),
  utf16le: Uint8Array.of(0xff, 0xfe),
  utf16be: Uint8Array.of(0xfe, 0xff),
};

const LABELS: Readonly<Record<Encoding, string>> = {
  utf8: 'UTF-8',
  utf8bom: 'UTF-8',
  utf16le: 'UTF-16',
  utf16be: 'UTF-16',
};

export const BINARY: FileProblem = {
  problem: 'binary',
  message: 'is a binary file, so it has no text to show or edit.',
};

function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function decodeUtf16(bytes: Uint8Array): string {
  return new TextDecoder('utf-16le', { fatal: true, ignoreBOM: true }).decode(bytes);
}

const decoders: Readonly<Record<Encoding, (bytes: Uint8Array) => string>> = {
  utf8: decodeUtf8,
  utf8bom: decodeUtf8,
  utf16le: decodeUtf16,
  utf16be: (bytes) => {
    if (bytes.length % 2 !== 0) throw new RangeError('odd length');
    return decodeUtf16(Buffer.from(bytes).swap16());
  },
};

function encodingOf(bytes: Uint8Array): Encoding {
  for (const encoding of ['utf8bom', 'utf16le', 'utf16be'] as const) {
    if (MARKS[encoding].every((byte, at) => bytes[at] === byte)) return encoding;
  }
  return 'utf8';
}

/** Source of the share: [T01]. */
const MAX_CONTROL_SHARE = 0.3;

function looksBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, SNIFF_BYTES);
  if (head.includes(0)) return true;
  const controls = head.reduce((count, byte) => (isOddControl(byte) ? count + 1 : count), 0);
  return controls > head.length * MAX_CONTROL_SHARE;
}

function isOddControl(byte: number): boolean {
  return (byte < 0x20 && !(byte >= 0x08 && byte <= 0x0d) && byte !== 0x1b) || byte === 0x7f;
}
