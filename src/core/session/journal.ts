// The session file: every event that is not transient, one line each, appended in order and never rewritten.
import { messageOf } from '../../common/errors';
import type { AgentEvent } from '../../common/events';
import type { Ids } from '../host';
import type { Store } from '../store';

export const ENTRY_VERSION = 1;

export interface JournalOptions {
  readonly store: Pick<Store, 'append'>;
  readonly ids: Ids;
  /** Of the file. */
  readonly name: string;
  /** Called when writing fails for the first time, and when it works again. Must not throw; may add further events. */
  onTrouble(reason: string): void;
  onRecovery(): void;
}

export function sessionFile(id: string): string {
  return `sessions/${id}.jsonl`;
}

/** `v`, `id` and `type` come first, so that a line can be judged by its head. */
export function entryLine(ids: Ids, event: AgentEvent): string {
  const { type, ...rest } = event;
  return `${JSON.stringify({ v: ENTRY_VERSION, id: ids.next('e'), type, ...rest })}\n`;
}

/** Held state: the lines on their way to the disk. What cannot be written stays in memory and goes with the next event. */
export class Journal {
  private lines: string[] = [];
  private writing: Promise<void> | undefined;
  private isHeld = true;
  private isInTrouble = false;

  constructor(private readonly options: JournalOptions) {}

  add(event: AgentEvent): void {
    this.lines.push(entryLine(this.options.ids, event));
    this.write();
  }

  /** Nothing is written before this: a session that was opened and never used leaves no file. */
  release(): void {
    this.isHeld = false;
    this.write();
  }

  /** Resolves when all lines have been written, or when writing has failed once more. Never rejects. */
  async flush(): Promise<void> {
    this.write();
    while (this.writing) await this.writing;
  }

  /** Lines of one tick are one write. */
  private write(): void {
    if (this.writing || this.isHeld || this.lines.length === 0) return;
    this.writing = Promise.resolve()
      .then(() => this.writeLines())
      .then((didWrite) => {
        this.writing = undefined;
        if (didWrite) this.write();
      });
  }

  private async writeLines(): Promise<boolean> {
    const lines = this.lines;
    this.lines = [];
    // After a failure the file may end in half a line.
    const data = (this.isInTrouble ? '\n' : '') + lines.join('');
    try {
      await this.options.store.append(this.options.name, data);
    } catch (error) {
      this.lines = [...lines, ...this.lines];
      const isFirst = !this.isInTrouble;
      this.isInTrouble = true;
      if (isFirst) this.options.onTrouble(messageOf(error));
      return false;
    }
    const hasRecovered = this.isInTrouble;
    this.isInTrouble = false;
    if (hasRecovered) this.options.onRecovery();
    return true;
  }
}
