// Programs that run another one: what is inside, and whether it may be taken off.
import { readOptions, tableOf } from './options';
import type { Word } from './words';

export interface Unwrapped {
  /** The program with its arguments. */
  readonly words: readonly Word[];
  /** Taken off on the way. */
  readonly wrappers: readonly string[];
}

/** Harmless ones, in their plain forms: the rest is as it would be without them. */
export function unwrap(words: readonly Word[]): Unwrapped {
  let rest = words;
  const wrappers: string[] = [];
  for (;;) {
    const length = wrapperLength(rest);
    if (length === 0 || rest.length <= length) return { words: rest, wrappers };
    wrappers.push(rest[0]?.text ?? '');
    rest = rest.slice(length);
  }
}

function wrapperLength(words: readonly Word[]): number {
  const text = (at: number) => words[at]?.text ?? '';
  switch (text(0)) {
    case 'timeout':
      return /^\d+(\.\d+)?[smhd]?$/.test(text(1)) ? 2 : 0;
    case 'nice':
      if (text(1) === '-n' && /^-?\d+$/.test(text(2))) return 3;
      return /^-\d+$/.test(text(1)) ? 2 : text(1).startsWith('-') ? 0 : 1;
    case 'nohup':
    case 'time':
    case 'command':
    case 'builtin':
      return text(1).startsWith('-') ? 0 : 1;
    default:
      return 0;
  }
}

/** Run a program that stands among their arguments, with what they were given to do besides. */
const OUTER =
  /^(sudo|doas|env|xargs|watch|setsid|flock|stdbuf|ionice|chrt|taskset|unshare|nsenter|chroot|strace|ltrace|parallel|entr|script|su|runuser|exec|command|builtin|nohup|time|timeout|nice|busybox|caffeinate)$/;
const SHELLS = /^(?:.*\/)?(bash|sh|zsh|dash|ksh|fish|ash)$/;
const FINDS = /^-(exec|execdir|ok|okdir)$/;

/** Commands inside of one, for rules that deny: words where they stand as words, a script where they are text. */
export function inner(words: readonly Word[]): {
  readonly words: readonly (readonly Word[])[];
  readonly scripts: readonly string[];
} {
  const texts = words.map(({ text }) => text ?? '');
  const [name = ''] = texts;
  const base = name.slice(name.lastIndexOf('/') + 1);
  if (base === 'eval') return { words: [], scripts: [texts.slice(1).join(' ')] };
  if (SHELLS.test(name)) {
    const table = tableOf(base);
    const told = table && readOptions(texts.slice(1), table);
    return { words: [], scripts: told?.isText && told.operand !== undefined ? [told.operand] : [] };
  }
  if (base === 'find' || base === 'fd') {
    const starts = texts.flatMap((text, at) =>
      FINDS.test(text) || /^(-x|-X|--exec|--exec-batch)$/.test(text) ? [at + 1] : [],
    );
    return { words: starts.map((at) => words.slice(at)), scripts: [] };
  }
  if (!OUTER.test(base)) return { words: [], scripts: [] };
  if (base === 'su' || base === 'runuser' || base === 'script') {
    const at = texts.indexOf('-c');
    if (at !== -1) return { words: [], scripts: [texts[at + 1] ?? ''] };
  }
  // Which of their options take a value is not told apart: every place where a program may begin is one.
  const starts = texts.flatMap((text, at) =>
    at > 0 && text !== '' && !text.startsWith('-') && !/^\w+=/.test(text) ? [at] : [],
  );
  return { words: starts.slice(0, 4).map((at) => words.slice(at)), scripts: [] };
}
