// What is looked at before and after a run that may change files or history, whatever the tool.
import { watchCommand } from '../checkpoint/aroundRun';
import type { Approved } from './approve';
import { watchDeeds } from './aroundDeeds';
import { watchProblems } from './aroundEdit';
import type { Ran } from './run';
import type { ToolContext } from './tool';
import type { TurnTools } from './turnTools';

/** What waits for the end of a run. */
export interface AfterRun {
  /** Its call is answered and it goes on: from now on others change files beside it. */
  goesOn(): void;
  /** To be called once, when it has ended. Answers what the model should know besides, a line each. Never rejects. */
  ended(ran: Pick<Ran, 'status' | 'body'>): Promise<readonly string[]>;
}

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
  return {
    goesOn: () => command?.goesOn(),
    async ended(ran) {
      await deeds?.(ran);
      return [...((await command?.ended()) ?? []), ...((await problems?.(ran.status)) ?? [])];
    },
  };
}
