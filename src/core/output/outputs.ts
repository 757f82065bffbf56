// The whole outputs of a session's calls: kept in the store for good, the latest ones in memory too.
import { createHash } from 'node:crypto';
import type { Host } from '../host';
import { trimStored } from '../quota';
import { OutputMemory } from './memory';
import { decodeUtf8, wholeCharacters } from './text';
import type { OutputInfo, OutputReader } from './types';
import { OUTPUT_MAX_BYTES, OutputWriter, type EndedOutput } from './writer';

/** The most `read` answers. */
export const PIECE_BYTES = 16 * 1024;
const SCAN_BYTES = 64 * 1024;
const LINE_MAX_CHARS = 64 * 1024;
/** One output takes at most this share of the memory, so that a big one does not drive out all others. */
const ENTRY_SHARE = 0.25;
const NAME_MAX_CHARS = 80;
/** Outputs that are stored behind the back of the next request; calls that end faster than a disk writes wait for it. */
const STORING_MAX = 16;

export interface OutputsOptions {
  readonly host: Pick<Host, 'store' | 'settings' | 'log' | 'clock'>;
  readonly session: string;
  /** Shared by the sessions of a window; one of its own where absent. */
  readonly memory?: OutputMemory;
  /** 1 GiB when absent. */
  readonly maxBytes?: number;
}

export interface OpenOptions {
  /** Characters kept at each end for `EndedOutput`. */
  readonly keepChars: number;
  /** Called once, when the output has reached its maximum and what follows is dropped. */
  readonly onFull?: () => void;
}

export class Outputs implements OutputReader {
  private readonly memory: OutputMemory;
  private trimming: Promise<void> | undefined;
  private readonly writers = new Map<string, OutputWriter>();
  /** Outputs that have ended and are on their way to the store. */
  private readonly handingOver = new Set<Promise<void>>();
  /** Names that were in the store before this session wrote its first output. */
  private found: Promise<ReadonlySet<string>> | undefined;

  constructor(private readonly options: OutputsOptions) {
    this.memory = options.memory ?? new OutputMemory(options.host.settings);
    this.memory.enter(options.session);
  }

  /** Makes room on the disk, once however often it is called: what sessions that are not open have stored. Never rejects. */
  trim(): Promise<void> {
    const { store, settings, clock, log } = this.options.host;
    const quota = {
      prefix: 'outputs/',
      maxBytes: settings.get('output.diskBytes'),
      nowMs: clock.now(),
      isOpen: (session: string) => this.memory.isOpen(session),
    };
    return (this.trimming ??= trimStored(store, quota).catch((error: unknown) =>
      log.warn(`Old outputs could not be removed: ${String(error)}`),
    ));
  }

  /** The session is closed: its outputs may be removed to make room. */
  release(): void {
    this.memory.leave(this.options.session);
  }

  /** Starts the output of a call; one that there was before, of a failed attempt, is dropped. */
  open(call: string, { keepChars, onFull }: OpenOptions): OutputWriter {
    const { store, settings } = this.options.host;
    const name = this.nameOf(call);
    const previous = this.writers.get(call);
    const writer = new OutputWriter({
      store,
      name,
      keepChars,
      memoryBytes: settings.get('output.memoryBytes') * ENTRY_SHARE,
      maxBytes: this.options.maxBytes ?? OUTPUT_MAX_BYTES,
      after: this.free(name, previous),
      onFull: onFull ?? (() => {}),
    });
    this.memory.delete(this.options.session, call);
    this.writers.set(call, writer);
    return writer;
  }

  /** Ends the output: from here on it is read from memory or the store. */
  async close(call: string, writer: OutputWriter): Promise<EndedOutput> {
    const ended = await writer.end();
    // Until the store has it, it is read from the writer.
    const handedOver = writer.drained().then(() => this.handOver(call, writer, ended));
    this.handingOver.add(handedOver);
    void handedOver.then(() => this.handingOver.delete(handedOver));
    if (this.handingOver.size > STORING_MAX) await Promise.race(this.handingOver);
    return ended;
  }

  /** Resolves when every output that has ended is in the store, or could not be stored. Never rejects. */
  async flush(): Promise<void> {
    await Promise.all(this.handingOver);
  }

