// What a model is told when the input of its call is no JSON object.
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import { isJsonObject, isTooDeep } from '../../common/json';
import type { ToolCall } from './tool';

const EXCERPT_CHARS = 40;
const INNER_MAX_CHARS = 800;
/** More levels than any tool needs, and few enough for a parser that calls itself for each. */
const DEPTH_MAX = 500;

/** What is wrong, where, and what to send instead. */
export function explainMalformed(name: string, { raw, fault }: NonNullable<ToolCall['malformed']>): string {
  switch (fault) {
    case 'truncated':
      // Half of it would be as deep, so sending less at once is no help.
      if (isNestedTooDeep(raw)) return explainDepth(name);
      // A quote too many leaves a string open as well.
      return endsEarly(raw) ? explainCut(name, raw) : explainSyntax(name, raw);
    case 'not-an-object':
      return explainOther(name, raw);
    case 'too-deep':
      return explainDepth(name);
    case 'syntax':
      return isNestedTooDeep(raw) ? explainDepth(name) : explainSyntax(name, raw);
  }
}

function explainDepth(name: string): string {
  return `The input of ${name} is nested too deep to be meant, so nothing was run. Send the fields that the tool has.`;
}

function explainCut(name: string, raw: string): string {
  const last = raw.slice(-EXCERPT_CHARS);
  return (
    `The input of ${name} broke off after ${raw.length} characters, so nothing was run. It ended with ${last.length < raw.length ? '…' : ''}${JSON.stringify(last)}. ` +
    'Send the call again with less in it: split long content into several smaller calls.'
  );
}

function explainSyntax(name: string, raw: string): string {
  return `The input of ${name} is not valid JSON: ${syntaxFault(raw)} Nothing was run. Send the call again with valid JSON.`;
}

function explainOther(name: string, raw: string): string {
  const parsed = jsonIn(raw);
  const inner =
    typeof parsed === 'string'
      ? jsonIn(parsed)
      : Array.isArray(parsed) && parsed.length === 1
        ? (parsed[0] as unknown)
        : undefined;
  if (!isJsonObject(inner) || isTooDeep(inner)) {
    return `The input of ${name} must be a JSON object with named fields, but this came: ${excerpt(raw, 0)}. Nothing was run.`;
  }
  const around = typeof parsed === 'string' ? 'a string' : 'a list';
  const text = JSON.stringify(inner);
  const example = text.length <= INNER_MAX_CHARS ? ` Send this instead: ${text}` : '';
  return `The input of ${name} must be a JSON object, but it came inside of ${around}, so nothing was run.${example || ' Send the object itself.'}`;
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function firstFault(raw: string): ParseError | undefined {
  // The parser calls itself for each level, and a text of nothing but brackets would use up the stack.
  if (isNestedTooDeep(raw)) return undefined;
  const errors: ParseError[] = [];
  parse(raw, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  return errors[0];
}

/** Of anything that is more or less JSON; brackets in strings do not count. */
function isNestedTooDeep(raw: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < raw.length; at++) {
    const mark = raw[at];
    if (mark === '"') isInString = !isInString;
    else if (isInString && mark === '\\') at++;
    else if (!isInString && (mark === '[' || mark === '{')) depth++;
    else if (!isInString && (mark === ']' || mark === '}')) depth--;
    if (depth > DEPTH_MAX) return true;
  }
  return false;
}

/** Nothing is wrong with it but its end. */
function endsEarly(raw: string): boolean {
  const first = firstFault(raw);
  return first === undefined || first.offset + first.length >= raw.trimEnd().length;
}

/** What is wrong with a text as JSON, where, and how it is written right. */
export function syntaxFault(raw: string): string {
  const first = firstFault(raw);
  if (!first) return `${isNestedTooDeep(raw) ? 'nested too deep to be meant: ' : ''}${excerpt(raw, 0)}.`;
  const code = printParseErrorCode(first.error);
  const words = code.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  const advice = adviceFor(code, raw, first);
  return `${words} at position ${first.offset}, here: ${excerpt(raw, first.offset)}.${advice === '' ? '' : ` ${advice}`}`;
}

function adviceFor(code: string, raw: string, { offset, length }: ParseError): string {
  const at = raw.slice(offset, offset + length);
  if (code === 'InvalidSymbol' && at.startsWith("'")) return 'Strings and names take double quotes.';
  if (code === 'InvalidSymbol' && at.startsWith('`')) return 'Send the JSON alone, without a code fence.';
  if (code === 'InvalidSymbol' && at.startsWith('<')) return 'Send a JSON object, not tags.';
  if (code === 'InvalidSymbol' && PYTHON.has(at)) return 'JSON has true, false and null.';
  // Right after a string: the string was ended by a quote that was meant to be in it.
  if (code === 'InvalidSymbol' && raw[offset - 1] === '"') return 'A quote inside of a string is written \\".';
  return ADVICE[code] ?? '';
}

const PYTHON: ReadonlySet<string> = new Set(['True', 'False', 'None', 'undefined', 'NaN']);

const ADVICE: Readonly<Record<string, string>> = {
  InvalidEscapeCharacter: 'A backslash inside of a string is written \\\\.',
  InvalidUnicode: 'A backslash inside of a string is written \\\\.',
  InvalidCharacter: 'Tabs and other control characters inside of a string are written \\t, \\u0000 and so on.',
  UnexpectedEndOfString: 'A line break inside of a string is written \\n.',
  InvalidCommentToken: 'JSON has no comments.',
  EndOfFileExpected: 'One call takes one object: what follows it goes into a call of its own.',
  PropertyNameExpected: 'Names take double quotes, and nothing comes after the last comma.',
};

/** The text around a place, which it marks. */
function excerpt(raw: string, at: number): string {
  const start = Math.max(0, at - EXCERPT_CHARS);
  const end = Math.min(raw.length, at + EXCERPT_CHARS);
  const mark = at > 0 ? '⟪here⟫' : '';
  const text = raw.slice(start, at) + mark + raw.slice(at, end);
  return `${start > 0 ? '…' : ''}${JSON.stringify(text)}${end < raw.length ? '…' : ''}`;
}
