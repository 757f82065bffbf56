// The hooks around one call: before it is prepared, before a person is asked, and after its result.
import { isJsonObject, type JsonObject } from '../../common/json';
import type { Heard, HookOccasion, Hooks } from '../hooks/hooks';
import type { PermissionRequest } from '../permission/permissions';
import { queue } from './queue';
import { refusal } from './result';
import type { Tool, ToolCall } from './tool';
import type { ToolResult, TurnTools } from './turnTools';

export interface HookedCall {
  readonly call: ToolCall;
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly title: string;
  readonly agent: string;
  /** Why hooks want a person to decide. */
  readonly asked: readonly string[];
  /** For the model, after the results. */
  readonly notes: readonly string[];
}

type Uncalled = Omit<HookedCall, 'asked' | 'notes'>;

/** Undefined when `starts` aborts meanwhile: the call is not to run any more. An input that hooks put in is checked like the model's own. */
export async function beforeCall(
  call: Uncalled,
  turn: TurnTools,
  starts: AbortSignal,
): Promise<HookedCall | { readonly refused: ToolResult } | undefined> {
  const { hooks } = turn;
  if (hooks.halted !== undefined) return { refused: haltedBy(hooks.halted, call) };
  const heard = await hooks.fire('PreToolUse', { ...occasionOf(call), signal: starts });
  if (starts.aborted) return undefined;
  const { denied, asked, replaced } = heard;
  const notes = contextOf(heard, call, hooks);
  const refuse = (status: 'denied' | 'failed', reason: string) => ({
    refused: { ...refusal(call.call, status, reason), context: notes },
  });
  if (denied.length > 0) return refuse('denied', denialOf(denied));
  // Said about this very call, or about one that ran beside it.
  if (hooks.halted !== undefined) return { refused: haltedBy(hooks.halted, call) };
  const passed = { ...call, asked: asked.map(({ hook, text }) => `The hook “${hook}” asks: ${text}`), notes };
  if (!replaced) return passed;
  const checked = checkReplaced(replaced.input, call, turn);
  if ('objection' in checked) {
    const advice = 'The call did not run; the fault is the hook’s.';
    return refuse('failed', `The hook “${replaced.hook}” put in another input, and ${checked.objection} ${advice}`);
  }
  const { input } = checked;
  hooks.say(`The hook “${replaced.hook}” replaced the input of ${call.tool.name}: ${excerptOf(input)}`);
  const remark = `A hook of the person’s replaced the input of ${nameOf(call)}, which is now: ${excerptOf(input)}`;
  return { ...passed, input, title: queue(call.call, turn, call.tool, input), notes: [remark, ...notes] };
}

function haltedBy(reason: string, { call }: Uncalled): ToolResult {
  return refusal(call, 'stopped', `Not run: a hook stopped the turn: ${reason}`);
}

/** A hook's yes counts only where a rule could say it; the person sees that it did. */
export function consulting(
  call: HookedCall,
  { hooks, asker }: TurnTools,
  signal: AbortSignal,
): Pick<PermissionRequest, 'consult'> {
  if (!asker.hasPerson) return {};
  return {
    consult: async ({ mayAllow }) => {
      const { denied, allowed } = await hooks.fire('PermissionRequest', { ...occasionOf(call), signal });
      if (denied.length > 0) return { effect: 'deny', because: denialOf(denied) };
      if (!allowed || !mayAllow) return undefined;
      hooks.say(`The hook “${allowed.hook}” allowed: ${call.title}`);
      return { effect: 'allow' };
    },
  };
}

/** What hooks say about a result follows it; what was stored and what the model gets of it stay as they are. */
export async function afterCall(call: HookedCall, result: ToolResult, turn: TurnTools): Promise<ToolResult> {
  const { hooks, signal } = turn;
  const { fields, ...occasion } = occasionOf(call);
  const isDone = result.status === 'done';
  const heard = await hooks.fire(isDone ? 'PostToolUse' : 'PostToolUseFailure', {
    ...occasion,
    signal,
    fields: () => ({ ...fields(), ...outcomeOf(result) }),
  });
  for (const { hook, text } of heard.denied) hooks.say(`The hook “${hook}” objects to ${call.title}: ${text}`);
  const objections = heard.denied.map(({ text }) => `A hook of the person’s objects to ${nameOf(call)}: ${text}`);
  const notes = [...call.notes, ...objections, ...contextOf(heard, call, hooks)];
  return notes.length === 0 ? result : { ...result, context: [...result.context, ...notes] };
}

function outcomeOf({ status, text, durationMs }: ToolResult): JsonObject {
  const duration_ms = Math.round(durationMs);
  if (status === 'done') return { tool_response: { success: true, content: text }, duration_ms };
  return { error: text, is_interrupt: status === 'stopped', duration_ms };
}

function occasionOf({ call, tool, input, agent }: Uncalled): Omit<HookOccasion, 'signal'> {
  return {
    // Also by the names that others give to such a tool.
    subjects: [tool.name, ...tool.aliases],
    agent,
    fields: () => ({ tool_name: tool.name, tool_input: input, tool_use_id: call.id }),
  };
}

/** The place of a call in the order was given to it for what its first input does. */
function checkReplaced(
  input: unknown,
  { call, tool, input: before }: Uncalled,
  turn: TurnTools,
): { readonly input: JsonObject } | { readonly objection: string } {
  if (!isJsonObject(input)) return { objection: 'it is no object.' };
  const parsed = turn.inputs.parse(tool, { id: call.id, name: call.name, input });
  if ('objection' in parsed) return { objection: `it does not fit: ${parsed.objection}` };
  const isLooser = (claim: 'readOnly' | 'concurrent') => tool[claim](before) && !tool[claim](parsed.input);
  if (!isLooser('readOnly') && !isLooser('concurrent')) return parsed;
  return { objection: 'it does more than read where the call only read, so it could not run at this place.' };
}

/** Read by the model and, in the card, by the person, who wants to know which hook it was. */
function denialOf(denied: Heard['denied']): string {
  return denied.map(({ hook, text }) => `The hook “${hook}” denied this call: ${text}`).join('\n');
}

function contextOf(heard: Heard, call: Uncalled, hooks: Hooks): string[] {
  return hooks.passOn(heard).map((text) => `From a hook of the person’s, about ${nameOf(call)}:\n${text}`);
}

function nameOf({ call, tool }: Uncalled): string {
  return `${tool.name} (${call.id})`;
}

const EXCERPT_CHARS = 500;

function excerptOf(input: JsonObject): string {
  const text = JSON.stringify(input);
  return text.length > EXCERPT_CHARS ? `${text.slice(0, EXCERPT_CHARS)}…` : text;
}
