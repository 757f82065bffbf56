// The contents that a session's checkpoints need, in the store: each kept once, under the SHA-256 of its bytes.
import { createHash } from 'node:crypto';
import type { Store } from '../store';

/** Where the contents of all sessions lie, a folder for each. */
export const CONTENTS = 'checkpoints/';

/** Names come out of session files too: only such a one ever becomes part of a path. */
const NAME = /^[0-9a-f]{64}$/;

export function isContentName(name: unknown): name is string {
  return typeof name === 'string' && NAME.test(name);
}

export function contentName(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Held state: which contents are known to lie whole in the store. */
export class Contents {
  private readonly kept = new Map<string, Promise<void>>();

  constructor(
    private readonly store: Store,
    private readonly session: string,
  ) {}

  /** Written once. Rejects with a readable Error when the store cannot take it. */
  keep(name: string, bytes: Uint8Array): Promise<void> {
    const known = this.kept.get(name);
    if (known) return known;
    const keeping = this.write(name, bytes);
    this.kept.set(name, keeping);
    keeping.catch(() => this.kept.delete(name));
    return keeping;
  }

  /** From here on the store is looked into again: another window may have made room in it. */
  forget(): void {
    this.kept.clear();
  }

  private async write(name: string, bytes: Uint8Array): Promise<void> {
    const path = this.pathOf(name);
    if ((await this.store.size(path)) !== undefined) {
      if (await this.read(name)) return;
      // What a crash has left torn.
      await this.store.remove(path);
    }
    await this.store.append(path, bytes);
  }

  /** Undefined when it is not there any more, or is not what was kept. Never rejects. */
  async read(name: string): Promise<Uint8Array | undefined> {
    if (!isContentName(name)) return undefined;
    const path = this.pathOf(name);
    try {
      const bytes = await this.store.read(path, 0, (await this.store.size(path)) ?? 0);
      return contentName(bytes) === name ? bytes : undefined;
    } catch {
      return undefined;
    }
  }

  private pathOf(name: string): string {
    return `${CONTENTS}${this.session}/${name}`;
  }
}
