// The views of a finished call: the whole output is stored already; here the model's text and the panel's display are made of it [O13].
import { DISPLAY_MAX_CHARS, type Display } from '../../common/display';
import type { EventBody, ToolStatus } from '../../common/events';
import type { Excerpt } from '../output/excerpt';
import { withoutHidden } from '../output/hidden';
import { shortenMatches } from '../output/matches';
import { shorten } from '../output/shorten';
import { wellFormedCopy } from '../output/text';
import { fitDisplay } from './display';
import type { Ran } from './run';
import type { ToolCall } from './tool';
import type { ToolResult } from './turnTools';

const NO_OUTPUT = '(no output)';

/** The result of a call that has run. Summary and remarks come after the shortened text and are never cut. */
export function settle(call: ToolCall, ran: Ran): ToolResult {
  const { output, status, remarks, wholeChars, durationMs } = ran;
  const shown = shownOf(ran, call);
  const after = [output.summary ?? '', ...remarks].filter((line) => line !== '').join('\n');
  const between = shown === '' || after === '' || shown.endsWith('\n') ? '' : '\n';
  const display = displayOf(ran);
  return {
    call: call.id,
    status,
    text: forModel(shown + between + after) || NO_OUTPUT,
    images: output.images ?? [],
    ...(display === undefined ? {} : { display: fitDisplay(display) }),
    ...problemOf(ran, display),
    context: output.context ?? [],
    ...(output.repeats ? { repeats: true } : {}),
    ...(ran.background ? { background: true } : {}),
    wholeChars,
    durationMs,
  };
}

/** What the display does not show: what the run put out is in there already. Where the model gets the same, that is told anyway. */
function problemOf({ status, output, remarks }: Ran, display: Display | undefined): { readonly problem?: string } {
  if (status === 'done') return {};
  const told = output.forPeople === undefined ? [output.text ?? '', output.summary ?? ''] : [output.forPeople];
  const problem = [...told, ...remarks].filter((line) => line !== '').join('\n');
  const isTold = display === undefined && output.forPeople === undefined && forModel(problem) === problem;
  return isTold ? {} : { problem: wellFormedCopy(problem) };
}

function shownOf({ output, body, limits }: Ran, { id }: ToolCall): string {
  const { items } = output;
  const isWhole = body.head.length === body.chars;
  return items && isWhole && limits.shape === 'matches'
    ? shortenMatches(body.head, items, limits, id)
    : shorten(body, limits, id);
}

/** The one place where what comes from outside becomes a text that the model reads. */
export function forModel(text: string): string {
  const { text: seen, count } = withoutHidden(wellFormedCopy(text));
  if (count === 0) return seen;
  const note = `(${count} invisible ${count === 1 ? 'character is' : 'characters are'} left out here; the original still has ${count === 1 ? 'it' : 'them'}.)`;
  return `${seen}${seen === '' || seen.endsWith('\n') ? '' : '\n'}${note}`;
}

/** Reasons name what came, and a model may write a path of a megabyte. */
const REASON_MAX_CHARS = 12_000;
const REASON_TAIL_CHARS = 2_000;

/** The result of a call that has not run. */
export function refusal(call: ToolCall, status: Exclude<ToolStatus, 'done'>, reason: string): ToolResult {
  const missing = reason.length - REASON_MAX_CHARS;
  const head = reason.slice(0, REASON_MAX_CHARS - REASON_TAIL_CHARS);
  const problem =
    missing <= 0 ? reason : `${head}… (${missing} characters left out) …${reason.slice(-REASON_TAIL_CHARS)}`;
  const text = forModel(problem);
  // To people nothing is hidden: what the model does not get is drawn as codes.
  const forPeople = text === problem ? {} : { problem: wellFormedCopy(problem) };
  return { call: call.id, status, text, ...forPeople, images: [], context: [], wholeChars: 0, durationMs: 0 };
}

export function finishedEvent({ context: _, repeats: __, images, display, ...result }: ToolResult): EventBody {
  return {
    type: 'tool/finished',
    ...result,
    ...(images.length === 0 ? {} : { images }),
    ...(display === undefined ? {} : { display }),
  };
}

/** The tool's own, else the last live one, else the text that it wrote. */
function displayOf({ output, progress, body, status }: Ran): Display | undefined {
  const display = output.display ?? progress;
  if (display !== undefined) return display;
  // An error's text is shown as the call's problem.
  if (body.chars === 0 || (status !== 'done' && output.text !== undefined)) return undefined;
  return textEnds(body);
}

/** As much as may be shown, of a long text from both ends: more comes by range from the stored output [G8]. */
function textEnds({ head, tail, chars }: Excerpt): Display {
  if (head.length === chars && chars <= DISPLAY_MAX_CHARS) return { kind: 'text', text: head };
  const text = head.slice(0, DISPLAY_MAX_CHARS / 2);
  const end = tail.slice(-Math.min(chars - text.length, DISPLAY_MAX_CHARS / 2));
  const moreChars = chars - text.length - end.length;
  return moreChars === 0 ? { kind: 'text', text: text + end } : { kind: 'text', text, moreChars, tail: end };
}
