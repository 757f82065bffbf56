// One session: its prompts run as turns one after another, and everything that happens is an event.
import { runTurn } from '../agent/loop';
import type { TurnEnd } from '../../common/events';
import type { Mode } from '../../common/modes';
import { announceAsk, closeTurn, openTurn } from '../hooks/turn';
import type { Path } from '../host';
import type { Outputs } from '../output/outputs';
import { FrozenHead } from './frozenHead';
import { Answering } from './model';
import { News } from './news';
import { failureNotice } from './notices';
import { SayOnce } from './sayOnce';
import type { Ownership } from './ownership';
import type { SessionRecord } from './record';
import { openRecord, type OpenedRecord } from './reopen';
import { assembleParts, type SessionParts } from './parts';
import { turnTools } from './turnTools';
import { untilAborted } from '../untilAborted';
import type { Session, SessionOptions } from './types';

/** Opens a new session, or a stored one where `resume` names it. Rejects only for bugs and for a store that cannot be read. */
export async function openSession(options: SessionOptions): Promise<Session> {
  const mode = options.mode ?? options.host.settings.get('permission.mode');
  return new RunningSession(options, await openRecord(options, mode), mode);
}

/** Held state of an open session. */
class RunningSession implements Session {
  readonly id: string;
  readonly outputs: Outputs;
  private readonly record: SessionRecord;
  private readonly ownership: Ownership;
  private readonly head: FrozenHead;
  private readonly answering: Answering;
  private readonly news: News;
  private readonly parts: SessionParts;
  private folder: Path;
  private running: AbortController | undefined;
  private turn: Promise<TurnEnd | 'readonly'> | undefined;
  private readonly sayOnce: SayOnce;
  /** The turn in which the session’s hooks said what holds for all of it. */
  private hookedTurn: string | undefined;

  constructor(
    private readonly options: SessionOptions,
    { record, ownership }: OpenedRecord,
    private currentMode: Mode,
  ) {
    const { host } = options;
    this.record = record;
    this.ownership = ownership;
    this.id = record.id;
    this.folder = host.roots()[0]?.path ?? host.platform.homeDir;
    this.head = new FrozenHead(options, record);
    this.sayOnce = new SayOnce((event) => record.emit(event));
    this.answering = new Answering(options);
    this.parts = assembleParts(options, record, {
      mode: () => this.currentMode,
      seesImages: () => this.answering.seesImages,
      cwd: () => this.folder,
      setCwd: (path) => {
        this.folder = path;
      },
      isBusy: () => this.isRunning() || this.isReadOnly,
    });
    const { background, hooks, outputs } = this.parts;
    this.outputs = outputs;
    this.news = new News({ record, background, head: this.head, outside: options.news });
    record.subscribe((event) => announceAsk(hooks, event));
    record.subscribe(({ type }) => {
      if (type === 'message/finished') void ownership.confirm();
    });
  }

  get transcript() {
    return this.record.transcript;
  }

  get checkpoints() {
    return this.parts.changes.checkpoints;
  }

  isRunning(): boolean {
    return this.running !== undefined;
  }

  mode(): Mode {
    return this.currentMode;
  }

  setMode(mode: Mode): void {
    if (mode === this.currentMode) return;
    this.currentMode = mode;
    this.record.emit({ type: 'mode/changed', mode });
  }

  todos() {
    return this.record.known.todos;
  }

  model() {
    return this.answering.describe(this.record.known.contextTokens);
  }

  subscribe(listener: Parameters<Session['subscribe']>[0]): () => void {
    return this.record.subscribe(listener);
  }

  async prompt(text: string): Promise<TurnEnd | 'busy' | 'readonly'> {
    if (this.running) return 'busy';
    if (this.isReadOnly) return 'readonly';
    const stop = new AbortController();
    this.running = stop;
    const taken = this.takeTurn(text, stop);
    this.turn = taken;
    return taken;
  }

  private async takeTurn(text: string, stop: AbortController): Promise<TurnEnd | 'readonly'> {
    if (!(await this.mayWrite())) {
      this.running = undefined;
      return 'readonly';
    }
    const { clock, ids, log } = this.options.host;
    const startedMs = clock.elapsed();
    const turn = ids.next('turn');
    this.record.enterTurn(turn);
    this.record.emit({ type: 'turn/started', text });
    this.parts.background.markSeen();
    this.record.journal.release();
    let end: TurnEnd;
    try {
      end = await this.runTurn({ text, turn }, stop.signal);
    } catch (error) {
      end = this.reportFailure(error, stop.signal);
      log.error('A turn failed.', error);
    }
    this.running = undefined;
    const { turnUsage: usage } = this.record.known;
    const durationMs = clock.elapsed() - startedMs;
    this.record.emit({ type: 'turn/finished', end, usage, durationMs });
    // After the turn, so that nobody waits for it.
    void Promise.all([this.outputs.trim(), this.parts.changes.trim(), this.noteInIndex()]);
    await closeTurn(this.parts.hooks, { turn, end, durationMs });
    return end;
  }

