// Runs the plan of a call and waits for its end, or answers the call while its run goes on: as the tool says, the person, or Stop.
import { onAbort } from '../onAbort';
import type { Approved } from './approve';
import type { AfterRun } from './around';
import type { RunOutcome } from './background';
import { excerptOf } from '../output/excerpt';
import { resultLimits } from '../output/limits';
import type { StoppedBy } from './cut';
import { fitDisplay } from './display';
import { forModel } from './result';
import { launch, reportBug, type Launched, type Ran, type Released, type RunOf } from './run';
import type { ToolContext } from './tool';
import type { TurnTools } from './turnTools';

/** The remarks of a run that ended without its call: a note, so they have a bound. */
const REMARKS_MAX_CHARS = 2_000;

/** Never rejects for what the tool does. `after` is told when the run has ended, in the background too. */
export async function runPlan(
  { hooked: of, prepared: { plan }, remark }: Exclude<Approved, { readonly refused: unknown }>,
  ctx: ToolContext,
  turn: TurnTools,
  after: AfterRun,
): Promise<Ran> {
  const refused = of.tool.background?.(of.input) ? turn.background.noRoom() : undefined;
  if (refused !== undefined) {
    const ran = notStarted(of, refused, turn);
    await after.ended(ran);
    return ran;
  }
  const run = observed(launch(of, plan, ctx, turn), after);
  const ran = (await released(of, run, turn)) ?? (await run.finish());
  // With the answer, however far the run is: what was allowed is not what the model sent.
  return remark === undefined ? ran : { ...ran, remarks: [remark, ...ran.remarks] };
}

/** Its end is the end of what is looked at after it. */
function observed(run: Launched, after: AfterRun): Launched {
  return {
    ...run,
    soFar(why) {
      after.goesOn();
      return run.soFar(why);
    },
    async finish() {
      const ran = await run.finish();
      const remarks = await after.ended(ran);
      return remarks.length === 0 ? ran : { ...ran, remarks: [...ran.remarks, ...remarks] };
    },
  };
}

/** Resolves with undefined when the run has ended, or with what its call is answered before. From then on it is the background's. */
function released(of: RunOf, run: Launched, turn: TurnTools): Promise<Ran | undefined> {
  const { tool, call, input, title } = of;
  const { background, signal } = turn;
  const startsThere = tool.background?.(input) ?? false;
  return new Promise((resolve) => {
    let isSettled = false;
    const settle = (why: Released | undefined): void => {
      if (isSettled) return;
      isSettled = true;
      unhook();
      forget();
      // At once, so that no other run takes its room.
      const ran = why && run.soFar(why);
      if (ran) goOn(of, run, turn);
      resolve(ran);
    };
    const release = (): void => settle({ status: 'done', shows: 'output', remark: sentText(call.id) });
    const forget = tool.background
      ? background.wait({ call: call.id, title, takesRoom: startsThere, release, stop: (by) => run.stop(by) })
      : (): void => {};
    const letGo = (): void => {
      if (background.hasRoom) return settle({ status: 'stopped', shows: 'nothing', remark: letGoText(call.id) });
      run.stop('person');
    };
    let unhook = (): void => {};
    if (tool.interrupt === 'ignore') unhook = onAbort(signal, letGo);
    if (startsThere) {
      const goesOn = (said: string): Released => ({
        status: 'done',
        shows: 'output',
        remark: goesOnText(said, call.id),
      });
      void run.answered.then((said) => settle(goesOn(said)));
    }
    const ended = (): void => settle(undefined);
    run.ending.then(ended, ended);
  });
}

function goOn(of: RunOf, run: Launched, turn: TurnTools): void {
  const { call, title } = of;
  const answered = turn.background.untilAnswered(call.id);
  let isTold = false;
  const stop = (by: StoppedBy): void => {
    isTold ||= by === 'model';
    run.stop(by);
  };
  const ended = run.finish().then(
    async (ran): Promise<RunOutcome> => {
      await answered;
      tellEnd(of, ran, isTold ? { told: true } : {}, turn);
      return { status: ran.status, text: endOf(of, ran), endedAt: turn.host.clock.now() };
    },
    (bug: unknown): RunOutcome => {
      return { status: 'failed', text: reportBug(call, bug, turn), endedAt: turn.host.clock.now() };
    },
  );
  const { startedAt } = run;
  turn.background.add({ call: call.id, title, startedAt, ended, display: () => run.display(), stop });
}

function tellEnd(
  { call, title }: RunOf,
  { status, output, progress, wholeChars, durationMs }: Ran,
  told: { readonly told?: true },
  turn: TurnTools,
): void {
  const display = output.display ?? progress;
  turn.emit({
    type: 'tool/ended',
    call: call.id,
    title,
    ...told,
    status,
    ...(display === undefined ? {} : { display: fitDisplay(display) }),
    wholeChars,
    durationMs,
  });
}

function notStarted({ tool }: RunOf, reason: string, { host }: TurnTools): Ran {
  const limits = resultLimits(tool, host.settings);
  return { status: 'failed', output: {}, body: excerptOf(reason), limits, remarks: [], wholeChars: 0, durationMs: 0 };
}

/** What the model gets at once. */
function letGoText(call: string): string {
  return `Stopped waiting for it: it goes on in the background as ${call}, and you are told when it ends. Read what it has put out with output, id ${JSON.stringify(call)}.`;
}

function sentText(call: string): string {
  return `The person let it go on in the background, without a time limit, as ${call}: it has not ended yet, and you are told when it does. Read what it puts out with output, id ${JSON.stringify(call)}; end it with stop.`;
}

function goesOnText(said: string, call: string): string {
  return `${said} It goes on in the background as ${call}, and you are told when it ends. Read what it puts out with output, id ${JSON.stringify(call)}; end it with stop.`;
}

const ENDS: Readonly<Record<Ran['status'], string>> = {
  done: 'done',
  failed: 'an error',
  denied: 'a refusal',
  stopped: 'a stop',
};

function endOf({ tool, call, title }: RunOf, { status, output, remarks, wholeChars }: Ran): string {
  const id = JSON.stringify(call.id);
  const more = [output.summary ?? '', ...remarks, ...(output.context ?? [])].filter((line) => line !== '').join('\n');
  return forModel(
    [
      `The background run ${call.id} of ${tool.name} (${title}) ended with: ${ENDS[status]}. Its output has ${wholeChars} characters: read it with output, id ${id}.`,
      ...(more === '' ? [] : [more.slice(0, REMARKS_MAX_CHARS)]),
    ].join('\n'),
  );
}
