// What a person is told when a turn ends by an error.
import type { EventBody } from '../../common/events';
import { ProviderFault } from '../provider/types';

/** A provider's fault says what to do itself; anything else is a bug. */
export function failureNotice(error: unknown): EventBody {
  const reason = error instanceof Error ? error.message : String(error);
  const text =
    error instanceof ProviderFault ? reason : `Lathe met a bug of its own: ${reason}. The session goes on; try again.`;
  return { type: 'notice', level: 'error', text, action: { title: 'Show Log', command: 'lathe.showLog' } };
}
