// What a hook says by its exit code and its outputs, in Claude Code's convention, read with care: it is a program like any other.
import { isJsonObject, isTooDeep, type Json, type JsonObject } from '../../common/json';
import { withoutHidden } from '../output/hidden';
import { wellFormedCopy } from '../output/text';
import type { Effect } from '../permission/types';
import type { Hook } from './configured';
import { infoOf, type HookEvent } from './events';
import { OUTPUT_MAX_BYTES, type HookExit } from './run';

export interface HookAnswer {
  /** For the person: why it counts for nothing, or which part of it does. */
  readonly problem?: string;
  /** For the person. */
  readonly message?: string;
  readonly isQuiet?: boolean;
  /** For the model. */
  readonly context?: string;
  readonly decision?: { readonly effect: Effect; readonly reason: string };
  /** What the call's input is to be instead. */
  readonly input?: Json;
  /** Why the turn is to end. */
  readonly halt?: string;
}

/** The code by which a hook says no; its error output is the reason. Every other one but 0 is a failure of the hook's own. */
const CODE_DENY = 2;
/** Source: Claude Code's bound on what a hook may add. */
const CONTEXT_MAX_CHARS = 10_000;
const REASON_MAX_CHARS = 4_000;
const SHOWN_LINES = 5;
const SHOWN_CHARS = 500;
const NO_REASON = 'It gave no reason.';
const CUT_REASON = 'Its answer is too long to be read.';

export function answerOf({ event, timeoutMs }: Hook, exit: HookExit): HookAnswer {
  if (exit.how === 'stopped') return {};
  if (exit.how === 'unstarted') return { problem: `could not be started: ${exit.reason}` };
  if (exit.how !== 'exited') return { problem: `did not end within ${timeoutMs / 1000} s and was ended` };
  if (exit.code === CODE_DENY) return denial(event, exit.stderr);
  if (exit.code !== 0) return { problem: withLines(`ended with ${exit.ended}`, exit.stderr) };
  return spoken(event, exit.stdout, exit.isCut);
}

function denial(event: HookEvent, stderr: string): HookAnswer {
  if (!infoOf(event).effects.includes('deny')) {
    return { problem: withLines('ended with exit code 2, which blocks nothing here', stderr) };
  }
  return { decision: { effect: 'deny', reason: bounded(stderr, REASON_MAX_CHARS) || NO_REASON } };
}

function spoken(event: HookEvent, stdout: string, isCut: boolean): HookAnswer {
  const text = stdout.trim();
  const json = text.startsWith('{') ? parse(text) : undefined;
  if (json) return fromJson(event, json);
  if (infoOf(event).context === 'text') return text === '' ? {} : { context: bounded(text, CONTEXT_MAX_CHARS) };
  if (!text.startsWith('{')) return {};
  if (!isCut) return { problem: withLines('answered with what begins like JSON and is none', text) };
  const problem = `answered with more than ${OUTPUT_MAX_BYTES / 1024} KB, so the answer cannot be read`;
  // It may have been a deny, or another input for a call that writes a long text: a case for a person.
  const isForPerson = infoOf(event).effects.includes('ask');
  return { problem, ...(isForPerson ? { decision: { effect: 'ask', reason: CUT_REASON } } : {}) };
}

function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && !isTooDeep(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function fromJson(event: HookEvent, json: JsonObject): HookAnswer {
  const specific = isJsonObject(json['hookSpecificOutput']) ? json['hookSpecificOutput'] : {};
  const { effects, context: kind } = infoOf(event);
  const { word, reason, changed } = decided(json, specific);
  const effect = effectOf(word);
  const isUnknown = word !== undefined && effect === undefined;
  // A hook that wanted to decide about a call, and was not understood, is a case for a person.
  const meant = isUnknown && effects.includes('ask') ? 'ask' : effect;
  // A permission for another input than the one that is asked about is none.
  const isOther = meant === 'allow' && event === 'PermissionRequest' && changed !== undefined;
  const counts = meant !== undefined && effects.includes(meant) && !isOther;
  const context = textOf(specific['additionalContext']);
  const message = textOf(json['systemMessage']);
  const input = effects.includes('ask') ? changed : undefined;
  return {
    ...(isUnknown
      ? { problem: `answered with the decision ${JSON.stringify(word).slice(0, SHOWN_CHARS)}, which is none` }
      : {}),
    ...(isOther ? { problem: 'allowed with another input, which is not possible here, so the person is asked' } : {}),
    ...(message === '' ? {} : { message: bounded(message, SHOWN_CHARS) }),
    ...(json['suppressOutput'] === true ? { isQuiet: true } : {}),
    ...(context === '' || kind === 'none' ? {} : { context: bounded(context, CONTEXT_MAX_CHARS) }),
    ...(counts ? { decision: { effect: meant, reason: bounded(reason, REASON_MAX_CHARS) || NO_REASON } } : {}),
    ...(input === undefined ? {} : { input }),
    ...(json['continue'] === false ? { halt: bounded(textOf(json['stopReason']), SHOWN_CHARS) || NO_REASON } : {}),
  };
}

/** A decision stands in one of three places: for calls, for permissions, and the old one at the top. */
function decided(json: JsonObject, specific: JsonObject) {
  const forPermission = isJsonObject(specific['decision']) ? specific['decision'] : {};
  return {
    word: specific['permissionDecision'] ?? forPermission['behavior'] ?? json['decision'] ?? undefined,
    reason: textOf(specific['permissionDecisionReason'] ?? forPermission['message'] ?? json['reason']),
    changed: specific['updatedInput'] ?? forPermission['updatedInput'] ?? undefined,
  };
}

function effectOf(word: Json | undefined): Effect | undefined {
  switch (word) {
    case 'deny':
    case 'block':
      return 'deny';
    case 'ask':
      return 'ask';
    case 'allow':
    case 'approve':
      return 'allow';
    default:
      return undefined;
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim() : '';
}

function withLines(what: string, output: string): string {
  const lines = clean(output).trim().split('\n').slice(0, SHOWN_LINES).join('\n');
  return lines === '' ? what : `${what}: ${bounded(lines, SHOWN_CHARS)}`;
}

function bounded(text: string, maxChars: number): string {
  const cleaned = clean(text).trim();
  const missing = cleaned.length - maxChars;
  return missing <= 0 ? cleaned : `${wellFormedCopy(cleaned.slice(0, maxChars))}… (${missing} characters left out)`;
}

const CONTROL = /\u001b\[[0-9;?]*[ -/]*[@-~]|[\u0000-\u0008\u000b-\u001f\u007f]/g;

function clean(text: string): string {
  return withoutHidden(wellFormedCopy(text.replaceAll('\r\n', '\n').replace(CONTROL, ''))).text;
}
