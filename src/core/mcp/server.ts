// One server of the person's: started when it is needed, called, and started again after it was lost.
import { messageOf } from '../../common/errors';
import type { JsonObject } from '../../common/json';
import type { Clock, Log } from '../host';
import { redact } from '../secrets/redact';
import type { Tool } from '../tool/tool';
import { untilAborted } from '../untilAborted';
import type { ServerConfig } from './config';
import type { CallOptions, CallOutcome, Connect, McpConnection } from './connection';
import { Tail } from './text';
import { usableTools, type UsableTools } from './tools';

export interface ServerLimits {
  /** For starting, shaking hands and listing the tools. Source: [R50]. */
  readonly startMs: number;
  /** For one call, counted from the last sign of progress. */
  readonly callMs: number;
}

export interface ServerOptions {
  readonly config: ServerConfig;
  readonly connect: Connect;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: ServerLimits;
}

/** What is kept of a server's standard error. Source: [R50]. */
const ERROR_OUTPUT_CHARS = 64 * 1024;
const LAST_WORDS_CHARS = 300;

/** Changes of the list that follow each other closely are one. */
const RELIST_MS = 100;

/** The wait before the next start by the number of failures in a row: none after the first. Source: [R51]. */
const BACKOFF_MS = [0, 0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000];

/** Held state of one server. Nothing in here rejects for what the server does. */
export class McpServer {
  /** As of the last time they were listed; still there while the server is not, since calling one starts it again. */
  tools: readonly Tool[] = [];
  private problems: readonly string[] = [];
  private connection: McpConnection | undefined;
  private opening: Promise<McpConnection | undefined> | undefined;
  private readonly closing = new AbortController();
  /** What is left of lost connections is being ended. */
  private readonly leaving = new Set<Promise<void>>();
  private readonly errorOutput = new Tail(ERROR_OUTPUT_CHARS);
  private listing: Promise<void> | undefined;
  private isListOld = false;
  private failures = 0;
  private retryAtMs = -Infinity;
  private lostBecause = 'it was not started';

  constructor(private readonly options: ServerOptions) {}

  /** Resolves when the server's tools are known or it is known that they are not. */
  async start(): Promise<void> {
    await this.open();
  }

  /** For the person: why the server, or some of its tools, cannot be used now. */
  complaints(): readonly string[] {
    if (!this.opening) return this.problems;
    return [`The MCP server ${this.options.config.name} is still starting; its tools are found by search once it has.`];
  }

  async call(tool: string, input: JsonObject, call: CallOptions): Promise<CallOutcome> {
    const connection = await untilAborted(this.open(), call.signal);
    if (call.signal.aborted) return { kind: 'stopped' };
    if (!connection) return { kind: 'unavailable', reason: this.lostBecause };
    const outcome = await connection.callTool(tool, input, { ...call, limitMs: this.options.limits.callMs });
    if (outcome.kind === 'lost') this.lose(connection, outcome.reason);
    else if (outcome.kind === 'answer' || outcome.kind === 'refused') this.failures = 0;
    return outcome;
  }

  async close(): Promise<void> {
    this.closing.abort();
    await this.opening;
    const { connection } = this;
    this.connection = undefined;
    this.lostBecause = 'Lathe has ended it';
    await Promise.all([connection?.close(), ...this.leaving]);
  }

  private open(): Promise<McpConnection | undefined> {
    if (this.connection) return Promise.resolve(this.connection);
    return (this.opening ??= this.tryToOpen().finally(() => (this.opening = undefined)));
  }

  private async tryToOpen(): Promise<McpConnection | undefined> {
    const { clock, limits, config, log } = this.options;
    if (this.closing.signal.aborted || clock.elapsed() < this.retryAtMs) return undefined;
    const done = new AbortController();
    const late = new AbortController();
    void clock.sleep(limits.startMs, done.signal).then(() => !done.signal.aborted && late.abort());
    try {
      const connection = await this.connectAndList(AbortSignal.any([late.signal, this.closing.signal]));
      log.info(`The MCP server ${config.name} is connected: ${this.tools.length} tools.`);
      return connection;
    } catch (error) {
      if (this.closing.signal.aborted) return undefined;
      const reason = messageOf(error);
      const why = late.signal.aborted ? `it did not answer within ${limits.startMs / 1000} s` : reason;
      this.fail(`The MCP server ${config.name} could not be started`, why);
      return undefined;
    } finally {
      done.abort();
    }
  }

