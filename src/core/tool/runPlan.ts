// Runs the plan of a call and waits for its end, or, when Stop comes first and the tool says so, answers the call while its run goes on.
import { untilAborted } from '../untilAborted';
import type { AfterRun } from './around';
import { forModel } from './result';
import { launch, reportBug, type Launched, type Ran, type RunOf } from './run';
import type { ToolContext } from './tool';
import type { TurnTools } from './turnTools';

/** The remarks of a run that ended without its call: a note, so they have a bound. */
const REMARKS_MAX_CHARS = 2_000;

/** Never rejects for what the tool does. `after` is called when the run has ended, in the background too. */
export async function runPlan(
  of: RunOf,
  plan: unknown,
  ctx: ToolContext,
  turn: TurnTools,
  after: AfterRun,
): Promise<Ran> {
  const run = observed(launch(of, plan, ctx, turn), after);
  return (await goesOn(of, run, turn)) ? run.soFar(goesOnText(of.call.id)) : run.finish();
}

/** Its end is the end of what is looked at after it. */
function observed(run: Launched, after: AfterRun): Launched {
  return {
    ...run,
    async finish() {
      const ran = await run.finish();
      const remarks = await after(ran);
      return remarks.length === 0 ? ran : { ...ran, remarks: [...ran.remarks, ...remarks] };
    },
  };
}

/** Resolves when the run has ended, with false, or when Stop came first and it goes on, with true. */
async function goesOn(of: RunOf, run: Launched, turn: TurnTools): Promise<boolean> {
  if (of.tool.interrupt !== 'ignore') return false;
  if ((await untilAborted(run.ending, turn.signal)) !== undefined) return false;
  if (!turn.background.hasRoom) {
    run.stop();
    return false;
  }
  const ended = run.finish().then(
    (ran) => endOf(of, ran),
    (bug: unknown) => reportBug(of.call, bug, turn),
  );
  turn.background.add({ call: of.call.id, tool: of.tool.name, title: of.title, ended, stop: () => run.stop() });
  return true;
}

/** What the model gets at once. */
function goesOnText(call: string): string {
  return `Stopped waiting for it: it goes on in the background as ${call}, and you are told when it ends. Read what it has put out with output, id ${JSON.stringify(call)}.`;
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
