// Going on from an earlier point of a session without touching it.
import type { AgentEvent } from '../../common/events';
import type { Host } from '../host';
import { loadSession } from '../session/load';
import { History } from '../session/history';
import { copied, copyOutputs, writeCopy } from './copy';
import type { NewSession } from './types';

type ForkParts = Pick<Host, 'store' | 'ids' | 'clock' | 'log'>;

/** See `Library.fork`. What is open has to be flushed before. */
export async function forkSession(parts: ForkParts, from: string, turn: string | undefined): Promise<NewSession> {
  const stored = await loadSession(parts.store, from);
  if (!stored || stored.events.length === 0) return { ok: false, reason: 'Nothing of that session can be read.' };
  const events = turn === undefined ? stored.events : before(stored.events, turn);
  if (!events) {
    return {
      ok: false,
      reason: 'That prompt is no part of the conversation any more. Choose another one to fork from.',
    };
  }
  const id = parts.ids.next('session');
  await copyOutputs(parts, from, id);
  await writeCopy(parts, {
    id,
    events: events.flatMap((event) => copied(event) ?? []),
    closing: { type: 'session/forked', from, ...(turn === undefined ? {} : { to: turn }) },
  });
  return { ok: true, id };
}

/** Undefined where the turn does not stand. What was rewound before it began is part of what it was. */
function before(events: readonly AgentEvent[], turn: string): readonly AgentEvent[] | undefined {
  const history = new History();
  for (const event of events) history.apply(event);
  if (!history.has(turn)) return undefined;
  return events.slice(
    0,
    events.findIndex((event) => event.type === 'turn/started' && event.turn === turn),
  );
}
