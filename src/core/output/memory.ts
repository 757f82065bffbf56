// The latest whole outputs of the latest sessions, kept in memory: one holder for all sessions of a window.
import { LRUCache } from 'lru-cache';
import type { Settings } from '../../common/settings';

/** Small outputs take more for being kept than for what they hold: their number is bounded too. */
const ENTRIES_MAX = 2_000;

/** Held state of a window. Both bounds are settings, read at each write, and one entry stays whatever they say [B02, K15]. */
export class OutputMemory {
  private readonly sessions = lastUsed<LRUCache<string, Uint8Array>>(() => 1);
  private readonly open = new Set<string>();

  constructor(private readonly settings: Settings) {}

  get(session: string, call: string): Uint8Array | undefined {
    return this.sessions.get(session)?.get(call);
  }

  set(session: string, call: string, bytes: Uint8Array): void {
    const outputs = this.sessions.get(session) ?? lastUsed<Uint8Array>(({ length }) => Math.max(1, length));
    outputs.set(call, bytes);
    shrink(outputs, this.settings.get('output.memoryBytes'));
    this.sessions.set(session, outputs);
    shrink(this.sessions, this.settings.get('output.sessions'));
  }

  delete(session: string, call: string): void {
    this.sessions.get(session)?.delete(call);
  }

  /** From here to `leave` the session’s stored outputs are in use. */
  enter(session: string): void {
    this.open.add(session);
  }

  leave(session: string): void {
    this.open.delete(session);
  }

  isOpen(session: string): boolean {
    return this.open.has(session);
  }
}

/** Bounded by `shrink` alone, since the package takes a bound that stays. */
function lastUsed<V extends object>(sizeOf: (value: V) => number): LRUCache<string, V> {
  return new LRUCache<string, V>({ maxSize: Number.MAX_SAFE_INTEGER, sizeCalculation: sizeOf });
}

function shrink<V extends object>(cache: LRUCache<string, V>, maxSize: number): void {
  while ((cache.calculatedSize > maxSize && cache.size > 1) || cache.size > ENTRIES_MAX) cache.pop();
}
