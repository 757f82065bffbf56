// What a person is told of a turn that cannot work as it should.
import { messageOf } from '../../common/errors';
import type { EventBody } from '../../common/events';
import { ProviderFault } from '../provider/types';

/** A provider's fault says what to do itself; anything else is a bug. */
export function failureNotice(error: unknown): EventBody {
  const reason = messageOf(error);
  const text =
    error instanceof ProviderFault ? reason : `Lathe met a bug of its own: ${reason}. The session goes on; try again.`;
  return { type: 'notice', level: 'error', text, action: { title: 'Show Log', command: 'lathe.showLog' } };
}

export const NO_FOLDER_NOTICE: EventBody = {
  type: 'notice',
  level: 'info',
  text: 'No folder is open, so there are no files to read or change. Open a folder to work on a project.',
};
