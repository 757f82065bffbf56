// One message of the model, streamed: its pieces become events, its complete calls start, and what had arrived is kept when it breaks.
import { NO_USAGE, type AssistantBlock, type StopReason, type ToolUseBlock, type Usage } from '../../common/blocks';
import { ProviderFault, type ModelEvent, type ModelRequest } from '../provider/types';
import { MessageCalls } from '../tool/schedule';
import type { ToolCall } from '../tool/tool';
import type { ToolResult } from '../tool/turnTools';
import type { Turn } from './turn';

export type StreamedMessage = {
  /** Blocks that are part of the conversation now. */
  readonly blocks: number;
  readonly calls: readonly ToolCall[];
  /** In call order; every call has run, or was refused, by now. */
  readonly results: readonly ToolResult[];
} & ({ readonly stop: StopReason } | { readonly fault: ProviderFault });

/** Why calls that are complete do not run, worded for the model. */
const ABANDONED: Partial<Record<StopReason | 'interrupted', string>> = {
  max_tokens:
    'Not run: your message reached the output limit, so what came last may be incomplete. Send this call again; split large content into several smaller calls.',
  model_context_window_exceeded: 'Not run: the conversation has filled the context window.',
  refusal: 'Not run: the message was refused before it was complete.',
  interrupted:
    'Not run: the connection broke before your message was complete. Send this call again if it is still needed.',
};
const STOPPED = 'Not run: the person stopped the turn.';
/** Characters of input between two signs of life of a call that is being written. */
const STREAMING_STEP_CHARS = 256;

/** A block that has begun and is not complete. */
type OpenBlock =
  | { readonly type: 'text' | 'thinking'; readonly parts: string[] }
  | { readonly type: 'call'; readonly call: string; readonly tool: string; shownChars: number };

/** Streams the answer to `request` and runs its calls. Rejects only for bugs: faults are part of the answer. */
export async function streamMessage(request: ModelRequest, turn: Turn): Promise<StreamedMessage> {
  const message = new Streaming(turn);
  const ending = await readStream(request, message, turn);
  message.keepRest();
  const stopReason = 'stop' in ending ? ending.stop : 'interrupted';
  if ('stop' in ending || message.blocks > 0) {
    const usage = 'stop' in ending ? ending.usage : NO_USAGE;
    turn.emit({ type: 'message/finished', stopReason, usage, model: request.model });
  }
  const results = await message.endCalls(stopReason);
  if ('bug' in ending) throw ending.bug;
  const { blocks, complete: calls } = message;
  return { blocks, calls, results, ...('stop' in ending ? { stop: ending.stop } : { fault: ending.fault }) };
}

type Ending =
  { readonly stop: StopReason; readonly usage: Usage } | { readonly fault: ProviderFault } | { readonly bug: unknown };

async function readStream(request: ModelRequest, message: Streaming, turn: Turn): Promise<Ending> {
  try {
    for await (const event of turn.provider.stream(request, turn.signal)) {
      if (turn.signal.aborted) break;
      if (event.type === 'stop') return { stop: event.reason, usage: event.usage };
      message.add(event);
    }
    const kind = turn.signal.aborted ? 'aborted' : 'network';
    return { fault: new ProviderFault(kind, 'The answer ended before it was complete.') };
  } catch (error) {
    return error instanceof ProviderFault ? { fault: error } : { bug: error };
  }
}

/** Held state of the message that is being streamed. */
class Streaming {
  private readonly id: string;
  private readonly calls: MessageCalls;
  private readonly open = new Map<number, OpenBlock>();
  /** The ids under which calls are known, by their place in the message. */
  private readonly callIds = new Map<number, string>();
  blocks = 0;
  readonly complete: ToolCall[] = [];

  constructor(private readonly turn: Turn) {
    this.id = turn.host.ids.next('msg');
    this.calls = new MessageCalls(turn.tools);
  }

  add(event: Exclude<ModelEvent, { type: 'stop' }>): void {
    switch (event.type) {
      case 'text':
      case 'thinking': {
        const block = this.open.get(event.index);
        if (block?.type === event.type) block.parts.push(event.text);
        else this.open.set(event.index, { type: event.type, parts: [event.text] });
        const type = event.type === 'text' ? 'text/delta' : 'thinking/delta';
        return this.turn.emit({ type, block: this.blockId(event.index), text: event.text, transient: true });
      }
      case 'input':
        return this.showInput(event);
      case 'block':
        return this.finish(event.index, event.block);
    }
  }

  /** What had arrived of the blocks that will never be complete: words are kept, calls are not. */
  keepRest(): void {
    for (const [index, block] of this.open) {
      if (block.type === 'call') this.dropCall(block.call);
      else this.keepPart(index, block.type, block.parts.join(''));
    }
    this.open.clear();
  }

  /** Lets the calls run, or refuses those that have not started; answers when all have ended. */
  endCalls(reason: StopReason | 'interrupted'): Promise<ToolResult[]> {
    const refusal = this.turn.signal.aborted ? STOPPED : ABANDONED[reason];
    if (refusal === undefined) this.calls.complete();
    else this.calls.abandon(refusal);
    return this.calls.results();
  }

  private showInput({ index, id, name, chars }: Extract<ModelEvent, { type: 'input' }>): void {
    const known = this.open.get(index);
    const call = this.callId(index, id);
    const block = known?.type === 'call' ? known : ({ type: 'call', call, tool: name, shownChars: -Infinity } as const);
    if (chars - block.shownChars < STREAMING_STEP_CHARS) return;
    this.open.set(index, { ...block, shownChars: chars });
    this.turn.emit({ type: 'tool/streaming', call, tool: name, chars, transient: true });
  }

  private finish(index: number, block: AssistantBlock): void {
    this.open.delete(index);
    const content: AssistantBlock = block.type === 'tool_use' ? { ...block, id: this.callId(index, block.id) } : block;
    this.turn.emit({ type: 'block/finished', block: this.blockId(index), content });
    this.blocks++;
    if (content.type !== 'tool_use') return;
    const call = callOf(content);
    this.complete.push(call);
    this.calls.add(call);
  }

  private keepPart(index: number, type: 'text' | 'thinking', said: string): void {
    const content: AssistantBlock = type === 'text' ? { type, text: said } : { type, thinking: said, signature: '' };
    this.turn.emit({ type: 'block/finished', block: this.blockId(index), content, interrupted: true });
    // Thinking without its signature cannot go back to the model.
    if (type === 'text' && said.trim() !== '') this.blocks++;
  }

  private dropCall(call: string): void {
    const why = this.turn.signal.aborted ? 'the turn was stopped' : 'the message ended';
    const text = `Never complete: ${why} while this call was being written.`;
    this.turn.emit({ type: 'tool/finished', call, status: 'stopped', text, wholeChars: 0, durationMs: 0 });
  }

  private blockId(index: number): string {
    return `${this.id}/${index}`;
  }

  /** The model's own id, unless it cannot be sent back or was used before: some endpoints count from zero in every message. */
  private callId(index: number, id: string): string {
    const known = this.callIds.get(index);
    if (known !== undefined) return known;
    const isTaken = this.turn.conversation.hasCall(id) || [...this.callIds.values()].includes(id);
    const call = /^[\w-]{1,128}$/.test(id) && !isTaken ? id : this.turn.host.ids.next('call');
    this.callIds.set(index, call);
    return call;
  }
}

function callOf({ id, name, input, malformed }: ToolUseBlock): ToolCall {
  return malformed === undefined ? { id, name, input } : { id, name, input, malformed };
}
