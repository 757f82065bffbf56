// Runs a mocha suite inside VS Code's extension host and leaves its results where the starting process reads them.
import { renameSync, writeFileSync } from 'node:fs';
import type { SuiteResults } from './results.mjs';

const DEFAULT_TEST_TIMEOUT_MS = 60_000;
const NO_RESULTS: SuiteResults = { passed: 0, failed: 0, skipped: 0, failures: [], finished: false };

export interface RunOptions {
  /** Per test; a test may set its own. */
  readonly timeoutMs?: number;
}

/**
 * Runs the tests that the given functions register, for a suite's `run()`:
 * `export const run = () => runMocha([() => import('./terminal.test'), …])`. The imports must be dynamic, because mocha's
 * globals (`describe`, `it`) exist only from here on. LATHE_GREP keeps the tests whose title matches.
 * Rejects when a test failed, which makes VS Code end with code 1.
 */
export async function runMocha(
  load: readonly (() => unknown)[],
  { timeoutMs = DEFAULT_TEST_TIMEOUT_MS }: RunOptions = {},
): Promise<void> {
  // Dynamic, because mocha is an ES module and a suite is bundled as CommonJS.
  const { default: Mocha } = await import('mocha');
  const grep = process.env['LATHE_GREP'];
  class Report extends Mocha.reporters.Spec {
    // The failures only: the totals are the starting process's to print, since it also knows of a suite that never ended.
    override epilogue(): void {
      if (this.failures.length > 0) Mocha.reporters.Base.list(this.failures);
    }
  }
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: timeoutMs,
    color: false,
    reporter: Report,
    ...(grep ? { grep } : {}),
  });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  for (const register of load) await register();

  let results = NO_RESULTS;
  const note = (change: Partial<SuiteResults>): void => {
    results = { ...results, ...change };
    writeResults(results);
  };
  note({});
  const failed = await new Promise<number>((resolve) => {
    const runner = mocha.run(resolve);
    runner.on('test', (test) => note({ running: test.fullTitle() }));
    runner.on('hook', (hook) => note({ running: hook.fullTitle() }));
    runner.on('pass', () => note({ passed: results.passed + 1 }));
    runner.on('pending', () => note({ skipped: results.skipped + 1 }));
    runner.on('fail', (test, error: Error) =>
      note({
        failed: results.failed + 1,
        failures: [...results.failures, { title: test.fullTitle(), error: error.stack ?? String(error) }],
      }),
    );
  });
  const { running: _running, ...final } = results;
  writeResults({ ...final, finished: true });
  if (failed > 0) throw new Error(`${failed} failed`);
}

/**
 * Runs one thing that is not a test, such as a prompt, for a suite's `run()`: it counts as passed unless it throws.
 * Without results of its own a suite is taken for one that crashed.
 */
export async function runTask(title: string, task: () => Promise<void>): Promise<void> {
  writeResults({ ...NO_RESULTS, running: title });
  try {
    await task();
  } catch (error) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    writeResults({ ...NO_RESULTS, failed: 1, failures: [{ title, error: text }], finished: true });
    throw error;
  }
  writeResults({ ...NO_RESULTS, passed: 1, finished: true });
}

/** Renamed into place, because the reader may look at any moment. */
function writeResults(results: SuiteResults): void {
  const file = process.env['LATHE_RESULTS'];
  if (!file) return;
  writeFileSync(`${file}.new`, JSON.stringify(results, null, 2));
  renameSync(`${file}.new`, file);
}
