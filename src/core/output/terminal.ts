// Turns what a program prints to a terminal into plain text: colours dropped, progress collapsed, control sequences resolved (S86).
import { Screen } from './screen';

/** Held state: what has not come to its end yet, be it a character, a sequence or a row. Bytes may be split anywhere. */
export class TerminalText {
  private readonly decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  private readonly screen = new Screen();
  private state: State = 'text';
  /** Of a sequence: what stands between its beginning and its last character. */
  private parameters = '';
  private skippedChars = 0;

  /** What the program cannot go back to any more. */
  push(bytes: Uint8Array): string {
    this.resolve(this.decoder.decode(bytes, { stream: true }));
    return this.screen.take();
  }

  /** The rows that may still be written over. */
  pending(): string {
    return this.screen.held();
  }

  /** Those of them that are complete, where they cannot be waited for: a later change to them comes as further lines. */
  settle(): string {
    this.screen.settle();
    return this.screen.take();
  }

  /** What is left when the program has ended. */
  end(): string {
    this.resolve(this.decoder.decode());
    this.screen.end();
    return this.screen.take();
  }

  private resolve(written: string): void {
    const text = written.replace(INERT, '');
    let at = 0;
    while (at < text.length) {
      if (this.state !== 'text') {
        at = this.follow(text, at);
        continue;
      }
      const end = nextControl(text, at);
      if (end > at) this.screen.write(text.slice(at, end));
      if (end < text.length) this.control(text[end] ?? '');
      at = end + 1;
    }
  }

  private control(unit: string): void {
    if (unit === '\r') this.apply((screen) => screen.toColumn(0));
    else if (unit === '\b') this.apply((screen) => screen.moveBy(0, -1));
    else this.begin(STARTS[unit] ?? 'text');
  }

  /** Beside the text a program may draw what it likes. */
  private apply(action: Action, values: Values = NO_VALUES): void {
    if (!this.screen.isAside) action(this.screen, values);
  }

  private begin(state: State): void {
    this.state = state;
    this.parameters = '';
    this.skippedChars = 0;
  }

  /** Returns where it goes on. What is no sequence is text, and one that does not end is given up: it cannot swallow the output. */
  private follow(text: string, at: number): number {
    const unit = text[at] ?? '';
    if (this.state === 'string') return this.skipString(text, at);
    if (unit in STARTS) {
      this.begin(STARTS[unit] ?? 'text');
      return at + 1;
    }
    if (unit < ' ') {
      // In the midst of a sequence a terminal obeys them; here they end it, as they do where it was none.
      this.begin('text');
      return at;
    }
    if (this.state === 'escape') return this.escape(unit, at);
    if (unit > '~' || this.parameters.length > PARAMETERS_MAX_CHARS) {
      this.begin('text');
      return at;
    }
    if (unit < '@') {
      this.parameters += unit;
      return at + 1;
    }
    this.finish(unit);
    return at + 1;
  }

  private escape(unit: string, at: number): number {
    if (unit > '~') {
      this.begin('text');
      return at;
    }
    if (unit >= '0') {
      const isShort = this.parameters === '';
      const next = isShort ? AFTER_ESCAPE[unit] : undefined;
      if (isShort && unit === '8') this.screen.restore();
      if (isShort && next === undefined) this.apply(SHORT[unit] ?? nothing);
      this.begin(next ?? 'text');
    } else this.parameters += unit;
    if (this.parameters.length > PARAMETERS_MAX_CHARS) this.begin('text');
    return at + 1;
  }

  /** Up to its terminator, in one go: it may hold a picture. */
  private skipString(text: string, at: number): number {
    STRING_END.lastIndex = at;
    const end = STRING_END.exec(text)?.index ?? text.length;
    const most = at + STRING_MAX_CHARS - this.skippedChars;
    if (end >= most) {
      this.begin('text');
      return most;
    }
    this.skippedChars += end - at;
    if (end === text.length) return end;
    this.begin(text[end] === '\x1b' ? 'escape' : 'text');
    return text[end] === '\n' ? end : end + 1;
  }

