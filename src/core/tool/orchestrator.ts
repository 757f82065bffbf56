// The one path of a tool call, from what the model wrote to what it gets back.
import type { ToolStatus } from '../../common/events';
import type { JsonObject } from '../../common/json';
import { untilAborted } from '../untilAborted';
import { arrivedText } from './arrived';
import { approve } from './approve';
import type { Entry } from './gate';
import { watchRun } from './around';
import { afterCall, beforeCall } from './hooked';
import { queue } from './queue';
import { finishedEvent, refusal, settle } from './result';
import { resolveCall } from './resolve';
import { reportBug } from './run';
import { runPlan } from './runPlan';
import type { Tool, ToolCall } from './tool';
import type { ToolResult, TurnTools } from './turnTools';

const STOPPED = 'Stopped by the person before this call ran: it changed nothing.';

/**
 * The only path a call takes, built in or MCP. It never rejects: every result is something the model can act on [O06, O10].
 * A call that has not begun to run when `starts` aborts never will; what runs is the business of the turn's own signal.
 */
export async function runToolCall(call: ToolCall, turn: TurnTools, starts = turn.signal): Promise<ToolResult> {
  const result = await follow(call, turn, starts).catch((bug: unknown) =>
    refusal(call, 'failed', reportBug(call, bug, turn)),
  );
  turn.emit(finishedEvent(result));
  if (result.background) turn.background.answered(call.id);
  return result;
}

async function follow(made: ToolCall, turn: TurnTools, starts: AbortSignal): Promise<ToolResult> {
  await loadTools(turn);
  const resolved = resolveCall(made, turn); // the tool that is meant; "30" coerced to 30 by the declared type, then the schema
  const { call } = resolved;
  const title = queue(call, turn, resolved.tool, 'input' in resolved ? resolved.input : undefined);
  if ('objection' in resolved) return refusal(call, 'failed', resolved.objection);
  const { tool } = resolved;

  const work = async (): Promise<ToolResult> => {
    const ctx = turn.contextFor(call.id, turn.signal);
    const hooked = await beforeCall({ ...resolved, title, agent: ctx.agent }, turn, starts);
    if (!hooked) return notRun(call, turn, starts);
    if ('refused' in hooked) return hooked.refused;

    const { input } = hooked; // a replaced one fits the schema too
    const prepared = await untilAborted(tool.prepare(input, ctx), starts); // changes nothing, so Stop need not wait
    if (!prepared) return notRun(call, turn, starts);
    if ('objection' in prepared) return { ...refusal(call, 'failed', prepared.objection), context: hooked.notes };

    const approved = await approve(hooked, prepared, ctx, turn, starts); // with what a person made of it, judged anew
    if (starts.aborted) return notRun(call, turn, starts);
    if ('refused' in approved) return { ...refusal(call, ...approved.refused), context: hooked.notes };

    const after = await watchRun(approved, ctx, turn, starts); // how files and history are before a command
    if (starts.aborted) return notRun(call, turn, starts);

    const confirmed = await approved.confirm(); // what it runs may have changed meanwhile
    if (starts.aborted) return notRun(call, turn, starts);
    if ('refused' in confirmed) return { ...refusal(call, ...confirmed.refused), context: hooked.notes };

    const mayGoOn = tool.background && ({ mayGoOn: true } as const);
    turn.emit({ type: 'tool/started', call: call.id, allowedBy: confirmed.allowedBy, ...mayGoOn });
    const ran = await runPlan(approved, ctx, turn, after); // stores the whole output, failed runs included
    return afterCall(approved.hooked, settle(call, ran), turn); // shortened for the model, bounded for the panel
  };
  return (await turn.gate.run(entryOf(tool, resolved.input), work, starts)) ?? notRun(call, turn, starts);
}

function notRun(call: ToolCall, turn: TurnTools, starts: AbortSignal): ToolResult {
  return turn.signal.aborted ? refusal(call, 'stopped', STOPPED) : refusal(call, 'failed', String(starts.reason));
}

/** A call that is not run at all, for a reason that lies outside it. */
export function refuseCall(call: ToolCall, reason: string, turn: TurnTools): ToolResult {
  queue(call, turn, toolOf(call, turn));
  const status: ToolStatus = turn.signal.aborted ? 'stopped' : 'failed';
  const { malformed } = call;
  const result = refusal(call, status, malformed ? `${reason} (${arrivedText(malformed.raw)}.)` : reason);
  turn.emit(finishedEvent(result));
  return result;
}

/** For the card only: the tool that is meant, if that can be told. */
function toolOf(call: ToolCall, turn: TurnTools): Tool | undefined {
  try {
    return resolveCall(call, turn).tool;
  } catch {
    // What calls need could not be loaded, which a call that runs reports.
    return turn.toolset.find(call.name);
  }
}

/** True when running the call can change nothing, which holds for a call that will be refused as well. Needs `loadTools`. */
export function readsOnly(call: ToolCall, turn: TurnTools): boolean {
  try {
    const resolved = resolveCall(call, turn);
    return 'objection' in resolved || resolved.tool.readOnly(resolved.input);
  } catch {
    // The call itself meets the same bug when it runs, and reports it there.
    return false;
  }
}

/** Everything that calls need before they can be looked at. Waiting for all of it at once keeps calls in their order. */
export async function loadTools({ toolset, inputs }: Pick<TurnTools, 'toolset' | 'inputs'>): Promise<void> {
  await Promise.all([toolset.load(), inputs.load()]);
}

function entryOf(tool: Tool, input: JsonObject): Entry {
  return tool.concurrent(input) ? 'shared' : 'alone';
}
