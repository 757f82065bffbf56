// The turn loop: ask the model, run what it calls, tell it the results, until it is done or cannot go on.
import type { Message } from '../../common/blocks';
import type { Action, TurnEnd } from '../../common/events';
import { keepsGoing } from '../hooks/turn';
import type { FaultKind, ModelRequest, ProviderFault } from '../provider/types';
import { cacheMarks, endOf } from './cacheMarks';
import { Circles } from './circles';
import { ATTEMPTS_MAX, waitForRetry } from './retry';
import { streamMessage, type StreamedMessage } from './stream';
import type { Turn } from './turn';

/** Messages that reached the output limit and are continued without asking. Source: [R04]. */
const CONTINUED_MAX = 2;
/** Pauses of the endpoint's own tools that are continued in a row. */
const PAUSES_MAX = 20;

/**
 * Runs a turn whose prompt is in the conversation already. Rejects only for bugs.
 *
 * However it ends, the conversation is one that the next prompt can go on from: what arrived is kept, every call has its result.
 */
export async function runTurn(turn: Turn): Promise<TurnEnd> {
  appendNotes(turn, { isTurnStart: true });
  const counts = { attempts: 0, continued: 0, pauses: 0, kept: 0 };
  const circles = new Circles(turn);
  for (;;) {
    pruneResults(turn);
    const messages = turn.conversation.messages();
    turn.emit({ type: 'request/started', model: turn.model.id, attempt: ++counts.attempts, transient: true });
    const message = await streamMessage(compileRequest(turn, messages), turn);
    turn.conversation.sentEnd = endOf(messages);
    appendContext(turn, message);
    if (turn.signal.aborted || turn.tools.hooks.halted !== undefined) return 'stopped';

    if ('fault' in message) {
      if (!(await waitForRetry(message.fault, counts.attempts, turn)))
        return giveUp(message.fault, counts.attempts, turn);
      if (turn.conversation.endsWithModel) note(turn, 'connection', BROKE_OFF);
    } else {
      counts.attempts = 0;
      const end = endAfter(message, counts, turn) ?? (await checkCircles(message, circles));
      if (end !== undefined && !(await isKeptGoing(end, counts, turn))) return end;
    }
    appendNotes(turn, { isTurnStart: false });
  }
}

const BROKE_OFF =
  'The connection broke in the middle of your last message; what arrived is above. Go on from there without repeating it.';
const CUT_OFF =
  'Your last message was cut at the output limit. Go on from there without repeating it; split large content into several calls.';

type CompleteMessage = Extract<StreamedMessage, { stop: unknown }>;

/** How the turn ends after a complete message; undefined: it goes on. */
function endAfter(
  message: CompleteMessage,
  counts: { continued: number; pauses: number },
  turn: Turn,
): TurnEnd | undefined {
  switch (message.stop) {
    case 'max_tokens':
      if (++counts.continued > CONTINUED_MAX) return outputLimit(turn);
      note(turn, 'limit', CUT_OFF);
      return undefined;
    case 'pause_turn':
      return ++counts.pauses > PAUSES_MAX ? outputLimit(turn) : undefined;
    case 'refusal':
      warn(turn, 'The model declined to answer this. Put it differently, or start a new session.');
      return 'refused';
    case 'model_context_window_exceeded':
      warn(turn, 'The conversation has filled the model’s context window. Start a new session to go on.');
      return 'context_limit';
    // Compatible endpoints call tools and name another reason.
    case 'end_turn':
    case 'stop_sequence':
    case 'tool_use':
      if (message.results.length > 0) return undefined;
      if (message.blocks === 0)
        warn(turn, 'The model ended its turn without a word. Try again, or put it differently.');
      return 'done';
  }
}

/** Calls of a message that was cut did not run; sending them again is what the model was asked to do. */
function checkCircles({ stop, calls, results }: CompleteMessage, circles: Circles): Promise<TurnEnd | undefined> {
  return stop === 'max_tokens' ? Promise.resolve(undefined) : circles.check(calls, results);
}

/** A hook may have more to say when the model is done. */
async function isKeptGoing(end: TurnEnd, counts: { kept: number }, turn: Turn): Promise<boolean> {
  const due = end === 'done' ? await keepsGoing(turn.tools.hooks, counts.kept, turn.signal) : undefined;
  if (!due) return false;
  counts.kept++;
  note(turn, due.about, due.text);
  return true;
}

function compileRequest(turn: Turn, messages: readonly Message[]): ModelRequest {
  const { model, head, host, tools, conversation } = turn;
  const wanted = host.settings.get('maxOutputTokens');
  return {
    model: model.id,
    system: head.system,
    tools: head.tools,
    builtInTools: tools.toolset.builtInCount,
    messages,
    cacheMarks: cacheMarks(messages, conversation.sentEnd),
    maxOutputTokens: model.maxOutputTokens > 0 ? Math.min(wanted, model.maxOutputTokens) : wanted,
    thinking: model.thinks ? host.settings.get('thinking') : 'off',
  };
}

/** What a person can do about a fault beyond trying again. */
const REMEDIES: { readonly [K in FaultKind]?: Action } = {
  auth: { title: 'Set API Key', command: 'lathe.setApiKey' },
  network: { title: 'Open Settings', command: 'lathe.openSettings' },
  not_api: { title: 'Open Settings', command: 'lathe.openSettings' },
  not_found: { title: 'Open Settings', command: 'lathe.openSettings' },
};

function giveUp(fault: ProviderFault, attempts: number, turn: Turn): TurnEnd {
  if (turn.signal.aborted) return 'stopped';
  const tried =
    fault.isPassing && attempts >= ATTEMPTS_MAX ? ` Tried ${attempts} times; send the prompt again to go on.` : '';
  const action = REMEDIES[fault.kind];
  turn.emit({ type: 'notice', level: 'error', text: fault.message + tried, ...(action ? { action } : {}) });
  return fault.kind === 'prompt_too_long' ? 'context_limit' : 'failed';
}

function outputLimit(turn: Turn): TurnEnd {
  warn(turn, 'The model reached its output limit several times in a row. Ask it to go on, or for less at once.');
  return 'output_limit';
}

function warn(turn: Turn, text: string): void {
  turn.emit({ type: 'notice', level: 'warning', text });
}

function note(turn: Turn, about: string, text: string): void {
  turn.emit({ type: 'note/appended', about, text });
}

function appendNotes(turn: Turn, at: { readonly isTurnStart: boolean }): void {
  for (const { about, text } of turn.dueNotes(at)) note(turn, about, text);
}

/** Old results make room for new ones [O35]; what they showed is no longer before the model [R03]. */
function pruneResults(turn: Turn): void {
  const results = turn.conversation.duePruning(turn.host.settings.get('tools.historyChars'));
  if (results.length === 0) return;
  turn.emit({ type: 'results/pruned', results });
  turn.reads.markPruned(new Set(results.map(({ call }) => call)));
}

/** What tools want the model to know besides their results. */
function appendContext(turn: Turn, { results }: StreamedMessage): void {
  for (const { context } of results) for (const text of context) note(turn, 'tools', text);
}
