// The hooks around a turn: before its prompt reaches the model, and when the model is done.
import type { AgentEvent, EventBody, TurnEnd } from '../../common/events';
import type { Note } from '../agent/notes';
import type { Heard, Hooks } from './hooks';

/** How often in one turn hooks may send the model back to work. */
const STOP_BLOCKS_MAX = 3;
const ABOUT = 'hook';

export interface Prompted {
  readonly text: string;
  readonly turn: string;
}

/** Lets hooks see a prompt before the model does. Answers how the turn ends when it does not get that far. */
export async function openTurn(
  hooks: Hooks,
  { text: prompt, turn }: Prompted,
  emit: (event: EventBody) => void,
  signal: AbortSignal,
): Promise<TurnEnd | undefined> {
  hooks.startTurn();
  await openSession(hooks, emit, signal);
  const [heard] = await Promise.all([
    hooks.fire('UserPromptSubmit', { fields: () => ({ prompt }), signal }),
    hooks.fire('TurnStart', { fields: () => ({ turn_id: turn }), signal }),
  ]);
  if (signal.aborted) return 'stopped';
  const [first] = heard.denied;
  if (!first && hooks.halted === undefined) {
    addContext(hooks, heard, emit);
    return undefined;
  }
  const reasons = heard.denied.map(({ text }) => text).join('\n');
  const text = first
    ? `The hook “${first.hook}” did not let this prompt through: ${reasons}`
    : 'The prompt was not sent.';
  emit({ type: 'notice', level: 'warning', text });
  return 'blocked';
}

/** Once, before its first prompt. What hooks say then stays, whatever becomes of the prompt. */
async function openSession(hooks: Hooks, emit: (event: EventBody) => void, signal: AbortSignal): Promise<void> {
  if (hooks.hasStarted || !hooks.mayRun) return;
  hooks.reportSetting();
  const { source } = hooks;
  const heard = await hooks.fire('SessionStart', { subjects: [source], fields: () => ({ source }), signal });
  if (signal.aborted) return;
  hooks.hasStarted = true;
  addContext(hooks, heard, emit);
}

/** What the model still has to hear before the turn may end; undefined: it may. `before`: how often it was sent back already. */
export async function keepsGoing(hooks: Hooks, before: number, signal: AbortSignal): Promise<Note | undefined> {
  const heard = await hooks.fire('Stop', { fields: () => ({ stop_hook_active: before > 0 }), signal });
  const [first] = heard.denied;
  if (!first || signal.aborted || hooks.halted !== undefined) return undefined;
  if (before >= STOP_BLOCKS_MAX) {
    hooks.say(`The hook “${first.hook}” would not let the turn end, ${before} times in a row; it ends all the same.`);
    return undefined;
  }
  const text = heard.denied.map(({ text: reason }) => reason).join('\n');
  hooks.say(`The hook “${first.hook}” keeps the turn going: ${text}`);
  return { about: ABOUT, text: `A hook of the person’s does not let you stop yet: ${text}` };
}

/** Resolves when its hooks have ended; nothing depends on what they say. */
export async function closeTurn(
  hooks: Hooks,
  { turn, end, durationMs }: { readonly turn: string; readonly end: TurnEnd; readonly durationMs: number },
): Promise<void> {
  await hooks.announce('TurnEnd', { fields: () => ({ turn_id: turn, end, duration_ms: Math.round(durationMs) }) });
}

/** What would bring a person back: something waits for them. */
export function announceAsk(hooks: Hooks, event: AgentEvent): void {
  if (event.type !== 'ask/opened') return;
  const { ask, agent } = event;
  const [kind, message] =
    ask.kind === 'permission'
      ? ['permission_prompt', `Lathe asks for your approval: ${ask.title}`]
      : ['elicitation_dialog', 'Lathe has a question for you.'];
  const fields = () => ({ message, title: 'Lathe', notification_type: kind });
  void hooks.announce('Notification', { subjects: [kind], agent, fields });
}

function addContext(hooks: Hooks, heard: Heard, emit: (event: EventBody) => void): void {
  for (const text of hooks.passOn(heard))
    emit({ type: 'note/appended', about: ABOUT, text: `From a hook of the person’s:\n${text}` });
}