  private async noteInIndex(): Promise<void> {
    await this.record.journal.flush();
    await this.options.index?.note(this.id);
  }

  private async mayWrite(): Promise<boolean> {
    // Nobody else knows a session that has no file yet.
    void this.ownership.take();
    return this.ownership.confirm();
  }

  stop(): void {
    this.running?.abort();
  }

  tasks() {
    return this.parts.background.shown();
  }

  continueInBackground(call?: string) {
    return this.parts.background.release(call);
  }

  stopRun(call?: string): boolean {
    return (call !== undefined && this.parts.background.stop(call, 'person')) || this.parts.background.stopWaited(call);
  }

  prompts() {
    return this.record.history.prompts();
  }

  rewind(turn: string): boolean {
    if (this.running || this.isReadOnly || !this.record.history.has(turn)) return false;
    this.record.emit({ type: 'conversation/rewound', to: turn });
    this.forgetWhatIsNotTold();
    return true;
  }

  get canUndoRewind(): boolean {
    return !this.running && !this.isReadOnly && this.record.history.canRestore;
  }

  undoRewind(): boolean {
    if (!this.canUndoRewind) return false;
    this.record.emit({ type: 'conversation/restored' });
    this.forgetWhatIsNotTold();
    return true;
  }

  private forgetWhatIsNotTold(): void {
    this.parts.reads.clear(); // [R04]
    this.parts.background.forgetReads();
    if (this.hookedTurn !== undefined) this.parts.hooks.hasStarted = this.record.history.has(this.hookedTurn);
  }

  title() {
    const { title: text, titledBy: by } = this.record.summary;
    return { text, ...(by && { by }) };
  }

  rename(title: string, by: 'model' | 'person'): boolean {
    if (this.isReadOnly) return false;
    this.record.emit({ type: 'session/titled', title, by });
    return true;
  }

  archive(archived: boolean): boolean {
    if (this.isReadOnly) return false;
    this.record.emit({ type: 'session/archived', archived });
    return true;
  }

  get readOnlyBecause(): string | undefined {
    return this.ownership.refusal;
  }

  private get isReadOnly(): boolean {
    return this.readOnlyBecause !== undefined;
  }

  async flush(): Promise<void> {
    await Promise.all([this.record.journal.flush(), this.outputs.flush()]);
  }

  async close(): Promise<void> {
    // First of all, so that nothing goes on in the background after this Stop.
    const closed = Promise.all([this.parts.background.close(), this.parts.hooks.close()]);
    this.stop();
    await this.turn;
    await closed;
    for (const note of this.news.runs()) this.record.emit({ type: 'note/appended', ...note });
    await Promise.all([this.flush(), this.outputs.trim(), this.parts.changes.trim()]);
    await this.ownership.release();
    this.dispose();
  }

  dispose(): void {
    void this.parts.background.close();
    this.stop();
    this.outputs.release();
    this.parts.hooks.dispose();
    void this.flush().then(() => this.ownership.release());
  }

  private async runTurn(
    prompt: { readonly text: string; readonly turn: string },
    signal: AbortSignal,
  ): Promise<TurnEnd> {
    this.parts.permissions.startTurn();
    const { host } = this.options;
    const sandbox = (await host.shell.sandbox?.()) ?? { kind: 'off' };
    await this.sayOnce.about({ host, sandbox, rules: this.parts.permissions.settings(), tools: this.options.tools });
    if (!this.parts.hooks.hasStarted) this.hookedTurn = prompt.turn;
    const refused = await openTurn(this.parts.hooks, prompt, (event) => this.record.emit(event), signal);
    if (refused !== undefined) return refused;
    const ready = await untilAborted(Promise.all([this.answering.connect(), this.head.connect()]), signal);
    if (!ready) return 'stopped';
    const [answerer, connected] = ready;
    this.answering.current = answerer;
    const { head, toolset } = await this.head.forTurn(connected);
    return runTurn({
      ...answerer,
      host,
      head,
      conversation: this.record.conversation,
      tools: turnTools(this.parts, toolset, signal),
      reads: this.parts.reads,
      signal,
      emit: (event) => this.record.emit(event),
      dueNotes: ({ isTurnStart }) => {
        const { clock, platform } = host;
        const isTrusted = host.isTrusted();
        return this.news.due({ clock, platform, isTrusted, sandbox, mode: this.currentMode, isTurnStart });
      },
    });
  }

  private reportFailure(error: unknown, signal: AbortSignal): TurnEnd {
    if (signal.aborted) return 'stopped';
    this.record.emit(failureNotice(error));
    return 'failed';
  }
}
