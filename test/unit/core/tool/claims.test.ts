// What a tool says of itself has a reader: the same call with another claim ends another way [G2].
import assert from 'node:assert/strict';
import { runToolCall } from '../../../../src/core/tool/orchestrator';
import type { Interrupt, Tool } from '../../../../src/core/tool/tool';
import type { ToolResult } from '../../../../src/core/tool/turnTools';
import { createManualClock } from './manualClock';
import { afterStart, clockOf, probe, type Run } from './probe';
import { callOf, withTurn, type TestTurn, type TurnOptions } from './turn';

async function resultOf(
  tool: Tool,
  options: TurnOptions,
  meanwhile: (test: TestTurn) => Promise<void> | void = () => {},
): Promise<ToolResult> {
  let result: ToolResult | undefined;
  await withTurn([tool], { clock: createManualClock(), ...options }, async (test) => {
    const running = runToolCall(callOf('probe'), test.turn);
    await meanwhile(test);
    result = await running;
    await test.turn.background.close();
  });
  assert.ok(result);
  return result;
}

describe('G2: the claims of a tool', () => {
  const long: Run = async () => ({ text: 'x'.repeat(5_000) });
  for (const [maxResultChars, isWhole] of [
    [undefined, true],
    [5_000, true],
    [4_999, false],
    [1_000, false],
  ] as const) {
    it(`a result of 5,000 characters under a limit of ${maxResultChars ?? 'the setting'} is ${isWhole ? 'whole' : 'cut'}`, async () => {
      const limits = maxResultChars === undefined ? {} : { maxResultChars };
      const { text, wholeChars } = await resultOf(probe(long, { limits }), {});
      assert.equal(wholeChars, 5_000);
      if (isWhole) return assert.equal(text, 'x'.repeat(5_000));
      assert.ok(text.length <= (maxResultChars ?? 0));
      assert.match(text, /characters left out here\. .* the tool output/);
    });
  }

  const ENDS: Readonly<Record<Interrupt, Pick<ToolResult, 'status' | 'background'>>> = {
    error: { status: 'stopped' },
    await: { status: 'done' },
    ignore: { status: 'stopped', background: true },
  };
  for (const interrupt of ['error', 'await', 'ignore'] as const) {
    it(`Stop and a run that says ${interrupt}`, async () => {
      const run: Run = async ({ host, signal }) => {
        await host.clock.sleep(1_000, signal);
        return signal.aborted ? { failed: true } : { text: 'fine' };
      };
      const { status, background } = await resultOf(probe(run, { interrupt }), {}, async (test) => {
        await afterStart(test, 500);
        test.stop.abort();
        if (interrupt === 'await') await clockOf(test).advance(500);
      });
      assert.deepEqual({ status, ...(background ? { background } : {}) }, ENDS[interrupt]);
    });
  }

  const uses: Partial<Tool> = { prepare: async () => ({ targets: [{ op: 'use', name: 'it' }], plan: undefined }) };
  for (const [claims, mode, status] of [
    [{ modes: 'all', readOnly: () => false }, 'bypass', 'done'],
    [{ modes: ['ask'], readOnly: () => true }, 'bypass', 'denied'],
    [{ modes: ['ask', 'bypass'], readOnly: () => false }, 'bypass', 'done'],
    [{ modes: 'all', readOnly: () => false }, 'plan', 'denied'],
  ] as const satisfies readonly (readonly [Partial<Tool>, TurnOptions['mode'], ToolResult['status']])[]) {
    it(`a tool for ${String(claims.modes)} that ${claims.readOnly() ? 'reads' : 'changes'} is ${status} in ${mode}`, async () => {
      const result = await resultOf(
        probe(async () => ({ text: 'fine' }), { ...uses, ...claims }),
        { mode },
      );
      assert.equal(result.status, status);
    });
  }

  it('a run that reads is tried again after a passing fault, one that changes is not', async () => {
    for (const reads of [true, false]) {
      let runs = 0;
      const run: Run = async () => {
        runs++;
        throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
      };
      await resultOf(probe(run, { retry: true, readOnly: () => reads }), {}, (test) => afterStart(test, 0, 200));
      assert.equal(runs, reads ? 2 : 1);
    }
  });
});
