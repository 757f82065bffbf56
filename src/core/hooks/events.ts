// The events that hooks can run at, and what an answer can do at each: one table.
import { distance } from 'fastest-levenshtein';
import type { Effect } from '../permission/types';

interface EventInfo {
  /** What a decision may be; a "block" is a deny. Others say nothing here. */
  readonly effects: readonly Effect[];
  /** `text`: plain output is context for the model too; `json`: only what an answer names so. */
  readonly context: 'none' | 'json' | 'text';
  /** What a matcher is compared with; hooks of an event without it always run. */
  readonly subject?: 'tool' | 'source' | 'kind';
}

const INFORMED: EventInfo = { effects: [], context: 'none' };

const EVENTS = {
  SessionStart: { effects: [], context: 'text', subject: 'source' },
  TurnStart: INFORMED,
  UserPromptSubmit: { effects: ['deny'], context: 'text' },
  PreToolUse: { effects: ['deny', 'ask', 'allow'], context: 'json', subject: 'tool' },
  PermissionRequest: { effects: ['deny', 'allow'], context: 'none', subject: 'tool' },
  PostToolUse: { effects: ['deny'], context: 'json', subject: 'tool' },
  PostToolUseFailure: { effects: ['deny'], context: 'json', subject: 'tool' },
  Notification: { effects: [], context: 'none', subject: 'kind' },
  Stop: { effects: ['deny'], context: 'none' },
  TurnEnd: INFORMED,
  // Known, so that a setting that names them is not called wrong; they come with compaction and sub-agents.
  PreCompact: INFORMED,
  PostCompact: INFORMED,
  SubagentStart: INFORMED,
  SubagentStop: INFORMED,
} as const satisfies Record<string, EventInfo>;

export type HookEvent = keyof typeof EVENTS;

export function infoOf(event: HookEvent): EventInfo {
  return EVENTS[event];
}

export function isHookEvent(name: string): name is HookEvent {
  return Object.hasOwn(EVENTS, name);
}

export function nearestEvent(name: string): HookEvent {
  const steps = (event: string): number => distance(name.toLowerCase(), event.toLowerCase());
  const names = Object.keys(EVENTS).filter(isHookEvent);
  return names.reduce((best, event) => (steps(event) < steps(best) ? event : best));
}
