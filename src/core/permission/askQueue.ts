// The interactive Asker: holds what waits for a person until a panel answers it.
import type { Ask, AskAnswer } from '../../common/asks';
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
        const settle = (answer: AskAnswer) => {
          waiting.delete(ask.id);
          signal.removeEventListener('abort', dismiss);
          resolve(answer);
        };
        const dismiss = () => {
          settle({ kind: 'dismissed', reason: 'Stopped before it was answered.' });
        };
        if (signal.aborted) {
          dismiss();
          return;
        }
        signal.addEventListener('abort', dismiss);
        waiting.set(ask.id, { ask, settle });
      });
    },
    answer(id, answer) {
      const entry = waiting.get(id);
      if (entry?.ask.kind !== answer.kind) return false;
      entry.settle(answer);
      return true;
    },
  };
}
