// A tool that does what a test wants, and the check of one call of it: its result, its events, and what is left behind.
import assert from 'node:assert/strict';
import type { EventBody } from '../../../../src/common/events';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import { defineTool, type RunContext, type Tool, type ToolCall, type ToolOutput } from '../../../../src/core/tool/tool';
import type { ToolResult } from '../../../../src/core/tool/turnTools';
import { createManualClock } from './manualClock';
import { callOf, withTurn, type TestTurn, type TurnOptions } from './turn';

export type Run = (ctx: RunContext) => Promise<ToolOutput>;

/** A tool called `probe` that takes an optional number `n`. */
export function probe(run: Run, more: Partial<Tool> = {}): Tool {
  return {
    ...defineTool({
      name: 'probe',
      kind: 'shell',
      description: 'Probes.',
      schema: { type: 'object', properties: { n: { type: 'number' } }, additionalProperties: false },
      modes: 'all',
      title: ({ n }) => `Probe ${n ?? 'all'}`,
      prepare: async () => ({ targets: [], plan: undefined }),
      run: (_plan, ctx) => run(ctx),
    }),
    ...more,
  };
}

const RESULT: Omit<ToolResult, 'call' | 'text'> = {
  status: 'done',
  images: [],
  context: [],
  wholeChars: 0,
  durationMs: 0,
};
export const shown = (text: string): Pick<ToolResult, 'display' | 'text'> => ({
  text,
  display: { kind: 'text', text },
});

export interface Case extends TurnOptions {
  readonly tool: Tool;
  readonly call?: ToolCall;
  /** What happens while it runs. */
  readonly meanwhile?: (test: TestTurn) => Promise<void> | void;
  readonly expected: Partial<ToolResult>;
  readonly events?: readonly EventBody['type'][];
  readonly also?: (test: TestTurn, call: ToolCall) => Promise<void> | void;
}

const RAN: readonly EventBody['type'][] = ['tool/queued', 'tool/started', 'tool/finished'];
export const NOT_RUN: readonly EventBody['type'][] = ['tool/queued', 'tool/finished'];

export function check(
  name: string,
  { tool, call = callOf('probe'), meanwhile, expected, events = RAN, also, ...options }: Case,
): void {
  it(name, () =>
    withTurn([tool], { clock: createManualClock(), ...options }, async (test) => {
      const running = runToolCall(call, test.turn);
      await meanwhile?.(test);
      const result = await running;
      assert.deepEqual(result, { ...RESULT, call: call.id, ...expected });
      assert.deepEqual(
        test.events.map(({ type }) => type),
        events,
      );
      const { context: _, images: __, ...told } = result;
      assert.deepEqual(test.events.at(-1), {
        type: 'tool/finished',
        ...told,
        ...(expected.images ? { images: expected.images } : {}),
      });
      await also?.(test, call);
    }),
  );
}

export const clockOf = ({ host }: TestTurn): ReturnType<typeof createManualClock> =>
  host.clock as ReturnType<typeof createManualClock>;
export const never = (): Promise<never> => new Promise(() => {});
/** Lets a run get going before time moves. */
export async function afterStart(test: TestTurn, ...stepsMs: number[]): Promise<void> {
  await test.seen('tool/started');
  for (const ms of stepsMs) await clockOf(test).advance(ms);
}
