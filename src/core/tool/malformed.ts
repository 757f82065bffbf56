// What a model is told when the input of its call is no JSON object.
import { parse, printParseErrorCode, type ParseError } from 'jsonc-parser';
import type { ToolCall } from './tool';

const EXCERPT_CHARS = 40;

/** What is wrong, where, and what to send instead. */
export function explainMalformed(name: string, { raw, fault }: NonNullable<ToolCall['malformed']>): string {
  switch (fault) {
    case 'truncated':
      return (
        `The input of ${name} broke off after ${raw.length} characters, so nothing was run. ` +
        'Send the call again with less in it: split long content into several smaller calls.'
      );
    case 'not-an-object':
      return `The input of ${name} must be a JSON object with named fields, but this came: ${excerpt(raw, 0)}. Nothing was run.`;
    case 'too-deep':
      return `The input of ${name} is nested too deep to be meant, so nothing was run. Send the fields that the tool has.`;
    case 'syntax':
      return `The input of ${name} is not valid JSON: ${syntaxFault(raw)} Nothing was run. Send the call again with valid JSON.`;
  }
}

function syntaxFault(raw: string): string {
  const errors: ParseError[] = [];
  parse(raw, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [first] = errors;
  if (!first) return `${excerpt(raw, 0)}.`;
  const words = printParseErrorCode(first.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return `${words} at position ${first.offset}, here: ${excerpt(raw, first.offset)}.`;
}

/** The text around a place, which it marks. */
function excerpt(raw: string, at: number): string {
  const start = Math.max(0, at - EXCERPT_CHARS);
  const end = Math.min(raw.length, at + EXCERPT_CHARS);
  const mark = at > 0 ? '⟪here⟫' : '';
  const text = raw.slice(start, at) + mark + raw.slice(at, end);
  return `${start > 0 ? '…' : ''}${JSON.stringify(text)}${end < raw.length ? '…' : ''}`;
}
