// One panel's end of the channel in the host: answers its requests, tells it what changes, once per frame.
import type * as vscode from 'vscode';
import { messageOf } from '../../common/errors';
import type { AgentEvent } from '../../common/events';
import type { Handlers, HostEventBody, Page, PanelState, RequestName, ToHost, ToPanel } from '../../common/protocol';
import { MESSAGE_MAX_CHARS } from '../../common/protocol';
import type { RowChange } from '../../common/rows';
import type { App } from '../app';
import { fitPage, fitText, jsonChars, RowBatch } from './batch';
import { handlersFor } from './handlers';
import { parseRequest } from './incoming';
import { reviewState } from './reviewState';
import { taskState } from './taskState';
import type { LiveSession } from '../sessions/sessions';

/** Two frames of a screen: what streams is drawn smoothly, and a thousand deltas are forty messages. */
const FRAME_MS = 33;
/** What runs in the background put out is told so often. */
const TASKS_MS = 500;
/** What the envelope of a message may take of its bound. */
const ENVELOPE_CHARS = 2 * 1024;
const BODY_MAX_CHARS = MESSAGE_MAX_CHARS - ENVELOPE_CHARS;
/** Rows of one page. */
const PAGE_ROWS = 60;

/** Events after which what surrounds the transcript may be different. */
const STATE_EVENTS: ReadonlySet<AgentEvent['type']> = new Set([
  'turn/started',
  'request/started',
  'message/finished',
  'turn/finished',
  'todos/changed',
  'mode/changed',
  'conversation/rewound',
  'conversation/restored',
]);

export class Bridge implements vscode.Disposable {
  private readonly batch = new RowBatch();
  private readonly handlers: Handlers;
  private readonly listeners: readonly vscode.Disposable[];
  /** Said before the page was there to hear it. */
  private readonly waiting: HostEventBody[] = [];
  private shown: LiveSession | undefined;
  private unsubscribe = (): void => {};
  private timer: NodeJS.Timeout | undefined;
  private tasksTimer: NodeJS.Timeout | undefined;
  private isStateDue = false;
  private isReady = false;
  private shownModel = { label: '', isDemo: false };
  private seq = 0;

  /** `wanted` is the session to show, when the panel had one before; else the page's own, else the window's current one. */
  constructor(
    private readonly webview: vscode.Webview,
    readonly app: App,
    private wanted: string | undefined,
    private readonly onShow: (sessionId: string) => void = () => {},
  ) {
    // Not a field's initializer: that would run before `app` is there.
    this.handlers = handlersFor(this);
    this.listeners = [
      webview.onDidReceiveMessage((message: unknown) => this.receive(message)),
      app.review.onDidChange(() => this.refreshState()),
    ];
  }

  get sessionId(): string | undefined {
    return this.shown?.session.id ?? this.wanted;
  }

  /** The session this panel shows. Only called once the page is ready. */
  get live(): LiveSession {
    if (!this.shown) throw new Error('The panel is not ready yet.');
    return this.shown;
  }

  /** A page has been loaded: answers what it needs to draw itself, and everything later follows from `seq` on. */
  async ready(sessionId: string | undefined): Promise<{ state: PanelState; page: Page; seq: number; draft: string }> {
    // What a page has kept for itself may be older: the editor stores it now and then.
    const id = this.wanted ?? sessionId;
    this.show(id === undefined ? await this.app.sessions.current() : await this.app.sessions.get(id));
    this.shownModel = await this.app.nextModel(this.live.session);
    // From here to the answer nothing is awaited: what the page holds and `seq` belong together.
    const state = this.state();
    const room = BODY_MAX_CHARS - jsonChars(state);
    this.batch.clear();
    this.isStateDue = false;
    this.isReady = true;
    if (this.waiting.length > 0) this.schedule();
    // A longer one stays with the page itself, which keeps its own copy.
    const draft = fitText(this.app.drafts.get(this.live.session.id), room / 2);
    return { state, page: this.page(room - jsonChars(draft)), seq: this.seq, draft };
  }

  /** The page is gone until it is shown again, and then reports in anew. */
  hide(): void {
    this.isReady = false;
    this.batch.clear();
  }

