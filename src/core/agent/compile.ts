// Entries of a conversation put together to messages that the API accepts. What is settled is compiled once and shared by all later requests.
import type { AssistantBlock, Message, ToolResultBlock, UserBlock } from '../../common/blocks';
import { wellFormed } from '../output/text';

/** Stands in for a result that never came: the process ended, or the file lost a line. */
export const LOST_RESULT =
  'Interrupted: Lathe ended before this call did. It may have done its work, a part of it or nothing; look before you repeat it.';
/** The API wants a user message first and last. */
const LOST_BEGINNING = '[The beginning of this conversation is missing.]';
const GO_ON = 'Go on.';

export type Entry =
  | { readonly role: 'user'; readonly blocks: UserBlock[] }
  | { readonly role: 'assistant'; readonly blocks: AssistantBlock[] };

/** Held state: the messages of the entries added so far. Each entry must be final when it is added; results may come later. */
export class Compiler {
  /** Index in `out` of the message that holds the result of a call. */
  private readonly places = new Map<string, number>();

  constructor(
    private readonly results: ReadonlyMap<string, ToolResultBlock>,
    private readonly out: Message[] = [],
    /** The model's message that is being put together: several entries when it paused. */
    private heard: AssistantBlock[] = [],
  ) {}

  add(entry: Entry): void {
    if (entry.role === 'assistant') {
      this.heard.push(...cleanBlocks(entry.blocks));
      if (hasCalls(this.heard)) this.push(this.closeHeard());
      return;
    }
    const sendable = entry.blocks.filter(isSendable);
    if (sendable.length > 0) this.push([...this.closeHeard(), ...sendable]);
  }

  /** The results of these calls are others by now. */
  refresh(calls: readonly string[]): void {
    for (const at of new Set(calls.flatMap((call) => this.places.get(call) ?? []))) {
      const message = this.out[at];
      if (message?.role !== 'user') continue;
      const content = message.content.map((block) =>
        block.type === 'tool_result' ? this.resultFor(block.toolUseId) : block,
      );
      this.out[at] = { role: 'user', content };
    }
  }

  /** All messages, ended with an entry that may still grow: what that adds is compiled anew each time. */
  messages(last: Entry | undefined, { mayEndWithModel }: { readonly mayEndWithModel: boolean }): Message[] {
    const draft = new Compiler(this.results, [...this.out], [...this.heard]);
    if (last) draft.add(last);
    draft.end(mayEndWithModel);
    return draft.out;
  }

  private end(mayEndWithModel: boolean): void {
    this.push(this.closeHeard());
    const last = this.out.at(-1);
    if (last?.role !== 'user' && !(mayEndWithModel && last)) this.push([{ type: 'text', text: GO_ON }]);
  }

  private push(content: readonly UserBlock[]): void {
    if (content.length === 0) return;
    const last = this.out.at(-1);
    if (last?.role === 'user') this.out[this.out.length - 1] = { role: 'user', content: [...last.content, ...content] };
    else this.out.push({ role: 'user', content });
  }

  /** Ends the model's message and answers the results that the next one has to begin with. */
  private closeHeard(): ToolResultBlock[] {
    const content = withoutTrailingThinking(this.heard);
    this.heard = [];
    if (content.length === 0) return [];
    if (this.out.length === 0) this.out.push({ role: 'user', content: [{ type: 'text', text: LOST_BEGINNING }] });
    this.out.push({ role: 'assistant', content });
    const calls = content.flatMap((block) => (block.type === 'tool_use' ? block.id : []));
    for (const call of calls) this.places.set(call, this.out.length);
    return calls.map((call) => this.resultFor(call));
  }

  private resultFor(call: string): ToolResultBlock {
    return this.results.get(call) ?? { type: 'tool_result', toolUseId: call, text: LOST_RESULT, isError: true };
  }
}

export function hasCalls(blocks: readonly AssistantBlock[]): boolean {
  return blocks.some(({ type }) => type === 'tool_use');
}

/** Without the blocks that the API refuses: empty text, thinking that was cut before its signature came or that JSON cannot carry. */
export function cleanBlocks(blocks: readonly AssistantBlock[]): AssistantBlock[] {
  return blocks.filter((block) => {
    switch (block.type) {
      case 'text':
        return block.text.trim() !== '';
      case 'thinking':
        return block.signature !== '' && wellFormed(block.thinking) === block.thinking;
      case 'redacted_thinking':
        return block.data !== '';
      case 'tool_use':
        return true;
    }
  });
}

function isSendable(block: UserBlock): boolean {
  if (block.type === 'text') return block.text.trim() !== '';
  return block.type !== 'image' || block.data !== '';
}

/** A message must not end with thinking; thoughts that led to nothing are dropped. */
export function withoutTrailingThinking(blocks: readonly AssistantBlock[]): AssistantBlock[] {
  const end = blocks.findLastIndex(({ type }) => type === 'text' || type === 'tool_use');
  return blocks.slice(0, end + 1);
}
