// Lets calls in, first come, first served: shared ones overlap up to a limit, one that runs alone waits for all before it and holds up all after it.
import { onAbort } from '../onAbort';

export type Entry = 'alone' | 'shared';

interface Waiting {
  readonly entry: Entry;
  enter(): void;
}

/** Held state of one agent's running and waiting calls. */
export class Gate {
  private readonly waiting: Waiting[] = [];
  private running = 0;
  private isHeldAlone = false;

  /** `limit` is asked at each entry: how many shared calls may overlap, at least one. */
  constructor(private readonly limit: () => number) {}

  /**
   * Calls `work` when its turn has come and answers what it answers, or undefined, without calling it, when `signal`
   * aborts before that. Its place is free again when its promise settles.
   */
  run<T>(entry: Entry, work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(place), 1);
        resolve(undefined);
        this.admit();
      };
      const release = onAbort(signal, leave);
      const place: Waiting = {
        entry,
        enter: () => {
          release();
          // Stopped in the same moment as the call that held this one up.
          if (signal.aborted) return resolve(undefined);
          this.hold(entry, work).then(resolve, reject);
        },
      };
      this.waiting.push(place);
      this.admit();
    });
  }

  private async hold<T>(entry: Entry, work: () => Promise<T>): Promise<T> {
    this.running++;
    this.isHeldAlone = entry === 'alone';
    try {
      return await work();
    } finally {
      this.running--;
      this.isHeldAlone = false;
      this.admit();
    }
  }

  /** Strictly in order: a shared call never overtakes one that waits to run alone, or that one could wait for ever. */
  private admit(): void {
    for (let next = this.waiting[0]; next && this.hasRoomFor(next.entry); next = this.waiting[0]) {
      this.waiting.shift();
      next.enter();
    }
  }

  private hasRoomFor(entry: Entry): boolean {
    if (entry === 'alone') return this.running === 0;
    return !this.isHeldAlone && this.running < Math.max(1, this.limit());
  }
}