  private finish(final: string): void {
    const { parameters } = this;
    this.begin('text');
    const isPrivate = parameters.startsWith('?');
    if (isPrivate && (final === 'h' || final === 'l')) {
      const isAlternate = parameters
        .slice(1)
        .split(';')
        .some((mode) => ALTERNATE.has(mode));
      if (isAlternate) this.screen.switchTo(final === 'h' ? 'alternate' : 'main');
    } else if (final === 'u' && parameters === '') this.screen.restore();
    else if (/^[\d;]*$/.test(parameters)) this.apply(ACTIONS[final] ?? nothing, valuesOf(parameters));
  }
}

type State = 'text' | 'escape' | 'csi' | 'string';

interface Values {
  /** The first number; where there is none, or 0, it is 1. */
  readonly count: number;
  readonly second: number;
  /** The first number as it stands there, empty where it does not. */
  readonly first: string;
}

type Action = (screen: Screen, values: Values) => void;

const NO_VALUES: Values = { count: 1, second: 1, first: '' };

function valuesOf(parameters: string): Values {
  const [first = '', second = ''] = parameters.split(';');
  return { first, count: Number(first) || 1, second: Number(second) || 1 };
}

const nothing: Action = () => undefined;

/** By their last character. */
const ACTIONS: Readonly<Record<string, Action>> = {
  A: (screen, { count }) => screen.moveBy(-count, 0),
  B: (screen, { count }) => screen.moveBy(count, 0),
  e: (screen, { count }) => screen.moveBy(count, 0),
  C: (screen, { count }) => screen.moveBy(0, count),
  a: (screen, { count }) => screen.moveBy(0, count),
  D: (screen, { count }) => screen.moveBy(0, -count),
  E: (screen, { count }) => screen.moveBy(count, -Infinity),
  F: (screen, { count }) => screen.moveBy(-count, -Infinity),
  G: (screen, { count }) => screen.toColumn(count - 1),
  '`': (screen, { count }) => screen.toColumn(count - 1),
  d: (screen, { count }) => screen.toPlace(count - 1),
  H: (screen, { count, second }) => screen.toPlace(count - 1, second - 1),
  f: (screen, { count, second }) => screen.toPlace(count - 1, second - 1),
  J: (screen, { first }) => {
    if (first === '' || first === '0') screen.eraseBelow();
    else if (first !== '1') screen.clear();
  },
  K: (screen, { first }) => {
    if (first === '1') screen.edit('blankBefore', 0);
    else if (first === '2') screen.eraseRow();
    else screen.eraseAfter();
  },
  L: (screen, { count }) => screen.insertRows(count),
  M: (screen, { count }) => screen.removeRows(count),
  P: (screen, { count }) => screen.edit('remove', count),
  X: (screen, { count }) => screen.edit('blank', count),
  '@': (screen, { count }) => screen.edit('insert', count),
  s: (screen) => screen.save(),
};

/** After ESC alone. */
const SHORT: Readonly<Record<string, Action>> = {
  '7': (screen) => screen.save(),
  D: (screen) => screen.moveBy(1, 0),
  E: (screen) => screen.moveBy(1, -Infinity),
  M: (screen) => screen.moveBy(-1, 0),
  c: (screen) => screen.clear(),
};

const ALTERNATE: ReadonlySet<string> = new Set(['47', '1047', '1049']);

const PARAMETERS_MAX_CHARS = 64;
const STRING_MAX_CHARS = 1024 * 1024;
const STRING_END = /[\n\x07\x18\x1a\x1b\x9c]/g;

/** What begins a sequence, as a C0 escape or as a C1 character. */
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
};

/** Control characters that do nothing here, wherever they stand; the others are in CONTROL. */
const INERT = /[\x00-\x06\x0b-\x0c\x0e-\x17\x19\x1c-\x1f\x7f-\x8f\x91-\x97\x99\x9a]+/g;
const CONTROL = /[\x07\x08\r\x18\x1a\x1b\x90\x98\x9b-\x9f]/g;

function nextControl(text: string, from: number): number {
  CONTROL.lastIndex = from;
  return CONTROL.exec(text)?.index ?? text.length;
}
