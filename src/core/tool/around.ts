// What is looked at before and after a run that may change files or history, whatever the tool.
import { watchCommand } from '../checkpoint/aroundRun';
import type { Approved } from './approve';
import { watchDeeds } from './aroundDeeds';
import { watchProblems } from './aroundEdit';
import type { Ran } from './run';
import type { ToolContext } from './tool';
import type { TurnTools } from './turnTools';

/** To be called once, when the run has ended. Answers what the model should know besides, a line each. Never rejects. */
export type AfterRun = (ran: Pick<Ran, 'status' | 'body'>) => Promise<readonly string[]>;

/** When `signal` aborts, there will be no run. */
export async function watchRun(
  { hooked, prepared: { targets } }: Exclude<Approved, { readonly refused: unknown }>,
  ctx: ToolContext,
  turn: TurnTools,
  signal: AbortSignal,
): Promise<AfterRun> {
  const [command, problems, deeds] = await Promise.all([
    watchCommand(hooked, targets, ctx, turn, signal),
    watchProblems(hooked, targets, turn),
    watchDeeds(hooked, targets, turn, signal),
  ]);
  if (signal.aborted) await problems?.('stopped');
  return async (ran) => {
    await deeds?.(ran);
    return [...((await command?.()) ?? []), ...((await problems?.(ran.status)) ?? [])];
  };
}
