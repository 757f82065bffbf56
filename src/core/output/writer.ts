// One output while it grows: its two ends for the result, its bytes on their way to the store, a copy in memory while it is small.
import { messageOf } from '../../common/errors';
import type { Host } from '../host';
import { ExcerptCollector, type Excerpt } from './excerpt';
import { concat, decodeUtf8, encodeUtf8, TextAssembler, wholeCharacters } from './text';

/** The most one call may put out [design 3]. */
export const OUTPUT_MAX_BYTES = 1024 ** 3;
const BATCH_BYTES = 64 * 1024;

export interface WriterOptions {
  readonly store: Host['store'];
  /** The file in the store. */
  readonly name: string;
  /** Characters kept at each end for the result. */
  readonly keepChars: number;
  /** The copy in memory is dropped beyond this. */
  readonly memoryBytes: number;
  readonly maxBytes: number;
  /** Waited for before the first byte is stored. */
  readonly after: Promise<unknown>;
  /** Called once, when the output has reached `maxBytes` and what follows is dropped. */
  onFull(): void;
}

export interface EndedOutput extends Excerpt {
  /** Why the store does not have all of it; absent when it does. */
  readonly problem?: string;
}

export class OutputWriter {
  bytes = 0;
  /** Why the store does not have all of it. */
  problem: string | undefined;
  private readonly text = new TextAssembler();
  private readonly collector: ExcerptCollector;
  private charCount = 0;
  private isFull = false;
  private isEnded = false;
  private copy: Uint8Array[] | undefined = [];
  private pending: Uint8Array[] = [];
  private pendingBytes = 0;
  private storing: Promise<void> | undefined;

  constructor(private readonly options: WriterOptions) {
    // Told with the first byte that is to be stored, if there is one.
    options.after.catch(() => {});
    this.collector = new ExcerptCollector(options.keepChars);
  }

  get chars(): number {
    return this.charCount;
  }

  get isOpen(): boolean {
    return !this.isEnded;
  }

  /** What there is of it by now. */
  soFar(): Excerpt {
    return this.collector.excerpt();
  }

  /** Dropped after the end: a run that was cut off may not know it yet. */
  write(chunk: string | Uint8Array): void {
    if (!this.isEnded && !this.isFull) this.take(this.text.push(chunk));
  }

  /** Resolves when the store has caught up; a tool with much to say awaits it, so that memory stays bounded. */
  async drained(): Promise<void> {
    while (this.pendingBytes > 0 || this.storing) await this.pump(1);
  }

  /**
   * No more will be written. Never rejects: a full disk is told as `problem`. What is no longer than the excerpt's ends is not
   * waited for: nothing of it will be cut, so the session's file holds it whole, and the next request need not wait for a disk.
   */
  async end(): Promise<EndedOutput> {
    if (!this.isEnded && !this.isFull) this.take(this.text.end());
    this.isEnded = true;
    const stored = this.drained();
    if (this.charCount > this.options.keepChars || this.copy === undefined) {
      await stored;
      this.problem ??= await this.missing();
    }
    return { ...this.collector.excerpt(), ...(this.problem === undefined ? {} : { problem: this.problem }) };
  }

  /** A store whose file was removed meanwhile goes on with a new one. */
  private async missing(): Promise<string | undefined> {
    const { store, name } = this.options;
    const size = await store.size(name).catch(() => undefined);
    return size === this.bytes ? undefined : 'a part of it was removed from the storage meanwhile';
  }

  /** The whole output, or as much of it as there is when the store has failed; undefined when only the store has it. */
  memory(): Uint8Array | undefined {
    if (this.copy === undefined) return undefined;
    if (this.copy.length > 1) this.copy = [concat(this.copy)];
    return this.copy[0] ?? new Uint8Array();
  }

  private take(text: string): void {
    if (text === '') return;
    const encoded = encodeUtf8(text);
    const room = this.options.maxBytes - this.bytes;
    if (encoded.length <= room) return this.keep(text, encoded);
    this.isFull = true;
    const fitting = encoded.subarray(0, wholeCharacters(encoded.subarray(0, room), true).end);
    this.keep(decodeUtf8(fitting), fitting);
    this.options.onFull();
  }

  private keep(text: string, encoded: Uint8Array): void {
    this.charCount += text.length;
    this.bytes += encoded.length;
    this.collector.push(text);
    if (this.bytes <= this.options.memoryBytes) this.copy?.push(encoded);
    else if (this.problem === undefined) this.copy = undefined;
    if (this.problem !== undefined) return;
    this.pending.push(encoded);
    this.pendingBytes += encoded.length;
    void this.pump(BATCH_BYTES);
  }

  /** One append at a time; what comes meanwhile goes with the next one. */
  private pump(atLeastBytes: number): Promise<void> {
    if (this.pendingBytes < atLeastBytes) return this.storing ?? Promise.resolve();
    this.storing ??= this.storeAll().finally(() => (this.storing = undefined));
    return this.storing;
  }

  private async storeAll(): Promise<void> {
    const { store, name, after } = this.options;
    try {
      await after;
      while (this.pendingBytes > 0) {
        const batch = concat(this.pending);
        this.pending = [];
        this.pendingBytes = 0;
        await store.append(name, batch);
      }
    } catch (error) {
      this.problem = messageOf(error);
      this.pending = [];
      this.pendingBytes = 0;
    }
  }
}
