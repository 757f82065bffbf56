// What 100,000 calls leave in memory: in the engine, which must stay flat, and in a whole session, which keeps what it shows.
import { runToolCall } from '../../../src/core/tool/orchestrator';
import { figure, liveMegabytes, type Figure } from '../measure';
import { callAt, noop, withBenchSession } from './session';

const EARLY_CALLS = 20_000;
const CALLS = 100_000;

export async function measureMemory(): Promise<Figure[]> {
  const figures: Figure[] = [];
  await withBenchSession(noop, async ({ turn, call }) => {
    const silent = { ...turn, emit: () => {} };
    figures.push(...(await grow('the engine', (at) => runToolCall(callAt(noop, at), silent))));
    figures.push(...(await grow('a whole session', (at) => call(CALLS + at))));
  });
  return figures;
}

async function grow(what: string, call: (at: number) => Promise<unknown>): Promise<Figure[]> {
  for (let at = 0; at < EARLY_CALLS; at++) await call(at);
  const early = await liveMegabytes();
  for (let at = EARLY_CALLS; at < CALLS; at++) await call(at);
  const late = await liveMegabytes();
  const perCall = ((late - early) * 1024 ** 2) / (CALLS - EARLY_CALLS);
  return [
    figure(`memory of ${what}, after 100,000 calls`, 'MB', late, { name: 'after 20,000 calls', value: early }),
    { name: `memory of ${what}, growth per call`, unit: 'bytes', value: perCall },
  ];
}
