// An ask as an event pair around the person's answer, whether a permission or a tool asks.
import type { Ask, AskAnswer } from '../../common/asks';
import type { TurnTools } from './turnTools';

/** Shows the ask and waits for its answer. Never rejects: a stopped turn dismisses it. */
export async function openAsk(ask: Ask, signal: AbortSignal, turn: TurnTools): Promise<AskAnswer> {
  turn.emit({ type: 'ask/opened', call: ask.call, ask });
  const answer = await turn.asker.ask(ask, signal);
  turn.emit({ type: 'ask/closed', call: ask.call, ask: ask.id, answer });
  return answer;
}
