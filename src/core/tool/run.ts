// The run of one approved call: attempts, live display, the whole output into the store, and how it came to an end.
import { messageOf } from '../../common/errors';
import type { Display } from '../../common/display';
import type { AskAnswer } from '../../common/asks';
import type { ToolStatus } from '../../common/events';
import type { JsonObject } from '../../common/json';
import { COMPRESS_MIN_CHARS, compressOutput } from '../output/compress';
import { excerptOf, type Excerpt } from '../output/excerpt';
import { resultLimits, type ResultLimits } from '../output/limits';
import type { EndedOutput, OutputWriter } from '../output/writer';
import { openAsk } from './ask';
import { attempt, isPassing } from './attempt';
import { armCut, type CutReason, type StoppedBy } from './cut';
import { fitDisplay } from './display';
import { thinOut } from './progress';
import type { Tool, ToolCall, ToolContext, ToolOutput } from './tool';
import type { TurnTools } from './turnTools';

export interface Ran {
  readonly status: ToolStatus;
  readonly output: ToolOutput;
  /** The result's text, whole or its two ends. */
  readonly body: Excerpt;
  readonly limits: ResultLimits;
  /** For the model, after the body: why it ended, what is not stored. */
  readonly remarks: readonly string[];
  /** The last live display. */
  readonly progress?: Display;
  readonly wholeChars: number;
  readonly durationMs: number;
  /** It goes on; this is how far it was when its call was answered. */
  readonly background?: true;
}

export interface RunOf {
  readonly tool: Tool;
  readonly input: JsonObject;
  readonly call: ToolCall;
  /** As people read it. */
  readonly title: string;
}

/** Why a call is answered before its run has ended. */
export interface Released {
  /** For the model. */
  readonly remark: string;
  readonly status: ToolStatus;
  /** With what the run has put out by now, or without. */
  readonly shows: 'output' | 'nothing';
}

/** A run under way. Either `finish` is called, once, or first `soFar`. */
export interface Launched {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** Resolves when the tool has ended, or was cut off after its grace. */
  readonly ending: Promise<Ending>;
  /** Resolves with what the tool says where it asks for its call to be answered while it goes on. */
  readonly answered: Promise<string>;
  /** The newest that it shows. */
  display(): Display | undefined;
  stop(by: StoppedBy): void;
  /** Waits for the end; then the whole output is stored. */
  finish(): Promise<Ran>;
  /** Answers the call while the run goes on. */
  soFar(released: Released): Ran;
}

type Ending = { readonly output: ToolOutput } | { readonly fault: unknown } | 'cut';
type Conclusion = Pick<Ran, 'status' | 'output' | 'remarks'>;

const UNASKED: AskAnswer = { kind: 'dismissed', reason: 'Nobody is asked by a run in the background.' };

/** Starts the run. Its whole output is stored, whatever comes of it [B05]. */
export function launch({ tool, input, call }: RunOf, plan: unknown, ctx: ToolContext, turn: TurnTools): Launched {
  const startsReleased = tool.background?.(input) ?? false;
  const { clock, settings, log } = turn.host;
  const limits = resultLimits(tool, settings);
  const cut = armCut(tool, turn);
  let isAnswered = false;
  let answer: (remark: string) => void = () => {};
  const answered = new Promise<string>((resolve) => (answer = resolve));
  const progress = thinOut((display) => {
    if (isAnswered) turn.background.changed();
    else turn.emit({ type: 'tool/progress', call: call.id, display: fitDisplay(display), transient: true });
  }, clock);
  const open = (): OutputWriter =>
    turn.outputs.open(call.id, { keepChars: limits.maxChars, onFull: () => cut.end('full') });

  let out: OutputWriter | undefined;
  const released = new AbortController();
  if (startsReleased) released.abort();
  const run = (): Promise<ToolOutput> => {
    out = open();
    return tool.run(plan, {
      ...ctx,
      signal: cut.signal,
      released: released.signal,
      out,
      answer,
      progress: (display) => progress.report(display),
      ask: (askOf) =>
        released.signal.aborted
          ? Promise.resolve(UNASKED)
          : openAsk(askOf(turn.host.ids.next('ask')), turn.signal, turn),
    });
  };
  const startedAt = clock.now();
  const startedMs = clock.elapsed();
  const mayRetry = tool.retry && tool.readOnly(input);
  const ended = attempt(run, { mayRetry, clock, signal: cut.signal }).then(
    (output): Ending => ({ output }),
    (fault: unknown): Ending => ({ fault }),
  );
  const ending = Promise.race([ended, cut.passed]);
  const common = (last: Display | undefined) => ({
    limits,
    ...(last === undefined ? {} : { progress: last }),
    durationMs: clock.elapsed() - startedMs,
  });
  let final: Display | undefined;
  return {
    startedAt,
    ending,
    answered,
    display: () => final ?? progress.last(),
    stop: (by) => cut.end(by),
    async finish() {
      const reached = await ending;
      cut.release();
      const at = common(progress.end());
      const { status, output, remarks } = conclude(reached, cut.reason(), { tool, call }, turn);
      final = output.display;
      const onlyText = (out?.chars ?? 0) === 0 ? output.text : undefined;
      const stored = await storeWhole(out ?? open(), output, call, turn);
      if (stored.problem !== undefined) log.warn(`The output of ${call.id} could not be stored: ${stored.problem}`);
      const compressed = await compressedOutput(stored.chars, output, call, turn);
      const body = compressed ?? (onlyText === undefined ? stored : excerptOf(onlyText));
      return { ...at, status, output, body, remarks: [...remarks, ...unstored(stored)], wholeChars: stored.chars };
    },
    soFar({ remark, status, shows }) {
      const wholeChars = out?.chars ?? 0;
      const ran = common(progress.last());
      isAnswered = true;
      progress.slowDown();
      cut.letGo();
      released.abort();
      return {
        ...ran,
        status,
        output: {},
        body: shows === 'output' && out ? out.soFar() : excerptOf(''),
        remarks: [remark],
        wholeChars,
        background: true,
      };
    },
  };
}

