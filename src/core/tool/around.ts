// What is looked at before and after a run that may change files, whatever the tool.
import type { ToolStatus } from '../../common/events';
import { watchCommand } from '../checkpoint/aroundRun';
import type { Target } from '../permission/types';
import { watchProblems } from './aroundEdit';
import type { RunOf } from './run';
import type { ToolContext } from './tool';
import type { TurnTools } from './turnTools';

/** To be called once, when the run has ended. Answers what the model should know besides, a line each. Never rejects. */
export type AfterRun = (status: ToolStatus) => Promise<readonly string[]>;

/** When `signal` aborts, there will be no run. */
export async function watchRun(
  of: RunOf,
  targets: readonly Target[],
  ctx: ToolContext,
  turn: TurnTools,
  signal: AbortSignal,
): Promise<AfterRun> {
  const [command, problems] = await Promise.all([
    watchCommand(of, targets, ctx, turn, signal),
    watchProblems(of, targets, turn),
  ]);
  if (signal.aborted) await problems?.('stopped');
  return async (status) => [...((await command?.()) ?? []), ...((await problems?.(status)) ?? [])];
}
