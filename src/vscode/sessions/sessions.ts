// The sessions of this window: opened on first use, remembered across a reload, watched for who runs and who waits.
import * as vscode from 'vscode';
import type { AgentEvent } from '../../common/events';
import type { AskQueue, Session } from '../../core/session/types';

export interface LiveSession {
  readonly session: Session;
  readonly asks: AskQueue;
}

/** What surrounds the panels shows: a status item, a badge. */
export interface Activity {
  readonly running: number;
  readonly asking: number;
  /** One of those that wait for the person. */
  readonly askingSession: string | undefined;
}

/** Opens a new session, or goes on with a stored one. Rejects with a readable Error. */
export type OpenSession = (resume: string | undefined) => Promise<LiveSession>;

const LAST_SESSION = 'session';

export class Sessions implements vscode.Disposable {
  private readonly live = new Map<string, Promise<LiveSession>>();
  private readonly opened: LiveSession[] = [];
  private readonly events = new vscode.EventEmitter<AgentEvent>();
  private newest: Promise<LiveSession> | undefined;

  /** Every event of every session of the window. */
  readonly onEvent = this.events.event;

  constructor(
    private readonly openSession: OpenSession,
    private readonly memory: vscode.Memento,
  ) {}

  /** The one last worked with; after a reload the stored one, with its transcript; else a new one. */
  current(): Promise<LiveSession> {
    if (this.newest) return this.newest;
    const last = this.memory.get<string>(LAST_SESSION);
    return last === undefined ? this.start() : this.get(last);
  }

  /** The one last worked with, when a session has been opened in this window at all. */
  peek(): Promise<LiveSession> | undefined {
    return this.newest;
  }

  /** A session by its id, resumed when it is not open. One that cannot be resumed is followed by a new one. */
  get(id: string): Promise<LiveSession> {
    const open = this.live.get(id);
    if (open) return this.makeCurrent(open);
    const resumed = this.open(id).catch(async () => this.open(undefined));
    this.live.set(id, resumed);
    return this.makeCurrent(resumed);
  }

  start(): Promise<LiveSession> {
    return this.makeCurrent(this.open(undefined));
  }

  activity(): Activity {
    return {
      running: this.opened.filter(({ session }) => session.isRunning()).length,
      asking: this.opened.reduce((sum, { asks }) => sum + asks.pending, 0),
      askingSession: this.opened.find(({ asks }) => asks.pending > 0)?.session.id,
    };
  }

  /** Stops what runs and resolves when everything said so far is on disk. */
  async close(): Promise<void> {
    await Promise.allSettled(this.opened.map(({ session }) => session.close()));
    this.dispose();
  }

  dispose(): void {
    for (const { session } of this.opened.splice(0)) session.dispose();
    this.live.clear();
    this.events.dispose();
  }

  private async open(resume: string | undefined): Promise<LiveSession> {
    const opened = await this.openSession(resume);
    opened.session.subscribe((event) => this.events.fire(event));
    this.opened.push(opened);
    this.live.set(opened.session.id, Promise.resolve(opened));
    return opened;
  }

  private makeCurrent(opening: Promise<LiveSession>): Promise<LiveSession> {
    this.newest = opening;
    return opening.then(
      async (opened) => {
        await this.remember(opened.session.id);
        return opened;
      },
      (error: unknown) => {
        if (this.newest === opening) this.newest = undefined;
        throw error;
      },
    );
  }

  private async remember(id: string): Promise<void> {
    if (this.memory.get(LAST_SESSION) !== id) await this.memory.update(LAST_SESSION, id);
  }
}