function conclude(
  ending: Ending,
  reason: CutReason | undefined,
  of: { readonly tool: Tool; readonly call: ToolCall },
  turn: TurnTools,
): Conclusion {
  const ended = reason === undefined ? [] : [CUT_REMARKS[reason](of.tool)];
  if (ending !== 'cut' && 'output' in ending) {
    const { output } = ending;
    // What ended well in spite of a stop or a time limit counts; a full store has lost something in any case.
    if (!output.failed) return { status: 'done', output, remarks: reason === 'full' ? ended : [] };
    return { status: endedWith(reason), output, remarks: ended };
  }
  if (reason !== undefined) return { status: endedWith(reason), output: {}, remarks: ended };
  if (ending === 'cut') throw new Error('A run was cut off without a reason.');
  const { fault } = ending;
  return {
    status: 'failed',
    output: {},
    remarks: [isPassing(fault) ? messageOf(fault) : reportBug(of.call, fault, turn)],
  };
}

function endedWith(reason: CutReason | undefined): ToolStatus {
  return reason === undefined || reason === 'timeout' || reason === 'full' ? 'failed' : 'stopped';
}

const CUT_REMARKS: Readonly<Record<CutReason, (tool: Tool) => string>> = {
  person: () => 'Stopped by the person before it finished; it may have done a part of its work.',
  model: () => 'You ended it before it finished.',
  close: () => 'It was ended with the window before it finished; it may have done a part of its work.',
  timeout: ({ name, limits }) =>
    `Ended by the time limit of ${name}, ${(limits.timeoutMs ?? 0) / 1000} s, before it finished. Ask for less at once.`,
  full: () =>
    'Its output reached the most that is stored; what came after is lost. Let it put out less, or into a file.',
};

async function storeWhole(
  out: OutputWriter,
  { text, items }: ToolOutput,
  call: ToolCall,
  { outputs }: TurnTools,
): Promise<EndedOutput> {
  if (text !== undefined) out.write(out.chars > 0 ? `\n${text}` : text);
  const ended = await outputs.close(call.id, out);
  // A text that passes by its length may be cut between its items all the same.
  if (items?.first !== undefined && items.list.length > items.first) await out.drained();
  return ended;
}

/** Undefined where the setting is off or the output is to be left as it is. It is stored whole already. */
async function compressedOutput(
  chars: number,
  { outputKind }: ToolOutput,
  { id }: ToolCall,
  { outputs, host }: TurnTools,
): Promise<Excerpt | undefined> {
  if (outputKind === undefined || chars <= COMPRESS_MIN_CHARS || !host.settings.get('output.compress'))
    return undefined;
  const text = await compressOutput(outputs.lines(id), outputKind, id);
  return text === undefined ? undefined : excerptOf(text);
}

function unstored({ problem }: EndedOutput): string[] {
  if (problem === undefined) return [];
  return [`The whole output could not be stored (${problem}): what is not shown here may be lost.`];
}

/** A fault of ours: into the log whole, to the person as a notice; answers what the model is told. */
export function reportBug({ id, name }: ToolCall, bug: unknown, turn: TurnTools): string {
  const message = messageOf(bug);
  turn.host.log.error(`A bug in the call ${id} of ${name}: ${message}`, bug);
  turn.emit({
    type: 'notice',
    level: 'error',
    text: `The tool ${name} met a bug of its own: ${message}. The log has more.`,
  });
  return `${name} failed because of a bug of its own, not because of the input: ${message}. Try another way.`;
}
