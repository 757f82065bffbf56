// What has happened in a session: events are stamped, folded, written down and told to whoever listens, in this order.
import { Conversation } from '../agent/conversation';
import { RESTORED_NOTE } from '../agent/notes';
import type { Head } from '../agent/prompt';
import { Ledger } from '../checkpoint/ledger';
import { addUsage, NO_USAGE, type Usage } from '../../common/blocks';
import type { Todo } from '../../common/display';
import { isTransient, MAIN_AGENT, type AgentEvent, type EventBody, type EventOf } from '../../common/events';
import type { Mode } from '../../common/modes';
import { Transcript } from '../../common/transcript';
import type { RowChange } from '../../common/rows';
import type { Host } from '../host';
import { redact } from '../secrets/redact';
import { newSummary, summarize } from '../sessions/summary';
import type { StoredSession } from '../sessions/types';
import { aboutRun } from '../tool/background';
import { History } from './history';
import { Journal, sessionFile } from './journal';

type Listener = (event: AgentEvent, changes: readonly RowChange[]) => void;

const NO_TURN = 'none';

/** Held state of one session's events and of all that follows from them. */
export class SessionRecord {
  readonly transcript = new Transcript();
  readonly history = new History();
  readonly ledger: Ledger;
  readonly journal: Journal;
  summary: StoredSession;
  private readonly listeners = new Set<Listener>();
  private seq = 0;
  private currentTurn = NO_TURN;
  private folded: Folded = { conversation: new Conversation(), facts: NO_FACTS };
  private lasting: Lasting = {};

  constructor(
    readonly id: string,
    private readonly host: Pick<Host, 'clock' | 'ids' | 'log' | 'platform' | 'store'>,
  ) {
    this.ledger = new Ledger(host.platform);
    this.summary = newSummary(id);
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

  /** Of what stands: another one after each rewinding. */
  get conversation(): Conversation {
    return this.folded.conversation;
  }

  get known(): Facts & Lasting {
    return { ...this.folded.facts, ...this.lasting };
  }

  /** Bodies from here on belong to this turn. */
  enterTurn(turn: string): void {
    this.currentTurn = turn;
  }

  /** Never throws: a listener that does is its own problem, and told to the log. */
  emit(body: EventBody): void {
    const event: AgentEvent = {
      ...withoutSecrets(body),
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
        this.history.apply(event);
        this.ledger.apply(event);
        this.lasting = { ...this.lasting, ...learnLasting(event) };
        this.summary = summarize(this.summary, event);
        this.transcript.apply(event);
        this.seq = Math.max(this.seq, event.seq);
        this.enterTurn(this.turnAfter(event));
      } catch (error) {
        unfolded++;
        this.tellUnfolded(event, error);
      }
    }
    return unfolded + this.refold();
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private fold(event: AgentEvent): RowChange[] {
    const isOther = this.history.apply(event);
    if (isOther) this.refold();
    else this.folded = foldOne(this.folded, event);
    this.lasting = { ...this.lasting, ...learnLasting(event) };
    this.summary = summarize(this.summary, event);
    this.enterTurn(this.turnAfter(event));
    this.ledger.apply(event);
    return this.transcript.apply(event);
  }

  /** Once, whatever the number of rewindings. Answers how many events could not be folded. */
  private refold(): number {
    let unfolded = 0;
    this.folded = { conversation: new Conversation(), facts: NO_FACTS };
    for (const event of this.history.events()) {
      try {
        this.folded = foldOne(this.folded, event);
      } catch (error) {
        unfolded++;
        this.tellUnfolded(event, error);
      }
    }
    return unfolded;
  }

  /** What comes after a rewinding belongs to the last turn that stands. */
  private turnAfter(event: AgentEvent): string {
    const isRewinding = event.type === 'conversation/rewound' || event.type === 'conversation/restored';
    return isRewinding ? (this.history.prompts().at(-1)?.turn ?? NO_TURN) : event.turn;
  }

  private tellUnfolded({ seq }: AgentEvent, error: unknown): void {
    this.host.log.warn(`The stored event ${seq} cannot be read: ${String(error)}`);
  }
}

interface Folded {
  readonly conversation: Conversation;
  readonly facts: Facts;
}

/** A notice quotes what endpoints, servers and programs say. */
function withoutSecrets(body: EventBody): EventBody {
  return body.type === 'notice' ? { ...body, text: redact(body.text) } : body;
}

function foldOne({ conversation, facts }: Folded, event: AgentEvent): Folded {
  conversation.apply(event);
  return { conversation, facts: { ...facts, ...learn(event, facts) } };
}

/** What holds for the session now, whatever is taken out of its conversation. */
export interface Lasting {
  readonly mode?: Mode;
  readonly head?: Head;
  /** A call went to the web or to an MCP server, or all was imported: what came from there may steer the model. */
  readonly isTainted?: true;
}

function learnLasting(event: AgentEvent): Lasting {
  if (event.type === 'session/started') return { mode: event.mode, ...(event.imported && { isTainted: true }) };
  if (event.type === 'mode/changed') return { mode: event.mode };
  if (event.type === 'prompt/frozen') return { head: { system: event.system, tools: event.tools } };
  if (event.type === 'tool/queued' && (event.kind === 'web' || event.tool.startsWith('mcp__')))
    return { isTainted: true };
  return {};
}

/** What the events that stand say about the session as a whole. */
export interface Facts {
  readonly todos: readonly Todo[];
  /** Calls whose run goes on without them, as far as the model was told. */
  readonly backgroundRuns: readonly string[];
  /** A turn has begun and not ended. */
  readonly isTurnOpen: boolean;
  /** Of the latest turn. */
  readonly turnUsage: Usage;
  /** What the latest request and its answer take of the model's window. */
  readonly contextTokens: number;
  /** Restores of files that the model has not been told of. */
  readonly restores: readonly EventOf<'files/restored'>[];
}

const NO_FACTS: Facts = {
  todos: [],
  backgroundRuns: [],
  isTurnOpen: false,
  turnUsage: NO_USAGE,
  contextTokens: 0,
  restores: [],
};

function learn(event: AgentEvent, { turnUsage, backgroundRuns, restores }: Facts): Partial<Facts> {
  switch (event.type) {
    case 'turn/started':
      return { isTurnOpen: true, turnUsage: NO_USAGE };
    case 'turn/finished':
      return { isTurnOpen: false };
    case 'tool/finished':
      return event.background ? { backgroundRuns: [...backgroundRuns, event.call] } : {};
    case 'tool/ended':
      return event.told ? { backgroundRuns: backgroundRuns.filter((call) => call !== event.call) } : {};
    case 'note/appended':
      return {
        backgroundRuns: backgroundRuns.filter((call) => aboutRun(call) !== event.about),
        ...(event.about === RESTORED_NOTE ? { restores: [] } : {}),
      };
    case 'files/restored':
      return { restores: restoresAfter(event, restores) };
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

/** One that was taken back before the model heard of it is nothing to tell. */
function restoresAfter(
  event: EventOf<'files/restored'>,
  restores: readonly EventOf<'files/restored'>[],
): readonly EventOf<'files/restored'>[] {
  const others = restores.filter(({ seq }) => seq !== event.undoes);
  return others.length < restores.length ? others : [...restores, event];
}
