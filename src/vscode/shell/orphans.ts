// Some time after the window has opened, what an earlier one left running is ended: it may have crashed (R45).
import type { Log } from '../../core/host';

/**
 * Later than what a person waits for. Once more when the former window, of which this may be the reload, has had its time
 * to end by itself.
 */
const SWEEPS_AFTER_MS = [3_000, 30_000];

export function sweepInBackground(log: Log): { dispose(): void } {
  const timers = SWEEPS_AFTER_MS.map((afterMs) => setTimeout(() => void sweep(log), afterMs));
  return { dispose: () => timers.forEach(clearTimeout) };
}

async function sweep(log: Log): Promise<void> {
  const { sweepOrphans } = await import('../../node/sweep');
  const ended = await sweepOrphans();
  if (ended > 0) log.info(`Processes that an earlier window had left running were ended: ${ended}.`);
}
