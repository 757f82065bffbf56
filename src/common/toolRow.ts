// A tool's row as the events of its call make it: what it does, what is asked about it, and how it ended.
import type { Ask, AskAnswer } from './asks';
import type { Display } from './display';
import type { EventOf } from './events';
import { isSettled, type ToolRow } from './rows';

const PROBLEM_CHARS = 600;

type ToolEvent = EventOf<
  | 'tool/streaming'
  | 'tool/queued'
  | 'ask/opened'
  | 'ask/closed'
  | 'tool/started'
  | 'tool/progress'
  | 'tool/finished'
  | 'tool/ended'
  | 'deeds/done'
>;

export function foldTool(row: ToolRow, event: ToolEvent): ToolRow {
  switch (event.type) {
    case 'tool/streaming':
      return { ...row, tool: event.tool, title: event.tool, inputChars: event.chars };
    case 'tool/queued': {
      const { tool, kind, title } = event;
      return { ...row, tool, kind, title, state: 'waiting' };
    }
    case 'ask/opened':
      return { ...row, state: 'asking', ask: event.ask };
    case 'ask/closed':
      return answered(row, event.answer);
    case 'tool/started': {
      const { allowedBy, mayGoOn } = event;
      return { ...row, state: 'running', ...(allowedBy !== undefined && { allowedBy }), ...(mayGoOn && { mayGoOn }) };
    }
    case 'tool/progress':
      return { ...row, display: event.display };
    case 'tool/finished':
      return finished(row, event);
    case 'tool/ended':
      return ended(row, event);
    case 'deeds/done':
      return { ...row, deeds: [...(row.deeds ?? []), ...event.deeds] };
  }
}

function answered({ ask, ...row }: ToolRow, answer: AskAnswer): ToolRow {
  // A call that Stop has answered stays so, whatever its ask says afterwards.
  const state = isSettled(row.state) ? row.state : 'waiting';
  const refused = refusedCommand(answer, ask);
  return { ...row, state, answer, ...keptBy(answer, ask), ...(refused && { display: refused }) };
}

/** What did not run is worth reading again: the title is the model's word for it. Of an edit it would look like one that was made. */
function refusedCommand(answer: AskAnswer, ask: Ask | undefined): Display | undefined {
  if (ask?.kind !== 'permission' || ask.preview?.kind !== 'shell') return undefined;
  const isRefused = answer.kind === 'dismissed' || (answer.kind === 'permission' && answer.decision === 'deny');
  return isRefused ? ask.preview : undefined;
}

function finished({ ask: _, mayGoOn: __, ...row }: ToolRow, event: EventOf<'tool/finished'>): ToolRow {
  const { status: state, wholeChars, durationMs, background } = event;
  const display = event.display ?? row.display;
  return {
    ...row,
    ...{ state, wholeChars, durationMs },
    ...(display === undefined ? {} : { display }),
    ...(background && { background }),
    ...(state === 'done' ? {} : { problem: (event.problem ?? event.text).slice(0, PROBLEM_CHARS) }),
  };
}

function ended({ background: _, problem: __, ...row }: ToolRow, event: EventOf<'tool/ended'>): ToolRow {
  const { status: state, display } = event;
  // One that was lost with its process tells neither.
  const wholeChars = Math.max(row.wholeChars, event.wholeChars);
  const durationMs = Math.max(row.durationMs ?? 0, event.durationMs);
  return { ...row, state, wholeChars, durationMs, ...(display === undefined ? {} : { display }) };
}

function keptBy(answer: AskAnswer, ask: Ask | undefined): Pick<ToolRow, 'kept'> {
  if (answer.kind !== 'permission' || ask?.kind !== 'permission') return {};
  const isKept = answer.decision === 'session' || answer.decision === 'always';
  const grant = isKept ? ask.grants?.[answer.grant ?? 0] : undefined;
  return grant && answer.changed === undefined ? { kept: grant.rule } : {};
}
