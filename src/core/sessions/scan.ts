// Looks through a session file for the few lines that matter, without keeping or parsing the others.
import type { AgentEvent } from '../../common/events';
import type { Store } from '../store';
import { concat } from '../output/text';
import { parseLine } from '../session/load';

export interface Scan {
  readonly name: string;
  /** Where a line begins; 0 where absent. */
  readonly from?: number;
  /** By what `lineHead` finds. A line whose head is not as the journal writes it is always wanted. */
  readonly isWanted: (head: LineHead) => boolean;
}

export interface LineHead {
  readonly version: number;
  readonly type: string;
}

const CHUNK_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;
const HEAD_BYTES = 128;
/** A prompt may hold pictures. What is longer is left out: no string can take it. */
const LINE_MAX_BYTES = 256 * 1024 * 1024;

/** The whole lines that are wanted. Returns where the last whole line ends; a torn one begins there. Rejects when the store fails. */
export async function* scanLines(store: Pick<Store, 'read'>, scan: Scan): AsyncGenerator<string, number> {
  let end = scan.from ?? 0;
  let line = new LinePieces(scan.isWanted);
  for (let offset = end; ;) {
    const chunk = await store.read(scan.name, offset, CHUNK_BYTES);
    if (chunk.length === 0) return end;
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      line.add(chunk.subarray(start, at));
      const text = line.text();
      if (text !== undefined) yield text;
      line = new LinePieces(scan.isWanted);
      start = at + 1;
      end = offset + start;
    }
    line.add(chunk.subarray(start));
    offset += chunk.length;
  }
}

/** The events of those lines. */
export async function* scanEvents(store: Pick<Store, 'read'>, scan: Scan): AsyncGenerator<AgentEvent, number> {
  const lines = scanLines(store, scan);
  for (;;) {
    const { done, value } = await lines.next();
    if (done) return value;
    yield* parseLine(value);
  }
}

/** Undefined where a line does not begin as the journal writes it. */
function lineHead(text: string): LineHead | undefined {
  const [, version, type] = /^\{"v":(\d+),"id":"[\w-]*","type":"([\w/]+)"/.exec(text) ?? [];
  return version === undefined || type === undefined ? undefined : { version: Number(version), type };
}

const decoder = new TextDecoder();

/** Held state: what there is of one line, for as long as it may be wanted. */
class LinePieces {
  private readonly pieces: Uint8Array[] = [];
  private bytes = 0;
  private isJudged = false;
  private isDropped = false;

  constructor(private readonly isWanted: Scan['isWanted']) {}

  add(piece: Uint8Array): void {
    if (this.isDropped || piece.length === 0) return;
    this.pieces.push(piece);
    this.bytes += piece.length;
    if (!this.isJudged && this.bytes >= HEAD_BYTES) this.judge();
    if (this.bytes > LINE_MAX_BYTES) this.drop();
  }

  /** Undefined where it is not wanted. */
  text(): string | undefined {
    if (!this.isJudged) this.judge();
    if (this.isDropped || this.bytes === 0) return undefined;
    return decoder.decode(concat(this.pieces));
  }

  private judge(): void {
    this.isJudged = true;
    const head = lineHead(decoder.decode(concat(this.pieces).subarray(0, HEAD_BYTES)));
    if (head && !this.isWanted(head)) this.drop();
  }

  private drop(): void {
    this.isDropped = true;
    this.pieces.length = 0;
  }
}
