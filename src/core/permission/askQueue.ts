// The interactive Asker: holds what waits for a person until a panel answers it.
import type { Ask, AskAnswer } from '../../common/asks';
import { onAbort } from '../onAbort';
import type { AskQueue } from '../session/types';

export function createAskQueue(): AskQueue {
  const waiting = new Map<string, { readonly ask: Ask; readonly settle: (answer: AskAnswer) => void }>();
  return {
    hasPerson: true,
    get pending() {
      return waiting.size;
    },
    ask(ask, signal) {
      return new Promise((resolve) => {
        const settle = (answer: AskAnswer): void => {
          waiting.delete(ask.id);
          release();
          resolve(answer);
        };
        waiting.set(ask.id, { ask, settle });
        const dismiss = (): void => {
          waiting.delete(ask.id);
          resolve({ kind: 'dismissed', reason: 'Stopped before it was answered.' });
        };
        const release = onAbort(signal, dismiss);
      });
    },
    waiting: (id) => waiting.get(id)?.ask,
    answer(id, answer) {
      const entry = waiting.get(id);
      if (entry?.ask.kind !== answer.kind || !isMeant(entry.ask, answer)) return false;
      entry.settle(answer);
      return true;
    },
  };
}

/** An answer holds for exactly what was shown (S21): a digest that is named has to be the one of the ask. */
function isMeant(ask: Ask, answer: AskAnswer): boolean {
  if (ask.kind !== 'permission' || answer.kind !== 'permission') return true;
  const isOffered = answer.grant === undefined || answer.grant < (ask.grants?.length ?? 0);
  return isOffered && (answer.digest === undefined || answer.digest === ask.digest);
}
