// Runs that outlive their call: they go on until they end, are stopped or the session closes, and the model is told how each ended.
import type { Display } from '../../common/display';
import type { ToolStatus } from '../../common/events';
import { TAIL_MAX_CHARS, type Task } from '../../common/tasks';
import type { StoppedBy } from './cut';
import type { ReadMark, Tasks } from './tool';

/** Beyond this nothing more goes into the background: nobody can watch it all. */
export const BACKGROUND_MAX = 8;
/** Ended ones that are still listed. */
const ENDED_MAX = 20;

/** A run whose call waits for it. */
export interface ForegroundRun {
  readonly call: string;
  readonly title: string;
  /** It goes into the background by itself, and room is kept for it. */
  readonly takesRoom: boolean;
  /** Its call is answered, it goes on. */
  release(): void;
  /** Ends it within the grace that any run has. */
  stop(by: StoppedBy): void;
}

export interface BackgroundRun {
  /** The call that started it; its output is open in the store under this id. */
  readonly call: string;
  readonly title: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Resolves when it has ended and its output is stored. Never rejects. */
  readonly ended: Promise<RunOutcome>;
  /** The newest that it shows. */
  display(): Display | undefined;
  stop(by: StoppedBy): void;
}

/** How a run ended. */
export interface RunOutcome {
  readonly status: ToolStatus;
  /** What the model is told. */
  readonly text: string;
  /** Epoch milliseconds. */
  readonly endedAt: number;
}

/** What a note about the run is filed under. */
export function aboutRun(call: string): string {
  return `run ${call}`;
}

/** For a run of an earlier process. */
export function lostRunText(call: string): string {
  return `The background run ${call} ended with Lathe itself. What it had put out is stored: read it with output.`;
}

/** What the model is told of a run. */
export interface RunEnd {
  readonly call: string;
  readonly text: string;
}

/** Held state of one session's runs, those whose calls wait and those in the background. */
export class Background implements Tasks {
  private readonly waited = new Map<string, ForegroundRun>();
  private readonly runs = new Map<string, BackgroundRun>();
  private readonly ended = new Map<string, Task>();
  private untold: RunEnd[] = [];
  /** Of calls that are about to be answered while their run goes on. */
  private readonly unanswered = new Map<string, () => void>();
  private readonly marks = new Map<string, ReadMark>();
  /** Ended ones that the person has had before them at a prompt. */
  private readonly seen = new Set<string>();
  private isClosed = false;

  /** `onChanged` is told whenever `list` would be another one, as often as that is. */
  constructor(private readonly onChanged: () => void = () => {}) {}

  get hasRoom(): boolean {
    return !this.isClosed && this.runs.size + this.expected().length < BACKGROUND_MAX;
  }

  noRoom(): string | undefined {
    if (this.hasRoom) return undefined;
    if (this.isClosed) return 'The session is being closed: nothing can be started in the background any more.';
    const names = [...this.runs.values(), ...this.expected()].map(({ call, title }) => `${call} (${title})`).join(', ');
    return `At most ${BACKGROUND_MAX} runs go on in the background. Now there are ${names}. End one with stop first, or run this without run_in_background.`;
  }

  /** Answers how to say that it is not waited for any more. */
  wait(run: ForegroundRun): () => void {
    this.waited.set(run.call, run);
    return () => this.waited.delete(run.call);
  }

  add(run: BackgroundRun): void {
    this.runs.set(run.call, run);
    this.onChanged();
    void run.ended.then((outcome) => {
      this.runs.delete(run.call);
      this.untold.push({ call: run.call, text: outcome.text });
      this.keep(endedTask(run, outcome));
      this.onChanged();
    });
  }

  /** Resolves when the call of a run that goes on has been answered: its end is told after that. */
  untilAnswered(call: string): Promise<void> {
    return new Promise((resolve) => this.unanswered.set(call, resolve));
  }

  answered(call: string): void {
    this.unanswered.get(call)?.();
    this.unanswered.delete(call);
  }

  /** What it shows is new. */
  changed(): void {
    this.onChanged();
  }

