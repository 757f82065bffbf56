// The tool contract: everything the system knows about one tool is in its own file. There is no second table keyed by its name.
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import type { Ask, AskAnswer, Proposal } from '../../common/asks';
import type { ImageBlock, MalformedFault } from '../../common/blocks';
import type { Display, Todo } from '../../common/display';
import type { ToolDefinition, ToolKind } from '../../common/events';
import type { JsonObject } from '../../common/json';
import type { Mode } from '../../common/modes';
import type { Task } from '../../common/tasks';
import type { ReadState } from '../files/readState';
import type { Host } from '../host';
import type { OutputKind } from '../output/commandKind';
import type { Items, OutputReader } from '../output/types';
import type { Target } from '../permission/types';

/** How the digest of a long result is cut: where the interesting part lies. `matches`: between `items`, with a count of what is left out. `window`: the tool bounds its text itself and it passes whole. */
export type Shape = 'head' | 'tail' | 'balanced' | 'matches' | 'window';

/**
 * What Stop does to a running call [O22]: end it and keep what it has (`ctx.signal` aborts), wait for its result, or answer
 * the call at once and let the run go on in the background, where `ctx.signal` aborts when the session closes and what
 * `ctx.ask` asks is dismissed.
 */
export type Interrupt = 'error' | 'await' | 'ignore';

export interface ToolLimits {
  /** Characters of a result that pass whole; the setting `tools.maxResultChars` where absent. */
  readonly maxResultChars?: number;
  /** Milliseconds a run may take, the wait for approval not counted; absent: no limit of the orchestrator's (the tool has its own, or a person is awaited). */
  readonly timeoutMs?: number;
}

/** Where a tool writes an output as it comes: bytes go to the store under the call's id, so no output is ever one string. */
export interface Out {
  write(chunk: string | Uint8Array): void;
  /** Characters written so far. */
  readonly chars: number;
  /** Resolves when the store has caught up: awaited by a tool that writes faster than a disk, so that memory stays bounded. */
  drained(): Promise<void>;
}

/** What a session holds that tools may read and change. */
export interface SessionState {
  todos(): readonly Todo[];
  setTodos(todos: readonly Todo[]): void;
}

/** A tool as a search finds it. */
export interface ToolEntry extends ToolDefinition {
  readonly searchHint: string;
  readonly server?: string;
}

/** The tools that can be called now, for whoever searches among them. */
export interface ToolCatalog {
  /** Those that no request describes, by name. */
  searchable(): readonly ToolEntry[];
  /** By any of its names; `isResident`: every request describes it anyway. The objection is for the model and names the nearest. */
  describe(name: string): (ToolEntry & { readonly isResident: boolean }) | { readonly objection: string };
}

/** How far an output has been read: its last line shown, from 1, and how long that was then. */
export interface ReadMark {
  readonly line: number;
  readonly chars: number;
}

/** The session's runs in the background, for tools that start, list, read and end them. */
export interface Tasks {
  /** What has ended first, then what goes on; the oldest first. */
  list(): readonly Task[];
  /** Why nothing more can go into the background now; for the model. */
  noRoom(): string | undefined;
  /** By the model, which is told by whoever asked for it. False when none such goes on. */
  stop(id: string): boolean;
  /** Resolves when it has ended, with what the model is told of that; undefined when none such goes on. */
  whenEnded(id: string): Promise<{ readonly text: string }> | undefined;
  lastRead(id: string): ReadMark | undefined;
  markRead(id: string, mark: ReadMark): void;
}

/** What a prepared call works with. */
export interface ToolContext {
  readonly call: string;
  readonly session: string;
  readonly agent: string;
  readonly host: Host;
  readonly mode: Mode;
  /** The model that gets the result can look at images. */
  readonly seesImages: boolean;
  readonly signal: AbortSignal;
  readonly reads: ReadState;
  readonly outputs: OutputReader;
  readonly state: SessionState;
  readonly tools: ToolCatalog;
  readonly tasks: Tasks;
  /** Where relative paths start and commands run; kept between calls, inside the workspace. */
  readonly cwd: () => string;
  readonly setCwd: (path: string) => void;
}

export interface RunContext extends ToolContext {
  readonly out: Out;
  /** Aborts when the call has been answered and its run goes on in the background. */
  readonly released: AbortSignal;
  /** Of a run in the background: its call is answered now, with what was put out by now and `remark` for the model. Once; nothing where the call is answered already. */
  answer(remark: string): void;
  /** Live display while it runs; may be called often, the host thins it out. */
  progress(display: Display): void;
  /** For tools whose very purpose is to ask; permission is never asked this way. */
  ask(ask: (id: string) => Ask): Promise<AskAnswer>;
}

export interface ToolOutput {
  /** The result, or its end where a part was written to `ctx.out` before: both are stored, and both are what the model gets. */
  readonly text?: string;
  /** What `text` is made of, for the shape `matches`. */
  readonly items?: Items;
  /** What the output is, where the tool knows: decides what a compression may leave out [B07]. */
  readonly outputKind?: OutputKind;
  /** Added after the output for the model and never cut: exit code, warnings, what to do next. At most a few lines. */
  readonly summary?: string;
  /** What people read in place of `text` and `summary` beside the display of a call that failed. */
  readonly forPeople?: string;
  /** The call did not do what it was asked to: an error for the model, not a bug. */
  readonly failed?: boolean;
  readonly display?: Display;
  /** The text only points to the result of an earlier call: the same came again. */
  readonly repeats?: true;
  /** Further things the model should know, as notes after the results. */
  readonly context?: readonly string[];
  readonly images?: readonly ImageBlock[];
}

