// What the index says of a session, folded from the few kinds of its events that it depends on.
import { addUsage, NO_USAGE, type Usage } from '../../common/blocks';
import type { AgentEvent, EventType } from '../../common/events';
import { isJsonObject } from '../../common/json';
import { oneLine } from '../../common/oneLine';
import type { StoredSession } from './types';

const TITLE_MAX_CHARS = 200;

/** The others change nothing of it, so their lines need not be read. */
export const SUMMARY_EVENTS: ReadonlySet<string> = new Set<EventType>([
  'session/started',
  'session/titled',
  'session/archived',
  'session/forked',
  'turn/started',
  'message/finished',
  'turn/finished',
]);

export function newSummary(id: string): StoredSession {
  return {
    ...{ id, title: '', startedMs: 0, lastMs: 0, turns: 0, sizeBytes: 0 },
    ...{ usage: NO_USAGE, isArchived: false, roots: [] },
  };
}

/** The events of a session in their order; the file they come from may be damaged. */
export function summarize(before: StoredSession, event: AgentEvent): StoredSession {
  switch (event.type) {
    case 'session/started': {
      const roots = Array.isArray(event.roots) ? event.roots.filter((root) => typeof root === 'string') : [];
      return { ...used(before, event), startedMs: event.time, roots, ...(event.imported && { isImported: true }) };
    }
    case 'session/titled': {
      const isOutranked = before.titledBy === 'person' && event.by === 'model';
      return isOutranked ? before : { ...before, title: titleLine(event.title), titledBy: event.by };
    }
    case 'session/archived':
      return { ...before, isArchived: event.archived };
    case 'session/forked': {
      const { costUsd: _, ...kept } = used(before, event);
      const forkedFrom = { session: event.from, ...(event.to === undefined ? {} : { turn: event.to }) };
      return { ...kept, startedMs: event.time, usage: NO_USAGE, forkedFrom };
    }
    case 'turn/started': {
      const title = before.title === '' ? titleLine(event.text) : before.title;
      return { ...used(before, event), turns: before.turns + 1, title };
    }
    case 'message/finished':
      return { ...used(before, event), usage: addUsage(before.usage, sound(event.usage)), model: String(event.model) };
    case 'turn/finished':
      return used(before, event);
    default:
      return before;
  }
}

export function titleLine(text: string): string {
  return oneLine(text.slice(0, 4 * TITLE_MAX_CHARS), TITLE_MAX_CHARS);
}

function used(before: StoredSession, { time }: AgentEvent): StoredSession {
  return { ...before, startedMs: before.startedMs || time, lastMs: Math.max(before.lastMs, time) };
}

function sound(usage: Usage): Usage {
  const count = (value: unknown): number => (typeof value === 'number' && value > 0 ? value : 0);
  return {
    inputTokens: count(usage.inputTokens),
    outputTokens: count(usage.outputTokens),
    cacheReadTokens: count(usage.cacheReadTokens),
    cacheWriteTokens: count(usage.cacheWriteTokens),
  };
}

/** Whether it can be taken for one: it was read from a file that anybody may have written in. */
export function isSummary(value: unknown): value is StoredSession {
  if (!isJsonObject(value)) return false;
  const { id, title, isArchived, roots, usage } = value;
  const counts = [value['startedMs'], value['lastMs'], value['turns'], value['sizeBytes']];
  return (
    [id, title].every((text) => typeof text === 'string') &&
    counts.every((count) => typeof count === 'number') &&
    typeof isArchived === 'boolean' &&
    Array.isArray(roots) &&
    isJsonObject(usage) &&
    Object.keys(NO_USAGE).every((name) => typeof usage[name] === 'number')
  );
}
