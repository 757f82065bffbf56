// What benches measure with: figures beside their baselines, percentiles, memory after a collection.

/** One measured number, beside one of the same run that it can be judged by. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: 'ms' | 'MB' | 'bytes' | 'ratio' | 'characters' | 'lines';
  readonly baseline?: { readonly name: string; readonly value: number };
  /** How many times the baseline; absent where a difference is what counts. */
  readonly ratio?: number;
}

export function figure(
  name: string,
  unit: Figure['unit'],
  value: number,
  baseline?: { readonly name: string; readonly value: number },
): Figure {
  return { name, value, unit, ...(baseline ? { baseline, ratio: value / baseline.value } : {}) };
}

/** `share` from 0 to 1: 0.5 is the median. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Milliseconds of each of `count` runs, after `warmUp` that are not counted. */
export async function timeEach(count: number, warmUp: number, run: (at: number) => unknown): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < warmUp + count; at++) {
    const startedMs = performance.now();
    await run(at);
    if (at >= warmUp) times.push(performance.now() - startedMs);
  }
  return times;
}

/** Milliseconds per run, for what is too short to be timed one by one. */
export function timePerRun(count: number, run: (at: number) => unknown): number {
  for (let at = 0; at < count / 10; at++) run(at);
  const startedMs = performance.now();
  for (let at = 0; at < count; at++) run(at);
  return (performance.now() - startedMs) / count;
}

/** The fastest of a few tries: what the machine does besides only ever adds. */
export async function fastest(tries: number, run: () => unknown): Promise<number> {
  return Math.min(...(await timeEach(tries, 1, run)));
}

const MEGABYTE = 1024 ** 2;

/** What is alive on the heap and in buffers, in MB. Benches run with --expose-gc. */
export async function liveMegabytes(): Promise<number> {
  for (let pass = 0; pass < 3; pass++) {
    globalThis.gc?.();
    await new Promise((resolve) => setImmediate(resolve));
  }
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEGABYTE;
}
