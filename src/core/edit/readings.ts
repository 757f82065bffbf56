// What a model may have sent around the text itself: a Markdown fence, or the line numbers that `read` shows.
import type { Wanted } from './search';

export interface Reading extends Wanted {
  /** Names what was taken off, in the order in which it was. */
  readonly repairs: readonly string[];
}

/** The text as it was sent, then every repaired reading of it. */
export function readingsOf(wanted: Wanted): Reading[] {
  const readings: Reading[] = [{ ...wanted, repairs: [] }];
  for (const { name, repair } of REPAIRS) {
    for (const { oldText, newText, repairs } of [...readings]) {
      const old = repair(oldText);
      if (old === undefined) continue;
      const fresh = repair(newText) ?? withoutPrefixes(newText, oldText, old);
      readings.push({ oldText: old, newText: wholeLines(fresh, old), repairs: [...repairs, name] });
    }
  }
  return readings;
}

/** A new text of which only the lines it took over show what was taken off the old one. */
function withoutPrefixes(newText: string, oldText: string, repaired: string): string {
  const [before, after] = [oldText.split('\n'), repaired.split('\n')];
  if (before.length !== after.length) return newText;
  const bare = new Map(before.map((line, at) => [line.trimEnd(), after[at] ?? '']));
  return newText
    .split('\n')
    .map((line) => (line.trim() === '' ? line : (bare.get(line.trimEnd()) ?? line)))
    .join('\n');
}

/** What stood in a fence or had line numbers is whole lines: both texts end in the same way. */
function wholeLines(newText: string, oldText: string): string {
  if (newText === '' || newText.endsWith('\n') === oldText.endsWith('\n')) return newText;
  return oldText.endsWith('\n') ? `${newText}\n` : newText.slice(0, -1);
}

interface Repair {
  readonly name: string;
  /** Undefined when the text does not show it. */
  readonly repair: (text: string) => string | undefined;
}

const REPAIRS: readonly Repair[] = [
  { name: 'codeFence', repair: withoutFence },
  { name: 'lineNumbers', repair: withoutLineNumbers },
];

function withoutFence(text: string): string | undefined {
  return /^\s*(```+|~~~+)[^\n]*\n(.*)\n\1\s*$/s.exec(text)?.[2];
}

/** A number, what stands between it and the text, the text. */
const NUMBERED = /^[ \t]*(\d+)(\t|→| ?\||:)(.*)$/s;

/** Only where every line that is not empty has one, and they go up. */
function withoutLineNumbers(text: string): string | undefined {
  let last = -1;
  const bare: string[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '') {
      bare.push(line);
      continue;
    }
    const [, number, , rest] = NUMBERED.exec(line) ?? [];
    if (number === undefined || rest === undefined || Number(number) <= last) return undefined;
    last = Number(number);
    bare.push(rest);
  }
  if (last === -1) return undefined;
  // After a sign a blank belongs to the number, after a tab or an arrow it is the line's own.
  const isApart = /^\s*\d+ ?[|:]/.test(text) && bare.every((line) => line === '' || line.startsWith(' '));
  return (isApart ? bare.map((line) => line.slice(1)) : bare).join('\n');
}
