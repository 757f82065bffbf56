// The protocol over the pipes of a program: one JSON message per line. Written out here because the SDK's own transport
// passes on more of the environment than a server may see (S61) and ends only the program itself, not what it started (R54).
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import type { Program, ProgramSpec, StartProgram } from '../program';

/** One message may be this long; a server that sends a longer one is ended, so that memory stays bounded (R50). */
const MESSAGE_MAX_CHARS = 10 * 1024 * 1024;

const JUNK_SHOWN_CHARS = 200;

export interface StdioOptions {
  readonly start: StartProgram;
  readonly spec: Omit<ProgramSpec, 'onOutput' | 'onErrorOutput' | 'onExit'>;
  onErrorOutput(bytes: Uint8Array): void;
  readonly maxMessageChars?: number;
}

/** Held state: the running program and the line that has not ended yet. */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** How it ended, in words; undefined while it runs. */
  ended: string | undefined;
  private program: Program | undefined;
  private starting: Promise<void> | undefined;
  private readonly decoder = new TextDecoder();
  private pieces: string[] = [];
  private pendingChars = 0;

  constructor(private readonly options: StdioOptions) {}

  start(): Promise<void> {
    return (this.starting ??= this.startProgram());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (!this.program || this.ended !== undefined) throw new Error('The server has ended.');
    await this.program.write(`${JSON.stringify(message)}\n`);
  }

  /** Also ends a program that is only just being started. */
  async close(): Promise<void> {
    await this.starting?.catch(() => {});
    await this.program?.end();
  }

  private async startProgram(): Promise<void> {
    const { start, spec } = this.options;
    const started = await start({
      ...spec,
      onErrorOutput: (bytes) => this.options.onErrorOutput(bytes),
      onOutput: (bytes) => this.take(bytes),
      onExit: (how) => {
        this.ended ??= `it ended with ${how}`;
        this.onclose?.();
      },
    });
    if (!started.ok) throw new Error(started.reason);
    this.program = started.program;
  }

  private take(bytes: Uint8Array): void {
    if (this.ended !== undefined) return;
    const lines = this.decoder.decode(bytes, { stream: true }).split('\n');
    const rest = lines.pop() ?? '';
    for (const line of lines) {
      this.pieces.push(line);
      const whole = this.pieces.join('');
      this.pieces = [];
      this.pendingChars = 0;
      this.takeLine(whole);
    }
    if (rest === '') return;
    this.pieces.push(rest);
    this.pendingChars += rest.length;
    if (this.pendingChars > (this.options.maxMessageChars ?? MESSAGE_MAX_CHARS)) this.giveUp();
  }

  private takeLine(line: string): void {
    if (line.trim() === '') return;
    const message = parseMessage(line);
    if (message) this.onmessage?.(message);
    else this.onerror?.(new Error(`a line that is no message: ${JSON.stringify(line.slice(0, JUNK_SHOWN_CHARS))}`));
  }

  private giveUp(): void {
    this.ended = `it sent a message of more than ${this.options.maxMessageChars ?? MESSAGE_MAX_CHARS} characters`;
    this.pieces = [];
    void this.close();
  }
}

function parseMessage(line: string): JSONRPCMessage | undefined {
  try {
    return JSONRPCMessageSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined;
  }
}
