// Which of a session's events still stand: rewinding takes whole turns out of the conversation, and can put them back until the next prompt.
import { REVIEW_NOTE } from '../agent/notes';
import type { AgentEvent, EventOf, EventType } from '../../common/events';

interface Turn {
  readonly id: string;
  readonly events: AgentEvent[];
}

/** Turns that a rewinding took out, and how many events the turn before them had by then. */
interface Cut {
  readonly turns: readonly Turn[];
  readonly eventsBefore: number;
}

export interface StandingPrompt {
  readonly turn: string;
  readonly text: string;
  /** Epoch milliseconds. */
  readonly time: number;
}

/** What a conversation, and what is known of a session, is folded from. */
const KEPT: ReadonlySet<EventType> = new Set<EventType>([
  'turn/started',
  'turn/finished',
  'note/appended',
  'block/finished',
  'message/finished',
  'tool/finished',
  'results/pruned',
  'files/restored',
  'todos/changed',
]);

/**
 * Held state. The events themselves are kept, not what was folded from them, so that after a rewinding everything is what it
 * would be had the turns never been: results that have left the requests since then are whole again, too.
 */
export class History {
  private readonly turns: Turn[] = [{ id: '', events: [] }];
  private cuts: Cut[] = [];
  /** What was told of rejected changes in turns that are out for good. */
  private lostNews: EventOf<'note/appended'>[] = [];

  get canRestore(): boolean {
    return this.cuts.length > 0;
  }

  has(turn: string): boolean {
    return this.indexOf(turn) > 0;
  }

  prompts(): StandingPrompt[] {
    return this.turns.flatMap(({ id, events: [start] }) =>
      start?.type === 'turn/started' ? { turn: id, text: start.text, time: start.time } : [],
    );
  }

  events(): AgentEvent[] {
    return this.turns.flatMap(({ events }) => events);
  }

  /** Rejected changes of which the conversation does not tell any more. */
  untold(): readonly EventOf<'note/appended'>[] {
    return this.lostNews;
  }

  /** True when other events stand than before and this one. */
  apply(event: AgentEvent): boolean {
    switch (event.type) {
      case 'conversation/rewound':
        return this.cut(event.to);
      case 'conversation/restored':
        return this.putBack();
      case 'turn/started':
        this.lostNews.push(...this.cuts.flatMap(newsOf));
        this.cuts = [];
        this.turns.push({ id: event.turn, events: [event] });
        return false;
      case 'note/appended':
        if (event.about === REVIEW_NOTE) this.lostNews = this.lostNews.filter(({ text }) => text !== event.text);
        break;
      default:
        break;
    }
    if (KEPT.has(event.type)) this.turns.at(-1)?.events.push(event);
    return false;
  }

  private cut(to: string): boolean {
    const at = this.indexOf(to);
    if (at < 1) return false;
    const turns = this.turns.splice(at);
    this.cuts.push({ turns, eventsBefore: this.turns[at - 1]?.events.length ?? 0 });
    return true;
  }

  /** What came after the rewinding comes after the turns again. */
  private putBack(): boolean {
    const cut = this.cuts.pop();
    if (!cut) return false;
    const since = this.turns.at(-1)?.events.splice(cut.eventsBefore) ?? [];
    this.turns.push(...cut.turns);
    this.turns.at(-1)?.events.push(...since);
    return true;
  }

  private indexOf(turn: string): number {
    return this.turns.findLastIndex(({ id }) => id === turn);
  }
}

function newsOf({ turns }: Cut): EventOf<'note/appended'>[] {
  return turns.flatMap(({ events }) =>
    events.filter((event) => event.type === 'note/appended').filter(({ about }) => about === REVIEW_NOTE),
  );
}
