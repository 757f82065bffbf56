// Where the prompt cache is marked in the messages; the tools' and the system prompt's own marks are the provider's business.
import type { Message } from '../../common/blocks';
import type { CacheMark } from '../provider/types';

/** The API looks back 20 blocks from a mark for a cached prefix; some room is left. Source: [O03]. */
const LOOK_BACK_BLOCKS = 15;

/** The last block, and the end of the previous request when it lies too far back to be found from there. */
export function cacheMarks(messages: readonly Message[], previousEnd: CacheMark | undefined): CacheMark[] {
  const end = endOf(messages);
  if (!end) return [];
  const isFar = previousEnd !== undefined && blocksBetween(messages, previousEnd) > LOOK_BACK_BLOCKS;
  return isFar ? [previousEnd, end] : [end];
}

export function endOf(messages: readonly Message[]): CacheMark | undefined {
  const last = messages.at(-1);
  return last && { message: messages.length - 1, block: last.content.length - 1 };
}

function blocksBetween(messages: readonly Message[], from: CacheMark): number {
  const after = messages.slice(from.message).reduce((sum, { content }) => sum + content.length, 0);
  return after - from.block - 1;
}
