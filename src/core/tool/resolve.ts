// Which tool a call means and with what input: found, converted and checked before anything else is asked about it.
import type { JsonObject } from '../../common/json';
import type { Tool, ToolCall } from './tool';
import type { TurnTools } from './turnTools';

/** `call` is the one that is meant: another one than was made where a tool stands for others. Objections are for the model. */
export type ResolvedCall =
  | { readonly call: ToolCall; readonly tool: Tool; readonly input: JsonObject }
  | { readonly call: ToolCall; readonly tool?: Tool; readonly objection: string };

/** Runs nothing. Needs `loadTools`. */
export function resolveCall(call: ToolCall, turn: Pick<TurnTools, 'toolset' | 'inputs'>): ResolvedCall {
  const made = resolveNamed(call, turn);
  if ('objection' in made || !made.tool.dispatch) return made;
  const meant = resolveNamed({ ...call, ...made.tool.dispatch(made.input) }, turn);
  if ('input' in meant && meant.tool.dispatch) {
    const objection = `${meant.tool.name} runs other tools, and not itself. Name the tool that is to run, with its own input.`;
    return { call, tool: made.tool, objection };
  }
  if (!('faulty' in meant)) return meant;
  const { faulty: _, ...refused } = meant;
  return {
    ...refused,
    objection: `${refused.objection}\ntoolsearch shows what its input has to be (select:${refused.tool.name}).`,
  };
}

type Named =
  | Extract<ResolvedCall, { readonly input: JsonObject }>
  | Extract<ResolvedCall, { readonly objection: string }>
  /** The tool is there, the input does not fit it. */
  | (Extract<ResolvedCall, { readonly objection: string }> & { readonly tool: Tool; readonly faulty: true });

function resolveNamed(call: ToolCall, { toolset, inputs }: Pick<TurnTools, 'toolset' | 'inputs'>): Named {
  const tool = toolset.find(call.name);
  if (!tool) return { call, objection: toolset.unknown(call.name) };
  const unusable = toolset.fault(tool);
  if (unusable !== undefined) return { call, tool, objection: unusable };
  const parsed = inputs.parse(tool, call);
  return 'objection' in parsed ? { call, tool, ...parsed, faulty: true } : { call, tool, input: parsed.input };
}
