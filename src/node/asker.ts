// The Asker where nobody is there to answer: every ask is dismissed at once, with the reason.
import type { Asker } from '../core/host';

export const unattended: Asker = {
  hasPerson: false,
  ask: () =>
    Promise.resolve({
      kind: 'dismissed',
      reason: 'Nobody is here to answer: Lathe runs without a person.',
    }),
};
