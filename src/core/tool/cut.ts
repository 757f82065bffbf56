// Ends a run from outside: Stop when the tool lets it, its time limit, an output that fills the store.
import { onAbort } from '../onAbort';
import type { Tool } from './tool';
import type { TurnTools } from './turnTools';

/** A run that is ended may say how far it came; who does not within this time is not waited for. */
const GRACE_MS = 200;

/** Who ends it, other than the run itself. */
export type StoppedBy = 'person' | 'model' | 'close';

export type CutReason = StoppedBy | 'timeout' | 'full';

export interface Cut {
  /** For the tool. */
  readonly signal: AbortSignal;
  /** Why the run was to end; undefined while it may go on. */
  readonly reason: () => CutReason | undefined;
  /** Resolves when the run was to end and has had its grace. */
  readonly passed: Promise<'cut'>;
  end(reason: CutReason): void;
  /** Its call is answered and it goes on: Stop does not end it any more. */
  letGo(): void;
  /** The run is over: nothing can end it any more. */
  release(): void;
}

export function armCut({ interrupt, limits }: Tool, { signal: stop, host: { clock } }: TurnTools): Cut {
  const ending = new AbortController();
  const released = new AbortController();
  let reason: CutReason | undefined;
  const passed = new Promise<'cut'>((resolve) => {
    const allowGrace = (): void => void clock.sleep(GRACE_MS, released.signal).then(() => resolve('cut'));
    ending.signal.addEventListener('abort', allowGrace, { once: true });
  });
  const end = (why: CutReason): void => {
    if (released.signal.aborted) return;
    reason ??= why;
    ending.abort();
  };
  const unhook = interrupt === 'error' ? onAbort(stop, () => end('person')) : (): void => {};
  if (limits.timeoutMs !== undefined) void clock.sleep(limits.timeoutMs, released.signal).then(() => end('timeout'));
  const release = (): void => {
    unhook();
    // With a reason, since making an error for each call is a waste.
    released.abort('released');
  };
  return { signal: ending.signal, reason: () => reason, passed, end, letGo: unhook, release };
}
