// Text and its UTF-8 form: decoding what comes in pieces, and cutting bytes where characters end.

const encoder = new TextEncoder();

/** Lone halves of surrogate pairs become U+FFFD. */
export function wellFormed(text: string): string {
  return text.isWellFormed() ? text : text.toWellFormed();
}

/** Like `wellFormed`, but always a copy, so that a small piece of a huge text does not keep all of it in memory. */
export function wellFormedCopy(text: string): string {
  return decodeUtf8(encoder.encode(text));
}

export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** A single chunk is answered as it is. */
export function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const [only] = chunks;
  if (only && chunks.length === 1) return only;
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** A byte-order mark is text like any other here. Invalid bytes become U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
}

/** Turns a mix of strings and bytes, split anywhere, into well-formed text. */
export class TextAssembler {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private highHalf = '';
  private mayHoldBytes = false;

  push(chunk: string | Uint8Array): string {
    if (typeof chunk !== 'string') {
      this.mayHoldBytes = true;
      return wellFormed(this.takeHalf('')) + this.decoder.decode(chunk, { stream: true });
    }
    const text = this.takeHalf(this.takeBytes() + chunk);
    const last = text.charCodeAt(text.length - 1);
    if (last < 0xd800 || last > 0xdbff || Number.isNaN(last)) return wellFormed(text);
    this.highHalf = text.slice(-1);
    return wellFormed(text.slice(0, -1));
  }

  /** What was held back for a rest that never came. */
  end(): string {
    return wellFormed(this.takeHalf(this.takeBytes()));
  }

  private takeBytes(): string {
    if (!this.mayHoldBytes) return '';
    this.mayHoldBytes = false;
    return this.decoder.decode();
  }

  private takeHalf(next: string): string {
    const text = this.highHalf + next;
    this.highHalf = '';
    return text;
  }
}

/** The longest part of `bytes` that neither starts nor ends inside a character. `isCut`: more bytes follow. */
export function wholeCharacters(bytes: Uint8Array, isCut: boolean): { readonly start: number; readonly end: number } {
  let start = 0;
  while (start < Math.min(3, bytes.length) && isContinuation(bytes[start])) start++;
  if (!isCut) return { start, end: bytes.length };
  let lead = bytes.length - 1;
  while (lead > start && bytes.length - lead < 4 && isContinuation(bytes[lead])) lead--;
  return { start, end: lead + characterBytes(bytes[lead] ?? 0) <= bytes.length ? bytes.length : Math.max(start, lead) };
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function characterBytes(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
