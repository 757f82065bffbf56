// Edits tell snapshots what they change, so that it is not taken for the work of a command that runs meanwhile.
import type { Edits } from '../host';
import type { Snapshots } from './types';

export function tellingEdits(edits: Edits, snapshots: Pick<Snapshots, 'refresh'>): Edits {
  return {
    async apply(plan) {
      const outcome = await edits.apply(plan);
      const paths = plan.changes.flatMap((change) => [
        change.path,
        ...(change.real === undefined ? [] : [change.real]),
        ...(change.kind === 'move' ? [change.to] : []),
      ]);
      await snapshots.refresh(paths);
      return outcome;
    },
  };
}
