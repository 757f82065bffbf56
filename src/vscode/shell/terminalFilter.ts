// What a program's output may do in a terminal: show text and colours. Titles, links, clipboard, cursor and every other command are dropped (S86).

/** An unfinished sequence longer than this is no sequence. */
const MAX_SEQUENCE_CHARS = 64 * 1024;

const ESC = '\\u001b';
const COLOUR = new RegExp(`^${ESC}\\[[0-9;:]*m$`);
/** In order: CSI, a string command up to its terminator, a short escape, an escape that is none of these, a control character. */
const SEQUENCE = new RegExp(
  [
    `${ESC}\\[[0-?]*[ -/]*[@-~]`,
    `${ESC}[\\]PX^_][^\\u0007\\u001b]*(?:\\u0007|${ESC}\\\\)`,
    `${ESC}[ -/]*[0-OQ-WYZ\\\\\`-~]`,
    ESC,
    /[\u0000-\u0007\u000b\u000c\u000e-\u001a\u001c-\u001f\u007f]/.source,
  ].join('|'),
  'g',
);
const UNFINISHED = new RegExp(`${ESC}(?:\\[[0-?]*[ -/]*|[\\]PX^_][^\\u0007\\u001b]*${ESC}?|[ -/]*)?$`);

/** 8-bit controls mean the same as ESC and a letter. */
const C1 = /[\u0080-\u009f]/g;

/** Bytes in any pieces in, text for a terminal out, line feeds with the carriage returns that a terminal needs. */
export function createTerminalFilter(): (bytes: Uint8Array) => string {
  const decoder = new TextDecoder();
  let pending = '';
  return (bytes) => {
    const text = pending + decoder.decode(bytes, { stream: true }).replace(C1, sevenBit);
    const start = UNFINISHED.exec(text)?.index ?? text.length;
    pending = text.length - start > MAX_SEQUENCE_CHARS ? '' : text.slice(start);
    return clean(text.slice(0, start));
  };
}

/** A whole text, for example a command line, made harmless in the same way. */
export function cleanForTerminal(text: string): string {
  return createTerminalFilter()(new TextEncoder().encode(text));
}

function clean(text: string): string {
  return text.replace(SEQUENCE, (found) => (COLOUR.test(found) ? found : '')).replace(/\r?\n/g, '\r\n');
}

function sevenBit(control: string): string {
  return `\u001b${String.fromCharCode(control.charCodeAt(0) - 0x40)}`;
}
