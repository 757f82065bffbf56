// Deleting a session with everything that is kept for it.
import { CONTENTS } from '../checkpoint/contents';
import type { Store } from '../store';
import { sessionFile } from '../session/journal';
import type { Outcome } from './types';

/** The session's own file goes last: until then it can be deleted again. Rejects with a readable Error. */
export async function removeStored(store: Store, id: string): Promise<Outcome> {
  for (const prefix of [`outputs/${id}/`, `${CONTENTS}${id}/`]) {
    for (const name of await store.list(prefix)) await store.remove(name);
  }
  await store.remove(sessionFile(id));
  return { ok: true };
}