  /** Nothing must be stored under the name: some endpoints count calls from zero, and a session file may have lost a call. */
  private async free(name: string, previous: OutputWriter | undefined): Promise<void> {
    const { store } = this.options.host;
    // Where nothing can be listed nothing can be stored, and that is told.
    this.found ??= store.list(this.folder).then(
      (names) => new Set(names),
      () => new Set(),
    );
    if (previous) await endStored(previous);
    if (previous || (await this.found).has(name)) await store.remove(name);
  }

  private handOver(call: string, writer: OutputWriter, told: EndedOutput): void {
    if (writer.problem !== undefined && told.problem === undefined) {
      this.options.host.log.warn(`The output of ${call} could not be stored: ${writer.problem}`);
    }
    // A second attempt has begun meanwhile.
    if (this.writers.get(call) !== writer) return;
    this.writers.delete(call);
    const copy = writer.memory();
    if (copy) this.memory.set(this.options.session, call, copy);
  }

  async info(call: string): Promise<OutputInfo | undefined> {
    const writer = this.writers.get(call);
    if (writer) return { bytes: writer.bytes, isOpen: writer.isOpen };
    const { host, session } = this.options;
    const bytes = this.memory.get(session, call)?.length ?? (await this.orNothing(host.store.size(this.nameOf(call))));
    return bytes === undefined ? undefined : { bytes, isOpen: false };
  }

  async read(call: string, offset: number): Promise<{ readonly text: string; readonly next: number }> {
    const from = Math.max(0, Math.trunc(offset) || 0);
    const bytes = await this.bytes(call, from, PIECE_BYTES);
    const { start, end } = wholeCharacters(bytes, bytes.length === PIECE_BYTES);
    return { text: decodeUtf8(bytes.subarray(start, end)), next: from + end };
  }

  async *lines(call: string): AsyncGenerator<string> {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    let rest = '';
    for (let offset = 0; ;) {
      const bytes = await this.bytes(call, offset, SCAN_BYTES);
      if (bytes.length === 0) break;
      offset += bytes.length;
      const parts = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const line = withoutReturn(part);
        // A generator of its own for each line would double the time of a scan.
        if (line.length <= LINE_MAX_CHARS) yield line;
        else yield* piecesOf(line);
      }
      while (rest.length > LINE_MAX_CHARS) {
        const [piece] = piecesOf(rest);
        if (piece === undefined) break;
        rest = rest.slice(piece.length);
        yield piece;
      }
    }
    const last = rest + decoder.decode();
    if (last !== '') yield* piecesOf(last);
  }

  /** Nothing past the end, and nothing when the store fails: a miss is never an error [B02]. */
  private async bytes(call: string, offset: number, maxBytes: number): Promise<Uint8Array> {
    const writer = this.writers.get(call);
    const copy = writer ? writer.memory() : this.memory.get(this.options.session, call);
    if (copy) return copy.subarray(offset, offset + maxBytes);
    await writer?.drained();
    const stored = await this.orNothing(this.options.host.store.read(this.nameOf(call), offset, maxBytes));
    return stored ?? new Uint8Array();
  }

  private async orNothing<T>(reading: Promise<T>): Promise<T | undefined> {
    try {
      return await reading;
    } catch (error) {
      this.options.host.log.warn(`A stored output cannot be read: ${String(error)}`);
      return undefined;
    }
  }

  /** Ids come from the endpoint: one that is no plain name must not lead out of the folder. */
  private nameOf(call: string): string {
    const isPlain = /^[A-Za-z0-9][\w-]*$/.test(call) && call.length <= NAME_MAX_CHARS;
    const name = isPlain ? call : createHash('sha256').update(call).digest('hex');
    return this.folder + name;
  }

  private get folder(): string {
    return `outputs/${this.options.session}/`;
  }
}

async function endStored(writer: OutputWriter): Promise<void> {
  await writer.end();
  await writer.drained();
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** Pieces of at most LINE_MAX_CHARS, cut between characters. */
function* piecesOf(line: string): Generator<string> {
  let start = 0;
  while (line.length - start > LINE_MAX_CHARS) {
    const last = line.charCodeAt(start + LINE_MAX_CHARS - 1);
    const end = start + LINE_MAX_CHARS - (last >= 0xd800 && last <= 0xdbff ? 1 : 0);
    yield line.slice(start, end);
    start = end;
  }
  yield line.slice(start);
}
