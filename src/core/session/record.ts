// What has happened in a session: events are stamped, folded, written down and told to whoever listens, in this order.
import { Conversation } from '../agent/conversation';
import type { Head } from '../agent/prompt';
import { Ledger } from '../checkpoint/ledger';
import { addUsage, NO_USAGE, type Usage } from '../../common/blocks';
import type { Todo } from '../../common/display';
import { isTransient, MAIN_AGENT, type AgentEvent, type EventBody } from '../../common/events';
import type { Mode } from '../../common/modes';
import { Transcript } from '../../common/transcript';
import type { RowChange } from '../../common/rows';
import type { Host } from '../host';
import { aboutRun } from '../tool/background';
import { Journal, sessionFile } from './journal';

type Listener = (event: AgentEvent, changes: readonly RowChange[]) => void;

const NO_TURN = 'none';

/** Held state of one session's events and of all that follows from them. */
export class SessionRecord {
  readonly transcript = new Transcript();
  readonly conversation = new Conversation();
  readonly ledger: Ledger;
  readonly journal: Journal;
  private readonly listeners = new Set<Listener>();
  private seq = 0;
  private currentTurn = NO_TURN;
  private facts: Facts = NO_FACTS;

  constructor(
    readonly id: string,
    private readonly host: Pick<Host, 'clock' | 'ids' | 'log' | 'platform' | 'store'>,
  ) {
    this.ledger = new Ledger(host.platform);
    this.journal = new Journal({
      store: host.store,
      ids: host.ids,
      name: sessionFile(id),
      onTrouble: (reason) => {
        const text = `This session cannot be saved at the moment, but goes on: ${reason}`;
        this.emit({ type: 'notice', level: 'warning', text });
      },
      onRecovery: () => this.emit({ type: 'notice', level: 'info', text: 'This session is saved again.' }),
    });
  }

  get known(): Facts {
    return this.facts;
  }

  /** Bodies from here on belong to this turn. */
  enterTurn(turn: string): void {
    this.currentTurn = turn;
  }

  /** Never throws: a listener that does is its own problem, and told to the log. */
  emit(body: EventBody): void {
    const event: AgentEvent = {
      ...body,
      seq: ++this.seq,
      time: this.host.clock.now(),
      session: this.id,
      turn: this.currentTurn,
      agent: MAIN_AGENT,
    };
    const changes = this.fold(event);
    if (!isTransient(event)) this.journal.add(event);
    for (const listener of this.listeners) {
      try {
        listener(event, changes);
      } catch (error) {
        this.host.log.error(`A listener failed at ${event.type}.`, error);
      }
    }
  }

  /** Folds what was stored. Answers how many events could not be folded. */
  replay(events: readonly AgentEvent[]): number {
    let unfolded = 0;
    for (const event of events) {
      try {
        this.fold(event);
        this.seq = Math.max(this.seq, event.seq);
        this.currentTurn = event.turn;
      } catch (error) {
        unfolded++;
        this.host.log.warn(`The stored event ${event.seq} cannot be read: ${String(error)}`);
      }
    }
    return unfolded;
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private fold(event: AgentEvent): RowChange[] {
    this.conversation.apply(event);
    this.ledger.apply(event);
    this.facts = { ...this.facts, ...learn(event, this.facts) };
    return this.transcript.apply(event);
  }
}

/** What the events say about the session as a whole. */
export interface Facts {
  readonly todos: readonly Todo[];
  readonly mode?: Mode;
  readonly head?: Head;
  /** Calls whose run goes on without them, as far as the model was told. */
  readonly backgroundRuns: readonly string[];
  /** A turn has begun and not ended. */
  readonly isTurnOpen: boolean;
  /** Of the latest turn. */
  readonly turnUsage: Usage;
  /** What the latest request and its answer take of the model's window. */
  readonly contextTokens: number;
}

const NO_FACTS: Facts = { todos: [], backgroundRuns: [], isTurnOpen: false, turnUsage: NO_USAGE, contextTokens: 0 };

function learn(event: AgentEvent, { turnUsage, backgroundRuns }: Facts): Partial<Facts> {
  switch (event.type) {
    case 'session/started':
    case 'mode/changed':
      return { mode: event.mode };
    case 'turn/started':
      return { isTurnOpen: true, turnUsage: NO_USAGE };
    case 'turn/finished':
      return { isTurnOpen: false };
    case 'prompt/frozen':
      return { head: { system: event.system, tools: event.tools } };
    case 'tool/finished':
      return event.background ? { backgroundRuns: [...backgroundRuns, event.call] } : {};
    case 'note/appended':
      return { backgroundRuns: backgroundRuns.filter((call) => aboutRun(call) !== event.about) };
    case 'todos/changed':
      return { todos: event.todos };
    case 'message/finished': {
      const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = event.usage;
      const contextTokens = inputTokens + cacheReadTokens + cacheWriteTokens + outputTokens;
      return { turnUsage: addUsage(turnUsage, event.usage), ...(contextTokens > 0 ? { contextTokens } : {}) };
    }
    default:
      return {};
  }
}
