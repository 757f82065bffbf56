// The calls of one assistant message: when each may start, and their results in call order.
import { loadTools, readsOnly, refuseCall, runToolCall } from './orchestrator';
import type { ToolCall } from './tool';
import type { ToolResult, TurnTools } from './turnTools';

interface Entry {
  readonly call: ToolCall;
  readonly result: Promise<ToolResult>;
  settle(result: Promise<ToolResult>): void;
}

/**
 * A call that only reads starts while the model still writes, provided that every earlier call of the message only reads
 * too; all others start when the message is complete. That gives the same outcome as running them one by one [O15, O18],
 * and no call is ever run twice.
 *
 * The end of the stream is told once: `complete()` when the stop reason is known and fine, else `abandon()`.
 */
export class MessageCalls {
  private readonly entries: Entry[] = [];
  private readonly loaded: Promise<void>;
  private isLoaded = false;
  private startedCount = 0;
  /** Aborts with the reason, worded for the model, when nothing more may start. */
  private readonly ending = new AbortController();
  private readonly starts: AbortSignal;
  private end: 'open' | 'complete' | { readonly reason: string } = 'open';

  constructor(private readonly turn: TurnTools) {
    this.starts = AbortSignal.any([turn.signal, this.ending.signal]);
    // Each call waits for the same and reports what went wrong.
    this.loaded = loadTools(turn).catch(() => {});
  }

  get size(): number {
    return this.entries.length;
  }

  /** When the call's block is complete. */
  add(call: ToolCall): void {
    let settle: Entry['settle'] = () => {};
    const result = new Promise<ToolResult>((resolve) => (settle = resolve));
    this.entries.push({ call, result, settle });
    void this.startWhatMay();
  }

  complete(): void {
    if (this.end === 'open') this.end = 'complete';
    void this.startWhatMay();
  }

  /**
   * The stream broke, the message was cut, or the person stopped the turn: what has not begun to run never will, whether it
   * waits for its turn or for a person, and its result gives `reason`, worded for the model. What runs goes on and its
   * result counts; only the turn's signal ends it.
   */
  abandon(reason: string): void {
    if (this.end === 'open') {
      this.end = { reason };
      this.ending.abort(reason);
    }
    void this.startWhatMay();
  }

  /** In call order, whichever finished first; waits for all calls added so far. Never rejects. */
  results(): Promise<ToolResult[]> {
    return Promise.all(this.entries.map(({ result }) => result));
  }

  private async startWhatMay(): Promise<void> {
    // Whether a call only reads is a question to its tool, which may need its parser first.
    if (!this.isLoaded) await this.loaded;
    this.isLoaded = true;
    for (let entry = this.entries[this.startedCount]; entry; entry = this.entries[this.startedCount]) {
      if (this.end === 'open' && !readsOnly(entry.call, this.turn)) return;
      this.startedCount++;
      entry.settle(this.start(entry.call));
    }
  }

  private start(call: ToolCall): Promise<ToolResult> {
    if (typeof this.end === 'string') return runToolCall(call, this.turn, this.starts);
    return Promise.resolve(refuseCall(call, this.end.reason, this.turn));
  }
}
