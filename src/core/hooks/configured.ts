// From the setting `hooks` to the commands that run at an event. A setting is written by hand, so nothing in it is taken for granted.
import { isJsonObject } from '../../common/json';
import type { SettingValue } from '../../common/settings';
import { infoOf, isHookEvent, nearestEvent, type HookEvent } from './events';

export interface Hook {
  readonly event: HookEvent;
  /** A line for the platform's shell. */
  readonly command: string;
  readonly timeoutMs: number;
}

export type HooksSetting = SettingValue<'hooks'>;

/** Source: Claude Code's hooks. */
const TIMEOUT_S = 60;
const TIMEOUT_MAX_S = 600;
const SHOWN_CHARS = 60;

interface Configured {
  readonly hooks: readonly (Hook & { readonly matcher?: RegExp })[];
  /** For the person: what will not run, and why. */
  readonly problems: readonly string[];
}

export function hasHooks(setting: HooksSetting): boolean {
  return Object.keys(setting).length > 0;
}

/**
 * The hooks of an event, in the order of the setting, each command once. `subjects` are the names of what the event is about:
 * a matcher is compared with each of them, whole, without regard to case.
 */
export function hooksFor(setting: HooksSetting, event: HookEvent, subjects: readonly string[]): readonly Hook[] {
  const hasSubject = infoOf(event).subject !== undefined;
  const fitting = configured(event, setting[event]).hooks.filter(
    ({ matcher }) => !matcher || !hasSubject || subjects.some((subject) => matcher.test(subject)),
  );
  return fitting.filter(({ command }, at) => fitting.findIndex((other) => other.command === command) === at);
}

/** Everything in the setting that has no effect, worded for the person. */
export function problemsOf(setting: HooksSetting): string[] {
  return Object.entries(setting).flatMap(([event, entries]) => {
    if (isHookEvent(event)) return configured(event, entries).problems;
    return [`lathe.hooks: there is no event ${JSON.stringify(event)}; the nearest is ${nearestEvent(event)}.`];
  });
}

export function labelOf({ command }: Hook): string {
  const line = command.replace(/\s+/g, ' ').trim();
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
}

function configured(event: HookEvent, entries: unknown): Configured {
  if (entries === undefined) return { hooks: [], problems: [] };
  const parts = Array.isArray(entries)
    ? entries.map((entry: unknown, at) => ofEntry(event, entry, `lathe.hooks: ${event}, entry ${at + 1}`))
    : [problem(`lathe.hooks: ${event} is not a list of entries, so none of its hooks run.`)];
  return { hooks: parts.flatMap(({ hooks }) => hooks), problems: parts.flatMap(({ problems }) => problems) };
}

function ofEntry(event: HookEvent, entry: unknown, place: string): Configured {
  const commands = isJsonObject(entry) ? entry['hooks'] : undefined;
  if (!isJsonObject(entry) || !Array.isArray(commands))
    return problem(`${place} has no list "hooks", so nothing of it runs.`);
  const matcher = parseMatcher(entry['matcher']);
  if (matcher === 'invalid') {
    return problem(`${place} does not run: its matcher ${JSON.stringify(entry['matcher'])} is no regular expression.`);
  }
  const parts = commands.map((command: unknown) => ofCommand(event, command, place));
  const hooks = parts.flatMap((part) => part.hooks).map((hook) => (matcher ? { ...hook, matcher } : hook));
  return { hooks, problems: parts.flatMap(({ problems }) => problems) };
}

function ofCommand(event: HookEvent, hook: unknown, place: string): Configured {
  const { type, command, timeout = TIMEOUT_S } = isJsonObject(hook) ? hook : {};
  if (type !== 'command') return problem(`${place} has a hook whose type is not "command"; it does not run.`);
  if (typeof command !== 'string' || command.trim() === '') return problem(`${place} has a hook without a command.`);
  const isTime = typeof timeout === 'number' && timeout > 0;
  const seconds = isTime ? Math.min(timeout, TIMEOUT_MAX_S) : TIMEOUT_S;
  const odd = `${place} has a timeout that is not between 0 and ${TIMEOUT_MAX_S} seconds; ${seconds} holds.`;
  return { hooks: [{ event, command, timeoutMs: seconds * 1000 }], problems: timeout === seconds ? [] : [odd] };
}

function problem(text: string): Configured {
  return { hooks: [], problems: [text] };
}

/** Undefined where everything matches. */
function parseMatcher(matcher: unknown): RegExp | undefined | 'invalid' {
  if (matcher === undefined || matcher === '' || matcher === '*') return undefined;
  if (typeof matcher !== 'string') return 'invalid';
  try {
    return new RegExp(`^(?:${matcher})$`, 'i');
  } catch {
    return 'invalid';
  }
}
