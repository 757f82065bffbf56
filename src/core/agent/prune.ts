// Which tool results leave the requests when all of them together take too much room: the oldest, in one big step, so that the cached prefix breaks rarely.
import type { ToolResultBlock } from '../../common/blocks';
import type { PrunedResult } from '../../common/events';

/** What an image counts: about 1,600 tokens, the most the API makes of one. */
export const IMAGE_CHARS = 6_400;
/** One step goes down to this share of the room, so that the other half is filled before the next. */
const STEP_SHARE = 0.5;
/** The latest results stay as long as they take no more than this share of the room. */
const LATEST_SHARE = 0.25;
/** In a very long session what cannot be dropped takes the budget up; this share of it is left for results all the same. */
const ROOM_SHARE_MIN = 0.25;

interface Droppable extends PrunedResult {
  /** Characters that requests are shorter without it. */
  readonly chars: number;
}

/** What stands in a dropped result's place for ever. */
export function pointerTo({ call, tool, isStored }: { call: string; tool: string; isStored: boolean }): string {
  const dropped = `[This result of ${tool} was dropped to save room.`;
  if (!isStored) return `${dropped} Nothing of it is stored: call ${tool} again if you need it.]`;
  return `${dropped} Read or search it with the tool output, id ${JSON.stringify(call)}.]`;
}

/** Held state: what the results of a conversation take in its requests, oldest first. */
export class ResultSizes {
  private readonly droppable = new Map<string, Droppable>();
  private droppableChars = 0;
  /** Of pointers, there or to come, and of results that are no longer than one. */
  private fixedChars = 0;

  add({ toolUseId: call, text: { length }, images = [] }: ToolResultBlock, pointer: string): void {
    const chars = length + images.length * IMAGE_CHARS - pointer.length;
    this.fixedChars += pointer.length + Math.min(chars, 0);
    if (chars <= 0) return;
    this.droppable.set(call, { call, text: pointer, chars });
    this.droppableChars += chars;
  }

  drop(call: string): void {
    this.droppableChars -= this.droppable.get(call)?.chars ?? 0;
    this.droppable.delete(call);
  }

  /**
   * Nothing while the results take no more than `budgetChars`; else the oldest ones, down to about half of that. The results
   * of `lastCalls`, which the model has not answered yet, stay whatever they take, and so do the few latest.
   */
  due(budgetChars: number, lastCalls: ReadonlySet<string>): PrunedResult[] {
    const roomChars = Math.max(budgetChars - this.fixedChars, budgetChars * ROOM_SHARE_MIN);
    if (this.droppableChars <= roomChars) return [];
    const due: PrunedResult[] = [];
    let chars = this.droppableChars;
    for (const { call, text, chars: freed } of withoutLatest([...this.droppable.values()], roomChars * LATEST_SHARE)) {
      if (chars <= roomChars * STEP_SHARE) break;
      if (lastCalls.has(call)) continue;
      due.push({ call, text });
      chars -= freed;
    }
    return due;
  }
}

function withoutLatest(results: readonly Droppable[], latestChars: number): readonly Droppable[] {
  let chars = 0;
  const end = results.findLastIndex((result) => (chars += result.chars) > latestChars);
  return results.slice(0, end + 1);
}
