// Runs that outlive their call: they go on after Stop until they end, are stopped or the session closes, and the model is told how each ended.

/** Beyond this a run is ended by Stop like any other: nobody watches what goes on in the background. */
export const BACKGROUND_MAX = 8;

export interface BackgroundRun {
  /** The call that started it; its output is open in the store under this id. */
  readonly call: string;
  readonly tool: string;
  readonly title: string;
  /** Resolves with what the model is told when it has ended and its output is stored. Never rejects. */
  readonly ended: Promise<string>;
  /** Ends it within the grace that any run has. */
  stop(): void;
}

/** What a note about the run is filed under. */
export function aboutRun(call: string): string {
  return `run ${call}`;
}

/** For a run of an earlier process. */
export function lostRunText(call: string): string {
  return `The background run ${call} ended with Lathe itself. What it had put out is stored: read it with output.`;
}

/** How a run ended. */
export interface RunEnd {
  readonly call: string;
  readonly text: string;
}

/** Held state of one session's runs in the background. */
export class Background {
  private readonly runs = new Map<string, BackgroundRun>();
  private ended: RunEnd[] = [];
  private isClosed = false;

  /** Without room a run ends with Stop. */
  get hasRoom(): boolean {
    return !this.isClosed && this.runs.size < BACKGROUND_MAX;
  }

  add(run: BackgroundRun): void {
    this.runs.set(run.call, run);
    void run.ended.then((text) => {
      this.runs.delete(run.call);
      this.ended.push({ call: run.call, text });
    });
  }

  /** What goes on now, the longest first. */
  list(): readonly BackgroundRun[] {
    return [...this.runs.values()];
  }

  /** False when nothing goes on under this id. */
  stop(call: string): boolean {
    const run = this.runs.get(call);
    run?.stop();
    return run !== undefined;
  }

  /** How runs ended that nobody was told of yet; each is answered once. */
  takeEnded(): readonly RunEnd[] {
    const ended = this.ended;
    this.ended = [];
    return ended;
  }

  /** Nothing goes on from here. Resolves when all have ended. */
  async close(): Promise<void> {
    this.isClosed = true;
    const open = this.list();
    for (const run of open) run.stop();
    await Promise.all(open.map(({ ended }) => ended));
  }
}
