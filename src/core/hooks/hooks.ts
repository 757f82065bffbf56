// The hooks of one session: commands of the person's own that run at events and may deny, ask, add context or replace an input.
import { isAbsolute } from 'node:path';
import { MAIN_AGENT, type EventBody } from '../../common/events';
import type { Json, JsonObject } from '../../common/json';
import type { Mode } from '../../common/modes';
import type { Host, Path } from '../host';
import type { StartProgram } from '../program';
import { answerOf, type HookAnswer } from './answer';
import { hasHooks, hooksFor, labelOf, problemsOf, type Hook } from './configured';
import type { HookEvent } from './events';
import { runHook } from './run';

export interface HooksParts {
  readonly host: Host;
  readonly start: StartProgram;
  readonly session: string;
  readonly source: 'startup' | 'resume';
  readonly mode: () => Mode;
  /** Where the session's commands run. */
  readonly cwd: () => Path;
  /** For notices: what hooks did is seen. */
  emit(event: EventBody): void;
}

export interface HookOccasion {
  /** What matchers are compared with. */
  readonly subjects?: readonly string[];
  /** What the event's input holds besides what all have. Called only when a hook runs. */
  fields(): JsonObject;
  /** Ends the hooks when it aborts. */
  readonly signal: AbortSignal;
  readonly agent?: string;
}

interface Said {
  /** The hook, as people know it. */
  readonly hook: string;
  readonly text: string;
}

/** What the hooks of one event said together. */
export interface Heard {
  readonly denied: readonly Said[];
  readonly asked: readonly Said[];
  /** By one, and neither denied nor asked by another. */
  readonly allowed?: Said;
  readonly context: readonly (Said & { readonly isQuiet: boolean })[];
  /** The last one in the order of the setting. */
  readonly replaced?: { readonly hook: string; readonly input: Json };
}

const NOTHING: Heard = { denied: [], asked: [], context: [] };

/** As Claude Code calls them, for hooks that were written for it. */
const MODE_NAMES: Readonly<Record<Mode, string>> = {
  ask: 'default',
  acceptEdits: 'acceptEdits',
  plan: 'plan',
  review: 'plan',
  explore: 'plan',
  auto: 'auto',
  bypass: 'bypassPermissions',
};

const SHOWN_CHARS = 200;

/** Held state: what runs, what was told in this turn, and whether a hook wants it to end. */
export class Hooks {
  private readonly closing = new AbortController();
  private readonly endings = new Set<Promise<unknown>>();
  private readonly told = new Set<string>();
  private halt: string | undefined;
  /** The session's own event has been. */
  hasStarted = false;

  constructor(private readonly parts: HooksParts) {}

  /** Why a hook wants the turn to end; nothing of it should be begun any more. */
  get halted(): string | undefined {
    return this.halt;
  }

  /** Without trust no hook runs, and none is told that the session has started. */
  get mayRun(): boolean {
    return this.parts.host.isTrusted();
  }

  get source(): HooksParts['source'] {
    return this.parts.source;
  }

  startTurn(): void {
    this.told.clear();
    this.halt = undefined;
  }

  /** Says what in the setting has no effect. */
  reportSetting(): void {
    for (const text of problemsOf(this.setting())) this.tell('warning', text);
  }

  /** Runs the hooks of an event at the same time and waits for all of them. Never rejects; costs nothing where there are none. */
  async fire(event: HookEvent, occasion: HookOccasion): Promise<Heard> {
    const setting = this.setting();
    if (!hasHooks(setting)) return NOTHING;
    const hooks = hooksFor(setting, event, occasion.subjects ?? []);
    if (hooks.length === 0) return NOTHING;
    const input = { ...this.common(event, occasion), ...occasion.fields() };
    const answers = await Promise.all(hooks.map((hook) => this.ask(hook, input, occasion.signal)));
    return heardFrom(answers);
  }

