// Waits for what comes about without an event to wait for.
import { setTimeout as sleep } from 'node:timers/promises';

const LIMIT_MS = 60_000;
const POLL_MS = 100;

/** Until `look` answers true. Rejects with `what` when that takes too long. */
export async function eventually(what: string, look: () => Promise<boolean>): Promise<void> {
  for (const startMs = Date.now(); Date.now() - startMs < LIMIT_MS; await sleep(POLL_MS)) {
    if (await look()) return;
  }
  throw new Error(`Waited in vain for ${what}.`);
}
