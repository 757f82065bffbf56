// Who writes a session's file: one window at a time; any other shows the session as it finds it and leaves the file alone.
import { messageOf } from '../../common/errors';
import type { Host } from '../host';
import type { StoreLock } from '../store';

/** Why a session is only read, as a sentence for the person. */
const OPEN_ELSEWHERE =
  'This session is open in another window. It is shown as it was when you opened it. Go on with it there, or close it there and reload this window.';
const TAKEN_OVER =
  'Another window has taken this session over in the meantime. Go on with it there, or close it there and reload this window.';
const WRITTEN_BY_NEWER =
  'A newer version of Lathe has written in this session. It is shown as far as this version knows it, and its file is left alone. Update Lathe to go on with it.';

export function sessionLock(id: string): string {
  return `locks/${id}`;
}

/** Held state of an open session. Nothing in it rejects: a store that takes no locks (a full disk, say) stops nobody. */
export class Ownership {
  /** Why nothing may be written. */
  refusal: string | undefined;
  private lock: StoreLock | undefined;
  private taking: Promise<void> | undefined;

  constructor(
    private readonly id: string,
    private readonly host: Pick<Host, 'store' | 'log'>,
  ) {}

  /** Once, however often it is called. */
  take(): Promise<void> {
    return (this.taking ??= this.acquire());
  }

  /** Of a file that this version must not append to. */
  async renounce(): Promise<void> {
    this.refusal ??= WRITTEN_BY_NEWER;
    await this.release();
  }

  /** Asked before each turn and told of each step: a lock that is used is known to be alive. */
  async confirm(): Promise<boolean> {
    if (this.refusal !== undefined) return false;
    if (this.lock && !(await this.lock.isHeld())) {
      this.lock = undefined;
      this.refusal = TAKEN_OVER;
    }
    return this.refusal === undefined;
  }

  async release(): Promise<void> {
    await this.taking;
    const { lock } = this;
    this.lock = undefined;
    await lock?.release().catch((error: unknown) => this.tell(error));
  }

  private async acquire(): Promise<void> {
    try {
      this.lock = await this.host.store.lock(sessionLock(this.id));
      if (!this.lock) this.refusal = OPEN_ELSEWHERE;
    } catch (error) {
      this.tell(error);
    }
  }

  private tell(error: unknown): void {
    this.host.log.warn(`The lock of the session ${this.id} failed: ${messageOf(error)}`);
  }
}