  /** Rows before `row`, or the last ones, as many as one message holds. */
  page(maxChars = BODY_MAX_CHARS, row?: string): Page {
    const { rows, more } = this.live.session.transcript.page(PAGE_ROWS, row);
    const fitted = fitPage(rows, maxChars);
    return { rows: fitted, more: more || fitted.length < rows.length };
  }

  /** Shows another session from here on; the page asks for its rows when it hears of it. */
  switchTo(live: LiveSession): void {
    this.show(live);
    this.tell({ type: 'session/switched', sessionId: live.session.id });
  }

  /** Sends at once what belongs to no row; kept until the page is there. */
  tell(body: HostEventBody): void {
    if (!this.isReady) {
      this.waiting.push(body);
      return;
    }
    this.flush();
    this.post(body);
  }

  /** Something outside the session changed what surrounds the transcript. */
  refreshState(): void {
    this.isStateDue = true;
    this.schedule();
  }

  dispose(): void {
    this.unsubscribe();
    for (const listener of this.listeners) listener.dispose();
    clearTimeout(this.timer);
    clearTimeout(this.tasksTimer);
  }

  private show(live: LiveSession): void {
    this.wanted = live.session.id;
    if (this.shown === live) return;
    this.onShow(live.session.id);
    this.unsubscribe();
    this.shown = live;
    this.batch.clear();
    this.unsubscribe = live.session.subscribe((event, changes) => this.hear(event, changes));
  }

  private hear(event: AgentEvent, changes: readonly RowChange[]): void {
    if (!this.isReady) return;
    if (event.type === 'tasks/changed') return this.scheduleTasks();
    this.batch.add(changes);
    if (STATE_EVENTS.has(event.type)) this.isStateDue = true;
    this.schedule();
  }

  private scheduleTasks(): void {
    this.tasksTimer ??= setTimeout(() => {
      this.tasksTimer = undefined;
      if (this.isReady && this.shown) this.tell({ type: 'tasks', tasks: taskState(this.shown.session.tasks()) });
    }, TASKS_MS);
  }

  private schedule(): void {
    this.timer ??= setTimeout(() => this.flush(), FRAME_MS);
  }

  private flush(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    if (!this.isReady || !this.shown) return;
    for (const changes of this.batch.take(BODY_MAX_CHARS)) this.post({ type: 'rows', changes });
    for (const body of this.waiting.splice(0)) this.post(body);
    if (!this.isStateDue) return;
    this.isStateDue = false;
    void this.tellState(this.shown);
  }

  private async tellState(live: LiveSession): Promise<void> {
    this.shownModel = await this.app.nextModel(live.session);
    if (this.shown === live && this.isReady) this.post({ type: 'state', state: this.state() });
  }

  private state(): PanelState {
    const { session } = this.live;
    const { contextTokens, contextWindow } = session.model();
    return {
      sessionId: session.id,
      running: session.isRunning(),
      mode: session.mode(),
      model: this.shownModel.label,
      isDemo: this.shownModel.isDemo,
      hasWorkspace: this.app.host.roots().length > 0,
      isRestricted: !this.app.host.isTrusted(),
      todos: session.todos(),
      contextTokens,
      contextWindow,
      review: reviewState(this.app.review.files()),
      tasks: taskState(session.tasks()),
    };
  }

  private post(body: HostEventBody): void {
    this.seq++;
    this.send({ type: 'event', event: { seq: this.seq, ...body } });
  }

  private send(message: ToPanel): void {
    // False when the page is hidden; it asks for everything anew when it is shown again.
    void this.webview.postMessage(message);
  }

  private receive(message: unknown): void {
    const request = parseRequest(message);
    if (!request) {
      this.app.host.log.warn('A panel sent something that is not in the protocol; it was ignored.');
      return;
    }
    void this.answer(request);
  }

  private async answer({ id, name, payload }: ToHost): Promise<void> {
    try {
      if (name !== 'panel/ready' && name !== 'panel/focused' && payload.sessionId !== this.shown?.session.id) {
        throw new Error('This page shows a session that is no longer open here. Reload the panel.');
      }
      const handler = this.handlers[name] as (payload: unknown) => Promise<unknown>;
      this.send({ type: 'answer', id, value: await handler(payload) });
    } catch (error) {
      this.app.host.log.error(`${name satisfies RequestName} failed`, error);
      this.send({ type: 'problem', id, message: messageOf(error) });
    }
  }
}