  list(): readonly Task[] {
    return [...this.ended.values(), ...[...this.runs.values()].map(runningTask)];
  }

  /** What the person should see: what goes on, and what has ended since their last prompt. */
  shown(): readonly Task[] {
    return this.list().filter(({ id }) => !this.seen.has(id));
  }

  /** The person has prompted: what has ended before is known. */
  markSeen(): void {
    for (const id of this.ended.keys()) this.seen.add(id);
    this.onChanged();
  }

  whenEnded(id: string): Promise<RunOutcome> | undefined {
    return this.runs.get(id)?.ended;
  }

  stop(id: string, by: StoppedBy = 'model'): boolean {
    const run = this.runs.get(id);
    run?.stop(by);
    return run !== undefined;
  }

  /** Ends one whose call waits, the newest where none is named. False when there is none such. */
  stopWaited(id?: string): boolean {
    const run = this.waitedRun(id);
    run?.stop('person');
    return run !== undefined;
  }

  /** Lets one go on in the background, the newest where none is named. */
  release(id?: string): 'released' | 'none' | 'full' {
    const run = this.waitedRun(id);
    if (!run) return 'none';
    if (!run.takesRoom && !this.hasRoom) return 'full';
    run.release();
    return 'released';
  }

  lastRead(id: string): ReadMark | undefined {
    return this.marks.get(id);
  }

  markRead(id: string, mark: ReadMark): void {
    this.marks.set(id, mark);
  }

  /** The model does not have before it what it has read. */
  forgetReads(): void {
    this.marks.clear();
  }

  /** How runs ended that nobody was told of yet; each is answered once. */
  takeEnded(): readonly RunEnd[] {
    const ended = this.untold;
    this.untold = [];
    return ended;
  }

  /** Nothing goes on from here. Resolves when all have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    const open = [...this.runs.values()];
    for (const run of open) run.stop('close');
    await Promise.all(open.map(({ ended }) => ended));
  }

  private expected(): readonly ForegroundRun[] {
    return [...this.waited.values()].filter(({ takesRoom }) => takesRoom);
  }

  private waitedRun(id: string | undefined): ForegroundRun | undefined {
    return id === undefined ? [...this.waited.values()].at(-1) : this.waited.get(id);
  }

  private keep(task: Task): void {
    this.ended.set(task.id, task);
    const [oldest] = this.ended.keys();
    if (this.ended.size > ENDED_MAX && oldest !== undefined) this.ended.delete(oldest);
  }
}

function runningTask(run: BackgroundRun): Task {
  const { call: id, title, startedAt } = run;
  return { id, kind: 'run', title, state: 'running', startedAt, ...tailOf(run.display()) };
}

function endedTask(run: BackgroundRun, { status, endedAt }: RunOutcome): Task {
  const display = run.display();
  const exit = display?.kind === 'shell' ? display.exit : undefined;
  return { ...runningTask(run), state: 'ended', endedAt, status, ...(exit ? { exitCode: exit.code } : {}) };
}

/** Whole lines as far as there are any. */
function tailOf(display: Display | undefined): Pick<Task, 'tail' | 'moreChars'> {
  const tail = lastLines(endOf(display));
  return { tail, moreChars: charsOf(display) - tail.length };
}

function endOf(display: Display | undefined): string {
  if (display?.kind === 'shell') return display.tail;
  return display?.kind === 'text' ? (display.tail ?? display.text) : '';
}

function charsOf(display: Display | undefined): number {
  if (display?.kind === 'shell') return display.moreChars + display.tail.length;
  if (display?.kind !== 'text') return 0;
  return display.text.length + (display.moreChars ?? 0) + (display.tail?.length ?? 0);
}

function lastLines(text: string): string {
  if (text.length <= TAIL_MAX_CHARS) return text;
  const end = text.slice(-TAIL_MAX_CHARS);
  const line = end.indexOf('\n') + 1;
  return line > 0 && line < end.length ? end.slice(line) : end.replace(/^[\udc00-\udfff]/, '');
}
