// Turns what a program prints to a terminal into plain text: colours dropped, progress lines collapsed, control sequences resolved (S86).

/** Held state: what has not come to its end yet, be it a character, a sequence or a line. Bytes may be split anywhere. */
export class TerminalText {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private state: State = 'text';
  private sequence = '';
  private line = '';
  /** A `\r` came: the next character overwrites the line, a `\n` ends it as usual. */
  private isAtStart = false;

  /** The lines that are complete now. */
  push(bytes: Uint8Array): string {
    return this.resolve(this.decoder.decode(bytes, { stream: true }));
  }

  /** The line that is still being written. */
  pending(): string {
    return this.line;
  }

  /** What is left when the program has ended. */
  end(): string {
    const rest = this.resolve(this.decoder.decode()) + this.line;
    this.line = '';
    return rest;
  }

  private resolve(text: string): string {
    const done: string[] = [];
    let at = 0;
    while (at < text.length) {
      if (this.state !== 'text') {
        at = this.skipSequence(text, at);
        continue;
      }
      const end = nextControl(text, at);
      if (end > at) this.write(text.slice(at, end), done);
      if (end < text.length) this.control(text[end] ?? '');
      at = end + 1;
    }
    return done.join('');
  }

  /** Whole runs of lines at once: a program may print millions of them. */
  private write(text: string, done: string[]): void {
    if (this.isAtStart && !text.startsWith('\n')) this.line = '';
    this.isAtStart = false;
    const last = text.lastIndexOf('\n') + 1;
    if (last > 0) done.push(this.line, text.slice(0, last));
    this.line = last > 0 ? text.slice(last) : this.line + text;
    if (this.line.length <= LINE_MAX_CHARS) return;
    done.push(this.line);
    this.line = '';
  }

  private control(unit: string): void {
    if (unit === '\r') this.isAtStart = true;
    else if (unit === '\b') this.line = this.line.replace(/[\ud800-\udbff]?.$/s, '');
    else this.begin(STARTS[unit]);
  }

  private begin(state: State | undefined): void {
    this.state = state ?? 'text';
    this.sequence = '';
  }

  /** Returns where the text goes on. A sequence that does not end is given up, so that it cannot swallow the output. */
  private skipSequence(text: string, at: number): number {
    const unit = text[at] ?? '';
    this.sequence += unit;
    if (unit === '\n' && this.state !== 'string') {
      this.begin('text');
      return at;
    }
    if (this.state === 'escape') this.begin(AFTER_ESCAPE[unit] ?? (/[ -/]/.test(unit) ? 'escape' : 'text'));
    else if (this.state === 'csi' && /[@-~]/.test(unit)) this.finishCsi(unit);
    else if (this.state === 'string' && /(\x07|\x9c|\x1b\\)$/.test(this.sequence)) this.begin('text');
    else if (this.sequence.length > SEQUENCE_MAX_CHARS) this.begin('text');
    return at + 1;
  }

  private finishCsi(final: string): void {
    const parameter = this.sequence.slice(0, -1);
    // Erases the line, or goes to its start: what follows is written over it.
    if ((final === 'K' && parameter === '2') || (final === 'G' && /^[01]?$/.test(parameter))) this.isAtStart = true;
    this.begin('text');
  }
}

type State = 'text' | 'escape' | 'csi' | 'string';

/** Longer lines are handed on in pieces, so that memory stays bounded. */
const LINE_MAX_CHARS = 64 * 1024;
const SEQUENCE_MAX_CHARS = 4 * 1024;

/** What begins a sequence, as a C0 escape or as a C1 character; every other control character is dropped. */
const STARTS: Readonly<Record<string, State>> = {
  '\x1b': 'escape',
  '\x9b': 'csi',
  '\x90': 'string',
  '\x98': 'string',
  '\x9d': 'string',
  '\x9e': 'string',
  '\x9f': 'string',
};

const AFTER_ESCAPE: Readonly<Record<string, State>> = {
  '[': 'csi',
  ']': 'string',
  P: 'string',
  X: 'string',
  '^': 'string',
  _: 'string',
  '\x1b': 'escape',
};

/** All but tabs and line breaks. */
const CONTROL = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g;

function nextControl(text: string, from: number): number {
  CONTROL.lastIndex = from;
  return CONTROL.exec(text)?.index ?? text.length;
}
