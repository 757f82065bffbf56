// Whether a prepared call may run, and as what: a person may change it before they allow it.
import type { ToolStatus } from '../../common/events';
import type { JsonObject } from '../../common/json';
import type { Decision, PermissionRequest } from '../permission/permissions';
import { openAsk, withCall } from './ask';
import { fitDisplay } from './display';
import { consulting, type HookedCall } from './hooked';
import { queue } from './queue';
import type { PreparedCall, Tool, ToolContext } from './tool';
import type { TurnTools } from './turnTools';

type Planned = PreparedCall<unknown>;

/** What is run; where the person changed the call it is theirs, and the remark tells the model so. */
export type Approved =
  | {
      readonly hooked: HookedCall;
      readonly prepared: Planned;
      readonly remark?: string;
      /** Right before the run: what the call runs of the workspace is looked at again, and asked about again where it changed (S21). */
      confirm(): Promise<{ readonly allowedBy: string } | Refused>;
    }
  /** The reason is for the model. */
  | Refused;

interface Refused {
  readonly refused: readonly [status: Exclude<ToolStatus, 'done'>, reason: string];
}

/** Judges the call and, where a person changed it, what they made of it. */
export async function approve(
  hooked: HookedCall,
  prepared: Planned,
  ctx: ToolContext,
  turn: TurnTools,
  starts: AbortSignal,
): Promise<Approved> {
  const request: PermissionRequest = {
    ...requestOf(hooked, prepared, ctx, starts),
    ...consulting(hooked, turn, starts),
    ask: (ask, signal) => openAsk(withCall(ask, { ...prepared, input: hooked.input }), signal, turn),
  };
  const decision = await turn.permissions.decide(request);
  if (!decision.allow) return { refused: [decision.status, decision.reason] };
  if (decision.changed === undefined) {
    return { hooked, prepared, confirm: () => confirm(request, decision, turn) };
  }
  return approveChanged(hooked, prepared, decision.changed, ctx, turn, starts);
}

/** The person allowed exactly this text, so what only asks is answered; what is denied stays denied. */
async function approveChanged(
  hooked: HookedCall,
  { proposal }: Planned,
  text: string,
  ctx: ToolContext,
  turn: TurnTools,
  starts: AbortSignal,
): Promise<Approved> {
  if (!proposal) throw new Error('A call was changed that cannot be.');
  const amended = await proposal.amend(text);
  if ('objection' in amended) return { refused: ['failed', `${CANNOT_BE} ${amended.objection}`] };
  const { input, remark } = amended;
  if (isLooser(hooked.tool, hooked.input, input)) return { refused: ['failed', `${remark}\n${NOT_HERE}`] };
  const title = queue(hooked.call, turn, hooked.tool, input);
  const call: HookedCall = { ...hooked, input, title };
  const request = requestOf(call, amended, ctx, starts);
  const decision = await turn.permissions.decide({
    ...request,
    ask: () => Promise.resolve({ kind: 'permission', decision: 'once' }),
  });
  // What has changed since is asked about again, as it is shown by then.
  const again: PermissionRequest = {
    ...request,
    ask: (ask, signal) => openAsk(withCall(ask, { ...amended, input }), signal, turn),
  };
  if (decision.allow) {
    return { hooked: call, prepared: amended, remark, confirm: () => confirm(again, decision, turn) };
  }
  return { refused: [decision.status, `${remark}\n${decision.reason}`] };
}

async function confirm(
  request: PermissionRequest,
  decision: Decision,
  { permissions }: TurnTools,
): Promise<{ readonly allowedBy: string } | Refused> {
  const confirmed = await permissions.confirm(request, decision);
  if (!confirmed.allow) return { refused: [confirmed.status, confirmed.reason] };
  // Its first form is what was prepared, and nobody allowed that.
  if (confirmed.changed !== undefined) return { refused: ['denied', `${TOO_LATE} ${confirmed.changed}`] };
  return { allowedBy: confirmed.because };
}

const TOO_LATE = 'It did not run: the person wants it otherwise. Send the call as they want it:';
const CANNOT_BE = 'The person changed this call before they allowed it, and as they want it it cannot be done:';
const NOT_HERE = 'It did not run: it does more than the call it stands for, which had its place among calls that read.';

/** Its place among other calls was given to the call for what it did. */
function isLooser(tool: Tool, before: JsonObject, after: JsonObject): boolean {
  return (tool.readOnly(before) && !tool.readOnly(after)) || (tool.concurrent(before) && !tool.concurrent(after));
}

function requestOf(
  { tool, input, title, asked }: HookedCall,
  { targets, preview }: Planned,
  ctx: ToolContext,
  signal: AbortSignal,
): Omit<PermissionRequest, 'ask' | 'consult'> {
  return {
    ...{ tool, input, title, asked, targets, signal },
    ...{ call: ctx.call, agent: ctx.agent, mode: ctx.mode },
    ...(preview === undefined ? {} : { preview: fitDisplay(preview) }),
  };
}
