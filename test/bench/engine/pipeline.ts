// What one call costs beyond its tool: from the look-up to the result, allowed without asking, its events written down.
import type { JsonObject } from '../../../src/common/json';
import { compileSchema } from '../../../src/core/tool/schema';
import { figure, percentile, timeEach, type Figure } from '../measure';
import { callAt, noop, withBenchSession } from './session';

const CALLS = 20_000;
const WARM_UP = 2_000;

export async function measurePipeline(): Promise<Figure[]> {
  const direct = await timeDirect();
  const whole: number[] = [];
  await withBenchSession(noop, async ({ call }) => {
    whole.push(...(await timeEach(CALLS, WARM_UP, call)));
  });
  const beside = (share: number) => ({ name: 'validated and run directly', value: percentile(direct, share) });
  return [
    figure('whole call of a tool that does nothing, p50', 'ms', percentile(whole, 0.5), beside(0.5)),
    figure('whole call of a tool that does nothing, p99', 'ms', percentile(whole, 0.99), beside(0.99)),
  ];
}

/** The least there can be: the schema's check and the tool. */
async function timeDirect(): Promise<number[]> {
  const check = compileSchema(noop.schema as unknown as JsonObject, () => {});
  return timeEach(CALLS, WARM_UP, (at) => {
    const { input } = callAt(noop, at);
    if (check(input).length > 0) throw new Error('The input of the bench does not fit its schema.');
    return noop.run(input.file_path as string, undefined as never);
  });
}
