// Shortens a long result once, to its two ends cut at line ends, with a marker that says what is missing and how to get it.
import type { Shape } from '../tool/tool';
import { countNewlines, type Excerpt } from './excerpt';
import type { ResultLimits } from './limits';

/** The head's share of what is kept: errors come last in a shell's output, the rest is read from the top. 0.8 is the seed's 24,000 + 6,000 [B01]. */
const HEAD_SHARE: Readonly<Record<Shape, number>> = { head: 1, balanced: 0.8, tail: 0.2, matches: 0.8, window: 0.8 };

/** A line end is looked for in the outer half of an end; a line longer than that is cut inside. */
const SNAP_SHARE = 0.5;

/**
 * The output as the model gets it: whole up to `maxChars`, else a digest of at most `digestChars`. The excerpt must hold
 * `maxChars` at each end. Shortening a digest again changes nothing.
 */
export function shorten(output: Excerpt, { shape, maxChars, digestChars }: ResultLimits, call: string): string {
  if (output.chars <= maxChars) return output.head;
  // The longest marker there can be decides what is left for the text, so that the bound holds whatever is cut.
  const roomChars = Math.max(0, digestChars - marker(output.chars, output.newlines, call).length - 2);
  const headChars = Math.floor(roomChars * HEAD_SHARE[shape]);
  const head = cutHead(output.head, headChars);
  const tail = cutTail(output.tail, roomChars - headChars);
  const missing = marker(
    output.chars - head.length - tail.length,
    output.newlines - countNewlines(head) - countNewlines(tail),
    call,
  );
  return [head, head === '' || head.endsWith('\n') ? '' : '\n', missing, '\n', tail].join('');
}

/** Stands for what is left out. */
export function marker(missingChars: number, missingLines: number, call: string): string {
  const lines = missingLines > 0 ? `${missingLines} lines, ` : '';
  return `[... ${lines}${missingChars} characters left out here. The whole output is stored: read or search it with the tool output, id ${JSON.stringify(call)} ...]`;
}

/** At a line end where there is one near. */
export function cutHead(text: string, maxChars: number): string {
  const cut = text.slice(0, maxChars);
  const lineEnd = cut.lastIndexOf('\n') + 1;
  if (lineEnd > maxChars * SNAP_SHARE) return cut.slice(0, lineEnd);
  return endsInPair(text, maxChars) ? cut.slice(0, -1) : cut;
}

function cutTail(text: string, maxChars: number): string {
  if (maxChars <= 0) return '';
  const start = Math.max(0, text.length - maxChars);
  // The line end before the cut makes a whole line of what follows.
  const lineStart = start === 0 ? 0 : text.indexOf('\n', start - 1) + 1;
  if (lineStart > 0 && lineStart - start < maxChars * SNAP_SHARE) return text.slice(lineStart);
  return text.slice(endsInPair(text, start) ? start + 1 : start);
}

/** True when a cut before `at` would fall between the two halves of a character. */
function endsInPair(text: string, at: number): boolean {
  return at > 0 && at < text.length && isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
