// Text that a server wrote about itself, made fit to be read: nothing hidden in it, and of bounded length (S54).
import { wellFormedCopy } from '../output/text';

/** Control, format, bidirectional and tag characters, and variation selectors: a person does not see them, a model does. */
const HIDDEN = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/gu;

/** Times as many characters as may be shown. */
const LOOKED_AT = 4;

export function plainText(text: string, maxChars: number): string {
  // What is hidden does not count, but a server does not make us look through megabytes of it.
  const looked = text.slice(0, LOOKED_AT * maxChars);
  const plain = wellFormedCopy(looked).replace(HIDDEN, '').trim();
  if (plain.length <= maxChars && looked.length === text.length) return plain;
  const kept = plain.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/, '');
  return `${kept.trimEnd()}…`;
}

/** The end of a stream of text, for as long as somebody may want to know what was said last. */
export class Tail {
  private text = '';
  private readonly decoder = new TextDecoder();

  constructor(private readonly maxChars: number) {}

  push(bytes: Uint8Array): void {
    this.text += this.decoder.decode(bytes.subarray(-4 * this.maxChars), { stream: true });
    if (this.text.length > 2 * this.maxChars) this.text = this.text.slice(-this.maxChars);
  }

  read(): string {
    return this.text.slice(-this.maxChars);
  }

  clear(): void {
    this.text = '';
  }
}
