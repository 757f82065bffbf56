// Applies the hunks of a diff to a text, to get at the side of it that is not there any more.
import type { Hunk } from '../../common/display';

export function reversed({ oldStart, newStart, lines }: Hunk): Hunk {
  const signs = { '+': '-', '-': '+', ' ': ' ' } as const;
  return {
    oldStart: newStart,
    newStart: oldStart,
    lines: lines.map(({ sign, text }) => ({ sign: signs[sign], text })),
  };
}

/** Undefined when the text is not what the hunks were made from. */
export function patched(text: string, hunks: readonly Hunk[]): string | undefined {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const lines = text === '' ? [] : text.split(/\r?\n/);
  for (const { oldStart, lines: changes } of [...hunks].sort((a, b) => b.oldStart - a.oldStart)) {
    const bare = changes.map(({ sign, text: line }) => ({ sign, line: line.replace(/\r$/, '') }));
    const old = bare.flatMap(({ sign, line }) => (sign === '+' ? [] : [line]));
    const fresh = bare.flatMap(({ sign, line }) => (sign === '-' ? [] : [line]));
    const at = Math.max(0, oldStart - 1);
    if (old.some((line, n) => lines[at + n] !== line)) return undefined;
    lines.splice(at, old.length, ...fresh);
  }
  return lines.join(eol);
}
