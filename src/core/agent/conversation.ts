// What the model is sent: the session's events folded into messages, and made valid before every request, whatever happened to the events.
import type { AssistantBlock, Message, StopReason, ToolResultBlock, UserBlock } from '../../common/blocks';
import type { AgentEvent, EventOf, PrunedResult } from '../../common/events';
import { wellFormed } from '../output/text';
import type { CacheMark } from '../provider/types';
import { cleanBlocks, Compiler, hasCalls, withoutTrailingThinking, type Entry } from './compile';
import { pointerTo, ResultSizes } from './prune';
import { wellFormedJson } from './wellFormed';

const NO_TEXT = '(no text)';

/** Held state of one agent's conversation. Each event is folded once and each message compiled once, so a long session stays linear. */
export class Conversation {
  /** The end of the latest request; not known in a session that was opened again. */
  sentEnd: CacheMark | undefined;
  private readonly results = new Map<string, ToolResultBlock>();
  private readonly settled = new Compiler(this.results);
  private readonly sizes = new ResultSizes();
  /** The names of the tools by call. */
  private readonly calls = new Map<string, string>();
  private readonly notes = new Map<string, string>();
  private readonly told = new Set<string>();
  /** The entry that may still grow; all before it are settled. */
  private last: Entry | undefined;
  private lastCalls = new Set<string>();
  /** Of the latest turn. */
  private prompt: readonly UserBlock[] = [];
  private isMessageOpen = false;
  private lastStop: StopReason | 'interrupted' | undefined;

  apply(event: AgentEvent): void {
    switch (event.type) {
      case 'turn/started':
        this.prompt = [{ type: 'text', text: wellFormed(event.text) }, ...(event.images ?? [])];
        this.say(...this.prompt);
        return;
      case 'turn/finished':
        if (event.end === 'blocked') this.takeBack(this.prompt);
        return;
      case 'note/appended':
        this.notes.set(event.about, event.text);
        this.told.add(event.text);
        this.say({ type: 'text', text: noteText(event) });
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
        this.keepResult(event);
        return;
      case 'results/pruned':
        this.dropResults(event.results);
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

  /** Whether some note said just this. */
  wasTold(text: string): boolean {
    return this.told.has(text);
  }

  /** The last thing that was said is the model's: without a word of ours it would have nothing to answer. */
  get endsWithModel(): boolean {
    const { last } = this;
    return (
      last?.role === 'assistant' &&
      cleanBlocks(last.blocks).some(({ type }) => type === 'text') &&
      !hasCalls(last.blocks)
    );
  }

  /**
   * Messages that the API accepts: roles alternate, from a user message to a user message (or to a paused one of the
   * model's), and each `tool_use` has exactly one `tool_result` in the next message, in call order, before all else there.
   * What has been sent once comes out the same the next time, but for results that were dropped, so the cached prefix holds.
   * What is settled is the same objects each time.
   */
  messages(): Message[] {
    return this.settled.messages(this.last, { mayEndWithModel: this.lastStop === 'pause_turn' });
  }

  /** The results that have to leave so that all of them take `budgetChars` at most; see `ResultSizes`. */
  duePruning(budgetChars: number): PrunedResult[] {
    return this.sizes.due(budgetChars, this.lastCalls);
  }

  /** The first result is what the model has seen. */
  private keepResult(event: EventOf<'tool/finished'>): void {
    const { call, wholeChars, background = false } = event;
    if (this.results.has(call)) return;
    const result = resultOf(event);
    this.results.set(call, result);
    const tool = this.calls.get(call);
    if (tool !== undefined) this.sizes.add(result, pointerTo({ call, tool, isStored: wholeChars > 0 || background }));
    this.settled.refresh([call]);
  }

  private dropResults(pruned: readonly PrunedResult[]): void {
    for (const { call, text } of pruned) {
      const result = this.results.get(call);
      if (!result) continue;
      this.results.set(call, { type: 'tool_result', toolUseId: call, text, isError: result.isError });
      this.sizes.drop(call);
    }
    this.settled.refresh(pruned.map(({ call }) => call));
  }

  /** Thoughts that led to nothing, since the model will think again: two trains of thought must not be coupled. */
  private dropLooseThoughts(): void {
    const { last } = this;
    if (last?.role === 'assistant') last.blocks.length = withoutTrailingThinking(last.blocks).length;
  }

  private say(...blocks: UserBlock[]): void {
    this.isMessageOpen = false;
    if (this.last?.role === 'user') this.last.blocks.push(...blocks);
    else this.begin({ role: 'user', blocks });
  }

  /** What no request has held yet. */
  private takeBack(blocks: readonly UserBlock[]): void {
    const { last } = this;
    if (last?.role !== 'user') return;
    last.blocks.splice(0, last.blocks.length, ...last.blocks.filter((block) => !blocks.includes(block)));
  }

  private hear(block: AssistantBlock): void {
    if (block.type === 'tool_use' && this.calls.has(block.id)) return;
    const clean = cleanBlock(block);
    if (this.last?.role === 'assistant' && this.isMessageOpen) this.last.blocks.push(clean);
    else {
      this.begin({ role: 'assistant', blocks: [clean] });
      this.lastCalls = new Set();
    }
    this.isMessageOpen = true;
    if (clean.type !== 'tool_use') return;
    this.calls.set(clean.id, clean.name);
    this.lastCalls.add(clean.id);
  }

  private begin(entry: Entry): void {
    if (this.last) this.settled.add(this.last);
    this.last = entry;
  }
}

/** Some of what notes tell comes from programs and files: none of it ends a note, or begins another one. */
function noteText({ about, text }: EventOf<'note/appended'>): string {
  return wellFormed(`<note about="${about}">\n${text.replace(/<(?=\/?note\b)/gi, '&lt;')}\n</note>`);
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

/** Without what the API refuses inside a block. Thinking stays as it is: its signature covers the text. */
function cleanBlock(block: AssistantBlock): AssistantBlock {
  if (block.type === 'text') return { type: 'text', text: wellFormed(block.text) };
  if (block.type !== 'tool_use') return block;
  const name = block.name.replace(/[^\w-]/g, '_').slice(0, 128) || 'unnamed';
  return { type: 'tool_use', id: block.id, name, input: wellFormedJson(block.input) };
}
