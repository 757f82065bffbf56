// Server-sent events put together from bytes that may be split anywhere.

export interface SentEvent {
  readonly event: string;
  readonly data: string;
}

/** Held state of one stream. An event that its empty line does not end is no event, as the standard says. */
export class EventDecoder {
  private readonly decoder = new TextDecoder();
  /** The pieces of a line that has not ended: looked at once, so that a line of megabytes costs its length. */
  private held: string[] = [];
  private endsWithReturn = false;
  private event = '';
  private data: string[] = [];

  push(bytes: Uint8Array): SentEvent[] {
    const decoded = this.decoder.decode(bytes, { stream: true });
    if (decoded === '') return [];
    // The second half of a line's end.
    const text = this.endsWithReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.endsWithReturn = decoded.endsWith('\r');
    this.held.push(text);
    const hasReturns = text.includes('\r');
    if (!hasReturns && !text.includes('\n')) return [];
    const lines = this.held.join('').split(hasReturns ? /\r\n|\r|\n/ : '\n');
    this.held = [lines.pop() ?? ''];
    return lines.flatMap((line) => this.take(line) ?? []);
  }

  private take(line: string): SentEvent | undefined {
    if (line === '') return this.finish();
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.event = value;
    else if (field === 'data') this.data.push(value);
    return undefined;
  }

  private finish(): SentEvent | undefined {
    const { event, data } = this;
    this.event = '';
    this.data = [];
    return data.length === 0 ? undefined : { event, data: data.join('\n') };
  }
}
