// The disk share of outputs: the longest unused sessions lose theirs, open and recent ones keep them.
import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { trimStored } from '../../../src/core/quota';
import { createWorkspace } from '../../support/workspace';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.UTC(2026, 0, 31);

interface Case {
  /** Bytes and hours since the last use, by name. */
  readonly files: Readonly<Record<string, readonly [number, number]>>;
  readonly maxBytes: number;
  readonly open?: readonly string[];
  readonly left: readonly string[];
}

describe('B02 K15 the disk share of outputs', () => {
  function check(name: string, { files, maxBytes, open = [], left }: Case): void {
    it(name, async () => {
      const workspace = await createWorkspace();
      const { store } = workspace.host;
      try {
        for (const [file, [sizeBytes, hours]] of Object.entries(files)) {
          await store.append(file, new Uint8Array(sizeBytes));
          const at = new Date(NOW_MS - hours * HOUR_MS);
          await utimes(join(workspace.outside, 'store', file), at, at);
        }
        await trimStored(store, {
          prefix: 'outputs/',
          maxBytes,
          nowMs: NOW_MS,
          isOpen: (session) => open.includes(session),
        });
        assert.deepEqual(await store.list(''), left);
      } finally {
        await workspace.remove();
      }
    });
  }
  const files = {
    'outputs/new/a': [40, 2],
    'outputs/old/a': [40, 30],
    'outputs/old/b': [5, 40],
    'outputs/older/a': [40, 50],
    'sessions/old.jsonl': [900, 30],
  } as const;
  const all = Object.keys(files).sort();
  const without = (...sessions: string[]) => all.filter((name) => !sessions.includes(name.split('/')[1] ?? ''));

  check('nothing goes while the sum fits', { files, maxBytes: 125, left: all });
  check('the longest unused goes first', { files, maxBytes: 124, left: without('older') });
  check('a session loses all of its outputs', { files, maxBytes: 84, left: without('older', 'old') });
  check('an open session keeps its own', { files, maxBytes: 84, open: ['older'], left: without('old') });
  check('so does one that was used in the last hour', {
    files: { ...files, 'outputs/older/b': [1, 0.5] },
    maxBytes: 0,
    left: ['outputs/older/a', 'outputs/older/b', 'sessions/old.jsonl'],
  });
  check('a session’s own file counts as use', {
    files: { ...files, 'sessions/older.jsonl': [1, 3] },
    maxBytes: 124,
    left: [...without('old'), 'sessions/older.jsonl'].sort(),
  });
});
