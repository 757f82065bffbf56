// Makes visible what a text could hide or fake: control characters, direction marks, invisible letters, long runs of blanks.
import { replaceBetweenSequences } from '../../src/common/invisible';

// C0 but tab and line feed, DEL, C1; soft hyphen; combining grapheme joiner; Arabic letter mark; Hangul fillers; Khmer and Mongolian
// invisibles; zero-width; direction marks, embeddings and isolates; line and paragraph separators; word joiner and the
// invisible operators; blank Braille; byte order mark; interlinear annotation; tags; variation selectors of the supplement.
const HIDDEN_RANGES = [
  '\\u0000-\\u0008\\u000b-\\u001f\\u007f-\\u009f\\u00ad',
  '\\u034f',
  '\\u061c\\u115f\\u1160\\u17b4\\u17b5',
  '\\u180b-\\u180f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb',
  '\\u{e0000}-\\u{e0fff}',
];
const HIDDEN = new RegExp(HIDDEN_RANGES.map((range) => `[${range}]`).join('|'), 'gu');

/**
 * Escape sequences: OSC, DCS, SOS, PM and APC with their text, CSI, and the short ones; C1 forms too. One that does not end on
 * its line loses only its introducer: what follows may be output like any other.
 */
const TERMINAL_SEQUENCE =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u0080-\u009f\n]*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|\u001b[ -/]*[0-~]?/g;

/** Blanks within a line, whatever their kind, and empty lines with whatever blanks are in them. */
const BLANK_RUN = /(?:[^\S\n]*\n){8,}|[^\S\n]{8,}/g;

/** Each hidden character as its code in brackets, `⟨U+202E⟩`. Text without any comes back as it is. */
export function showHidden(text: string): string {
  HIDDEN.lastIndex = 0;
  if (!HIDDEN.test(text)) return text;
  return replaceBetweenSequences(text.replace(/\r\n/g, '\n'), escape);
}

function escape(text: string): string {
  return text.replace(HIDDEN, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}

/** Output of a program as plain text: its colours and cursor moves are left out, whatever else hides is shown. */
export function showOutput(text: string): string {
  return showHidden(text.replace(TERMINAL_SEQUENCE, ''));
}

/** Long runs of blanks push the rest out of sight: they become a count, `␣×60`, `⇥×9`, `⏎×40`. */
export function showBlankRuns(text: string): string {
  return text.replace(BLANK_RUN, (run) => {
    const lines = run.split('\n').length - 1;
    if (lines > 0) return `⏎×${lines}\n`;
    return `${/^\t+$/.test(run) ? '⇥' : '␣'}×${run.length} `;
  });
}