export type Prepared<Plan> =
  /** Why the call cannot be done as asked, worded for the model: what is wrong and what to send instead. */
  { readonly objection: string } | PreparedCall<Plan>;

export interface PreparedCall<Plan> {
  readonly targets: readonly Target[];
  readonly preview?: Display;
  readonly plan: Plan;
  readonly proposal?: Changeable<Plan>;
}

/** What a person may change before they allow it. */
export interface Changeable<Plan> {
  readonly kind: Proposal['kind'];
  /** As the model proposes it. */
  readonly text: string;
  /** Of the file, as its diff names it; of a part of a file a name below that, with the ending of the part’s own language. */
  readonly path?: string;
  /** Of a part of a file: as it is now. */
  readonly before?: string;
  /** The call as it is with that text in place of the proposed one; what the plan was checked against still holds. Changes nothing. */
  amend(text: string): Promise<Amended<Plan>>;
}

export type Amended<Plan> =
  | { readonly objection: string }
  | (PreparedCall<Plan> & {
      /** What the call is now. */
      readonly input: JsonObject;
      /** What the person changed, for the model. */
      readonly remark: string;
    });

export type ObjectSchema = JSONSchema & {
  readonly type: 'object';
  readonly properties: { readonly [name: string]: JSONSchema };
};

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- the erased type that the registry holds
export interface Tool<In = any, Plan = any> {
  readonly name: string;
  /** What a front end may draw it as. */
  readonly kind: ToolKind;
  /** For the model, one to five lines. A function where it names something of the host (the shell). */
  readonly description: string | ((host: Host) => string);
  /** The tool's part of the system prompt; absent when the description says it all. */
  readonly guide?: string;
  /** Sent to the model, compiled by ajv, and the type of `input` below. */
  readonly schema: ObjectSchema;
  /** Modes in which it may run at all; enforced at the call. Tools that only read run in every mode. */
  readonly modes: readonly Mode[] | 'all';
  /** Not in the first request: found through `toolsearch` by name, description and `searchHint` [K13]. */
  readonly deferred: boolean;
  /** Stays where only the few basic tools are wanted [K06]. */
  readonly basic: boolean;
  /** The MCP server that offers it, as people know it; absent: built in. */
  readonly server?: string;
  readonly aliases: readonly string[];
  readonly searchHint: string;
  readonly limits: ToolLimits;
  readonly shape: Shape;
  /** A passing fault of a read-only call may be tried once more. */
  readonly retry: boolean;
  readonly interrupt: Interrupt;
  /**
   * Its run may go on without its call: from the start where this says so for the input (it then calls `ctx.answer`), else when
   * the person sends it to the background. Absent: it may not.
   */
  background?(input: In): boolean;
  available(host: Host): boolean;
  /** Awaited before the first call, started while the first request streams: parsers, wasm. */
  load(): Promise<void>;
  /** Only of a tool that stands for others: the call that is meant. It is found, checked, judged, shown and run in its place. */
  dispatch?(input: In): Pick<ToolCall, 'name' | 'input'>;
  /** For people, in the imperative: "Read src/a.ts". Gets only inputs that fit the schema. */
  title(input: In): string;
  readOnly(input: In): boolean;
  /** May overlap with other concurrent calls. */
  concurrent(input: In): boolean;
  /** Business checks, memory first, then disk; finds what the call will touch. Changes nothing. */
  prepare(input: In, ctx: ToolContext): Promise<Prepared<Plan>>;
  /** Gets exactly the plan that was shown. Throws only for bugs and passing faults. */
  run(plan: Plan, ctx: RunContext): Promise<ToolOutput>;
}

type Needed = 'name' | 'kind' | 'description' | 'schema' | 'title' | 'prepare' | 'run';

/** Fills in what a tool does not claim, failing closed: not read-only, not concurrent, never retried, ended by Stop only when it says so. */
export function defineTool<const S extends ObjectSchema, Plan, In = FromSchema<S>>(
  spec: { readonly schema: S } & Pick<Tool<In, Plan>, Needed> & Partial<Tool<In, Plan>>,
): Tool<In, Plan> {
  return { ...DEFAULTS, ...spec };
}

const DEFAULTS = {
  modes: ['ask', 'acceptEdits', 'auto', 'bypass'],
  deferred: false,
  basic: false,
  aliases: [],
  searchHint: '',
  limits: {},
  shape: 'balanced',
  retry: false,
  interrupt: 'await',
  available: () => true,
  load: async () => {},
  readOnly: () => false,
  concurrent: () => false,
} as const satisfies Partial<Tool>;

/** One call as the model made it. */
export interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonObject;
  /** Set when the input did not parse. */
  readonly malformed?: { readonly raw: string; readonly fault: MalformedFault };
}