  private async connectAndList(signal: AbortSignal): Promise<McpConnection> {
    const { config, connect, log } = this.options;
    const opened: { connection?: McpConnection } = {};
    let closed: string | undefined;
    let hasJunk = false;
    this.errorOutput.clear();
    const connection = await connect(config, {
      signal,
      onErrorOutput: (bytes) => this.errorOutput.push(bytes),
      onToolsChanged: () => {
        this.isListOld = true;
        if (opened.connection) void this.listAgain(opened.connection);
      },
      onJunk: (what) => {
        if (!hasJunk) log.warn(`The MCP server ${config.name} sent something that is left unread: ${what}`);
        hasJunk = true;
      },
      onClosed: (reason) => {
        closed = reason;
        if (opened.connection) this.lose(opened.connection, reason);
      },
    });
    try {
      const { tools, problems } = await this.list(connection, signal);
      signal.throwIfAborted();
      if (closed !== undefined) throw new Error('it closed the connection');
      this.tools = tools;
      this.problems = problems;
    } catch (error) {
      const why = closed === undefined ? error : new Error(closed);
      await connection.close();
      throw why;
    }
    opened.connection = connection;
    this.connection = connection;
    if (this.isListOld) void this.listAgain(connection);
    return connection;
  }

  private async list(connection: McpConnection, signal: AbortSignal): Promise<UsableTools> {
    const { config, clock, log } = this.options;
    this.isListOld = false;
    const listed = await connection.listTools(signal);
    const call: McpServer['call'] = (...args) => this.call(...args);
    const usable = await usableTools(listed, { config, clock, call });
    for (const problem of usable.problems) log.warn(problem);
    return usable;
  }

  /** However often a server says that its list has changed, it is asked once at a time and not at once. */
  private listAgain(connection: McpConnection): Promise<void> {
    this.isListOld = true;
    return (this.listing ??= this.listWhileOld(connection).finally(() => (this.listing = undefined)));
  }

  private async listWhileOld(connection: McpConnection): Promise<void> {
    const { config, clock, log } = this.options;
    const { signal } = this.closing;
    while (this.isListOld && !signal.aborted) {
      await clock.sleep(RELIST_MS, signal);
      try {
        const { tools, problems } = await this.list(connection, signal);
        if (this.connection !== connection) return;
        this.tools = tools;
        this.problems = problems;
      } catch (error) {
        const reason = messageOf(error);
        log.warn(`The MCP server ${config.name} has changed its tools, and they cannot be listed: ${reason}`);
      }
    }
  }

  private lose(connection: McpConnection, reason: string): void {
    if (this.connection !== connection) return;
    this.connection = undefined;
    this.fail(`The MCP server ${this.options.config.name} was lost`, reason);
    const left = connection.close().finally(() => this.leaving.delete(left));
    this.leaving.add(left);
  }

  private fail(what: string, reason: string): void {
    const { clock, log } = this.options;
    this.failures++;
    this.retryAtMs = clock.elapsed() + (BACKOFF_MS[Math.min(this.failures, BACKOFF_MS.length - 1)] ?? 0);
    this.lostBecause = reason;
    // Before it is cut: half a key is not known for one any more.
    const said = redact(this.errorOutput.read().trim());
    log.warn(`${what}: ${reason}${said === '' ? '' : `\nIt wrote to its standard error:\n${said}`}`);
    this.problems = [`${what}: ${reason}${said === '' ? '' : `. It wrote: ${lastLines(said)}`}`];
  }
}

/** As many whole lines from the end as are short enough to be shown. */
function lastLines(text: string): string {
  if (text.length <= LAST_WORDS_CHARS) return text;
  const end = text.slice(-LAST_WORDS_CHARS);
  return end.slice(end.indexOf('\n') + 1);
}