  /** Runs hooks that nobody waits for; `close` ends them. */
  announce(event: HookEvent, occasion: Omit<HookOccasion, 'signal'>): Promise<Heard> {
    const done = this.fire(event, { ...occasion, signal: this.closing.signal });
    this.leave(done);
    return done;
  }

  say(text: string): void {
    this.tell('info', text);
  }

  /** The context that hooks add, for the model. To be called where it does reach the model, since the person is told so. */
  passOn({ context }: Heard): string[] {
    for (const { hook, text, isQuiet } of context) {
      if (!isQuiet) this.say(`The hook “${hook}” told the model: ${excerpt(text)}`);
    }
    return context.map(({ text }) => text);
  }

  /** Ends what runs by itself. Resolves when nothing of any hook is left. */
  async close(): Promise<void> {
    this.dispose();
    while (this.endings.size > 0) await Promise.all(this.endings);
  }

  dispose(): void {
    this.closing.abort();
  }

  private async ask(hook: Hook, input: JsonObject, signal: AbortSignal): Promise<Answered> {
    const { host, start } = this.parts;
    const project = projectOf(host);
    const surroundings = {
      ...{ host, start, cwd: project, env: { LATHE_PROJECT_DIR: project } },
      leave: (ending: Promise<void>) => this.leave(ending),
    };
    const answer = answerOf(hook, await runHook(hook, input, surroundings, signal));
    this.show(hook, answer);
    return { hook: labelOf(hook), answer };
  }

  /** Decisions are shown where they count: in the card, in the ask. */
  private show(hook: Hook, { problem, message, halt }: HookAnswer): void {
    const name = `The hook “${labelOf(hook)}” (${hook.event})`;
    if (problem !== undefined) this.tell('warning', `${name} ${problem}.`);
    if (message !== undefined) this.tell('info', `${name} says: ${message}`);
    if (halt !== undefined) this.tell('warning', `${name} stopped the turn: ${halt}`);
    this.halt ??= halt;
  }

  /** The same words once a turn: a hook that is broken is broken at each call. */
  private tell(level: 'info' | 'warning', text: string): void {
    if (this.told.has(text)) return;
    this.told.add(text);
    this.parts.emit({ type: 'notice', level, text });
  }

  private common(event: HookEvent, { agent }: HookOccasion): JsonObject {
    const { session, mode, cwd } = this.parts;
    return {
      session_id: session,
      cwd: cwd(),
      permission_mode: MODE_NAMES[mode()],
      hook_event_name: event,
      ...(agent === undefined || agent === MAIN_AGENT ? {} : { agent_id: agent }),
    };
  }

  private leave(ending: Promise<unknown>): void {
    const left = ending.finally(() => this.endings.delete(left));
    this.endings.add(left);
  }

  private setting() {
    return this.mayRun ? this.parts.host.settings.get('hooks') : {};
  }
}

interface Answered {
  readonly hook: string;
  readonly answer: HookAnswer;
}

/** Deny beats ask beats allow. */
function heardFrom(answers: readonly Answered[]): Heard {
  const decided = (effect: string): Said[] =>
    answers.flatMap(({ hook, answer: { decision } }) =>
      decision?.effect === effect ? [{ hook, text: decision.reason }] : [],
    );
  const denied = decided('deny');
  const asked = decided('ask');
  const [allowed] = denied.length + asked.length > 0 ? [] : decided('allow');
  const replaced = answers.findLast(({ answer }) => answer.input !== undefined);
  return {
    denied,
    asked,
    ...(allowed ? { allowed } : {}),
    context: answers.flatMap(({ hook, answer: { context, isQuiet = false } }) =>
      context === undefined ? [] : [{ hook, text: context, isQuiet }],
    ),
    ...(replaced?.answer.input === undefined
      ? {}
      : { replaced: { hook: replaced.hook, input: replaced.answer.input } }),
  };
}

/** The first folder of the workspace, where it is one that a program can stand in. */
function projectOf(host: Host): Path {
  const [root] = host.roots();
  return root && isAbsolute(root.path) ? root.path : host.platform.homeDir;
}

function excerpt(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS)}…` : line;
}
