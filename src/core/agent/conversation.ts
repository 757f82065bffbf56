// What the model is sent: the session's events folded into messages, and made valid before every request, whatever happened to the events.
import type { AssistantBlock, Message, StopReason, ToolResultBlock, UserBlock } from '../../common/blocks';
import type { AgentEvent, EventOf } from '../../common/events';
import { wellFormed } from '../output/text';
import { wellFormedJson } from './wellFormed';

/** Stands in for a result that never came: the process ended, or the file lost a line. */
export const LOST_RESULT =
  'Interrupted: Lathe ended before this call did. It may have done its work, a part of it or nothing; look before you repeat it.';
/** The API wants a user message first and last. */
const LOST_BEGINNING = '[The beginning of this conversation is missing.]';
const GO_ON = 'Go on.';
const NO_TEXT = '(no text)';

type Entry =
  | { readonly role: 'user'; readonly blocks: UserBlock[] }
  | { readonly role: 'assistant'; readonly blocks: AssistantBlock[] };

/** Held state of one agent's conversation. Each event is folded once, so a long session stays linear. */
export class Conversation {
  private readonly entries: Entry[] = [];
  private readonly results = new Map<string, ToolResultBlock>();
  private readonly calls = new Set<string>();
  private readonly notes = new Map<string, string>();
  private isMessageOpen = false;
  private lastStop: StopReason | 'interrupted' | undefined;

  apply(event: AgentEvent): void {
    switch (event.type) {
      case 'turn/started':
        this.say({ type: 'text', text: wellFormed(event.text) }, ...(event.images ?? []));
        return;
      case 'note/appended':
        this.notes.set(event.about, event.text);
        this.say({ type: 'text', text: wellFormed(`<note about="${event.about}">\n${event.text}\n</note>`) });
        return;
      case 'block/finished':
        this.hear(event.content);
        return;
      case 'message/finished':
        this.isMessageOpen = false;
        this.lastStop = event.stopReason;
        if (event.stopReason === 'interrupted') this.dropLooseThoughts();
        return;
      case 'tool/finished':
        // The first result is what the model has seen.
        if (!this.results.has(event.call)) this.results.set(event.call, resultOf(event));
        return;
      default:
        return;
    }
  }

  hasCall(id: string): boolean {
    return this.calls.has(id);
  }

  /** What the model was last told about something. */
  lastNote(about: string): string | undefined {
    return this.notes.get(about);
  }

  /** The last thing that was said is the model's: without a word of ours it would have nothing to answer. */
  get endsWithModel(): boolean {
    const last = this.entries.at(-1);
    return (
      last?.role === 'assistant' &&
      cleanBlocks(last.blocks).some(({ type }) => type === 'text') &&
      !hasCalls(last.blocks)
    );
  }

  /**
   * Messages that the API accepts: roles alternate, from a user message to a user message (or to a paused one of the
   * model's), and each `tool_use` has exactly one `tool_result` in the next message, in call order, before all else there.
   * What has been sent once comes out the same the next time, so the cached prefix holds.
   */
  messages(): Message[] {
    const compiled = new Compiler(this.results);
    for (const entry of this.entries) {
      if (entry.role === 'user') compiled.user(entry.blocks);
      else compiled.assistant(entry.blocks);
    }
    return compiled.end({ mayEndWithModel: this.lastStop === 'pause_turn' });
  }

  /** Thoughts that led to nothing, since the model will think again: two trains of thought must not be coupled. */
  private dropLooseThoughts(): void {
    const last = this.entries.at(-1);
    if (last?.role === 'assistant') last.blocks.length = withoutTrailingThinking(last.blocks).length;
  }

  private say(...blocks: UserBlock[]): void {
    this.isMessageOpen = false;
    const last = this.entries.at(-1);
    if (last?.role === 'user') last.blocks.push(...blocks);
    else this.entries.push({ role: 'user', blocks });
  }

  private hear(block: AssistantBlock): void {
    if (block.type === 'tool_use') {
      if (this.calls.has(block.id)) return;
      this.calls.add(block.id);
    }
    const last = this.entries.at(-1);
    const clean = cleanBlock(block);
    if (last?.role === 'assistant' && this.isMessageOpen) last.blocks.push(clean);
    else this.entries.push({ role: 'assistant', blocks: [clean] });
    this.isMessageOpen = true;
  }
}

/** Puts entries together to messages; held state of one pass. */
class Compiler {
  private readonly out: Message[] = [];
  /** The model's message that is being put together: several entries when it paused. */
  private heard: AssistantBlock[] = [];

  constructor(private readonly results: ReadonlyMap<string, ToolResultBlock>) {}

  assistant(blocks: readonly AssistantBlock[]): void {
    if (hasCalls(this.heard)) this.push(this.closeHeard());
    this.heard.push(...cleanBlocks(blocks));
  }

  user(blocks: readonly UserBlock[]): void {
    const sendable = blocks.filter(isSendable);
    if (sendable.length > 0) this.push([...this.closeHeard(), ...sendable]);
  }

  end({ mayEndWithModel }: { readonly mayEndWithModel: boolean }): Message[] {
    this.push(this.closeHeard());
    const last = this.out.at(-1);
    if (last?.role !== 'user' && !(mayEndWithModel && last)) this.push([{ type: 'text', text: GO_ON }]);
    return this.out;
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
    return content.flatMap((block) => (block.type === 'tool_use' ? this.resultFor(block.id) : []));
  }

  private resultFor(id: string): ToolResultBlock {
    return this.results.get(id) ?? { type: 'tool_result', toolUseId: id, text: LOST_RESULT, isError: true };
  }
}

function resultOf({ call, text, images, status }: EventOf<'tool/finished'>): ToolResultBlock {
  return {
    type: 'tool_result',
    toolUseId: call,
    text: text.trim() === '' ? NO_TEXT : wellFormed(text),
    ...(images === undefined || images.length === 0 ? {} : { images: images.filter(({ data }) => data !== '') }),
    isError: status !== 'done',
  };
}

function hasCalls(blocks: readonly AssistantBlock[]): boolean {
  return blocks.some(({ type }) => type === 'tool_use');
}

/** Without what the API refuses inside a block. Thinking stays as it is: its signature covers the text. */
function cleanBlock(block: AssistantBlock): AssistantBlock {
  if (block.type === 'text') return { type: 'text', text: wellFormed(block.text) };
  if (block.type !== 'tool_use') return block;
  const name = block.name.replace(/[^\w-]/g, '_').slice(0, 128) || 'unnamed';
  return { type: 'tool_use', id: block.id, name, input: wellFormedJson(block.input) };
}

/** Without the blocks that the API refuses: empty text, thinking that was cut before its signature came or that JSON cannot carry. */
function cleanBlocks(blocks: readonly AssistantBlock[]): AssistantBlock[] {
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
function withoutTrailingThinking(blocks: readonly AssistantBlock[]): AssistantBlock[] {
  const end = blocks.findLastIndex(({ type }) => type === 'text' || type === 'tool_use');
  return blocks.slice(0, end + 1);
}
