// An ask as an event pair around the person's answer, whether a permission or a tool asks.
import { createHash } from 'node:crypto';
import type { Ask, AskAnswer, AskPart, PermissionAsk, Proposal } from '../../common/asks';
import { riskiestFirst } from '../../common/askParts';
import type { DeedKind } from '../../common/deeds';
import type { JsonObject } from '../../common/json';
import type { Target } from '../permission/types';
import type { Changeable } from './tool';
import type { TurnTools } from './turnTools';

/** Shows the ask and waits for its answer. Never rejects: a stopped turn dismisses it. */
export async function openAsk(ask: Ask, signal: AbortSignal, turn: TurnTools): Promise<AskAnswer> {
  turn.emit({ type: 'ask/opened', call: ask.call, ask: ask.kind === 'permission' ? fitAsk(ask) : ask });
  const answer = await turn.asker.ask(ask, signal);
  turn.emit({ type: 'ask/closed', call: ask.call, ask: ask.id, answer: fitAnswer(answer) });
  return answer;
}

/** What a person is asked to allow. */
export interface AskedCall {
  readonly input: JsonObject;
  readonly targets: readonly Target[];
  readonly proposal?: Omit<Changeable<unknown>, 'amend'>;
}

/** The ask with what the call itself says of it: its deeds, what may be changed of it, and the digest of it all. */
export function withCall(ask: PermissionAsk, { input, targets, proposal }: AskedCall): PermissionAsk {
  const deeds = deedsOf(targets);
  const whole: PermissionAsk = {
    ...ask,
    ...(deeds.length > 0 && { deeds }),
    ...(proposal && { proposal: proposalOf(proposal) }),
  };
  const digest = createHash('sha256')
    .update(JSON.stringify([input, targets, whole]))
    .digest('hex');
  return { ...whole, digest };
}

function deedsOf(targets: readonly Target[]): readonly DeedKind[] {
  return [...new Set(targets.flatMap((target) => (target.op === 'execute' ? (target.line?.deeds ?? []) : [])))];
}

function proposalOf({ kind, text, path = '', before }: Omit<Changeable<unknown>, 'amend'>): Proposal {
  return kind === 'command' ? { kind, text } : { kind, text, path, ...(before !== undefined && { before }) };
}

/** Of a command, as it is changed in the panel and shown there whole, in UTF-16 units. */
const COMMAND_MAX_CHARS = 12_000;
/** Of an answer, as it is told of afterwards. */
const CHANGED_MAX_CHARS = 2_000;
const PART_MAX_CHARS = 400;
const MAX_PARTS = 60;

/** As it leaves the host: what is long stays behind. */
function fitAsk(ask: PermissionAsk): PermissionAsk {
  const { proposal, parts } = ask;
  return {
    ...ask,
    ...(proposal && { proposal: fitProposal(proposal) }),
    ...(parts && { parts: riskiestFirst(parts).slice(0, MAX_PARTS).map(fitPart) }),
    ...(parts && parts.length > MAX_PARTS && { moreParts: parts.length - MAX_PARTS }),
  };
}

function fitProposal(proposal: Proposal): Proposal {
  if (proposal.kind === 'file') return { kind: 'file', path: proposal.path };
  return (proposal.text?.length ?? 0) <= COMMAND_MAX_CHARS ? proposal : { kind: 'command' };
}

function fitPart(part: AskPart): AskPart {
  return part.text.length <= PART_MAX_CHARS ? part : { ...part, text: `${part.text.slice(0, PART_MAX_CHARS)}…` };
}

function fitAnswer(answer: AskAnswer): AskAnswer {
  if (answer.kind !== 'permission' || answer.changed === undefined) return answer;
  return { ...answer, changed: answer.changed.slice(0, CHANGED_MAX_CHARS) };
}
