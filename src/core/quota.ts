// Keeps what is stored for sessions within its share of the disk: that of the longest unused sessions goes first.
import type { Store, StoredFile } from './store';

export interface QuotaOptions {
  /** Below it each session has a folder: `outputs/`. */
  readonly prefix: string;
  readonly maxBytes: number;
  /** Epoch milliseconds. */
  readonly nowMs: number;
  /** Sessions that keep theirs in any case. */
  readonly isOpen: (session: string) => boolean;
}

/** Another window may have it open, which nobody knows here. */
const RECENT_MS = 60 * 60 * 1000;

interface Usage {
  readonly names: string[];
  bytes: number;
  usedMs: number;
}

/** Removes files until their sum fits or nothing more may go; a session loses all of its files or none. Rejects when the store fails. */
export async function trimStored(store: Store, { prefix, maxBytes, nowMs, isOpen }: QuotaOptions): Promise<void> {
  const stored = await store.entries(prefix);
  let excessBytes = stored.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0) - maxBytes;
  if (excessBytes <= 0) return;
  const usages = usagesOf(stored, await store.entries('sessions/'));
  const removable = [...usages].filter(([session, { usedMs }]) => !isOpen(session) && usedMs < nowMs - RECENT_MS);
  for (const [, { names, bytes }] of removable.sort(([, a], [, b]) => a.usedMs - b.usedMs)) {
    if (excessBytes <= 0) return;
    for (const name of names) await store.remove(name);
    excessBytes -= bytes;
  }
}

/** By session: a session counts as used when something was written to its folder or to its own file. */
function usagesOf(files: readonly StoredFile[], sessions: readonly StoredFile[]): ReadonlyMap<string, Usage> {
  const usages = new Map<string, Usage>();
  for (const { name, sizeBytes, modifiedMs } of files) {
    const session = name.split('/')[1] ?? '';
    const usage = usages.get(session) ?? { names: [], bytes: 0, usedMs: 0 };
    usage.names.push(name);
    usage.bytes += sizeBytes;
    usage.usedMs = Math.max(usage.usedMs, modifiedMs);
    usages.set(session, usage);
  }
  for (const { name, modifiedMs } of sessions) {
    const usage = usages.get(name.slice('sessions/'.length).replace(/\.jsonl$/, ''));
    if (usage) usage.usedMs = Math.max(usage.usedMs, modifiedMs);
  }
  return usages;
}
