// Turns a reply into the bytes of an answer and how it ends, with the reply's fault applied.
import type { RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import { errorBody, errorTypeOf, type ErrorBody } from './errors';
import { messageEvents, wholeMessage, type ReplyContext } from './message';
import type { CutPoint, Fault, LooseEvent, Reply } from './scenario';

/** How one answer is sent; `stall` keeps the socket open for ever, `drop` destroys it. */
export type Transmission =
  | { kind: 'silence' }
  | { kind: 'hangUp' }
  | {
      kind: 'answer';
      status: number;
      headers: Record<string, string>;
      chunks: Buffer[];
      ending: 'end' | 'drop' | 'stall';
    };

/** Makes the bytes of the answer and its ending, with the reply's fault applied. */
export function transmit(reply: Reply, context: ReplyContext, stream: boolean): Transmission {
  const early = earlyFault(reply.fault, context.requestId);
  if (early) return early;
  if (!stream) return transmitWhole(reply, context);
  const frames = messageEvents(reply, context).map(frameOf);
  const { chunks, ending } = cutFrames(frames, reply.fault, context.requestId);
  const pieces = reply.bytesPerWrite === undefined ? chunks : splitBytes(Buffer.concat(chunks), reply.bytesPerWrite);
  return { kind: 'answer', status: 200, headers: streamHeaders(context.requestId), chunks: pieces, ending };
}

function transmitWhole(reply: Reply, context: ReplyContext): Transmission {
  if (reply.fault?.kind === 'error') {
    const { errorType, message } = reply.fault;
    return errorAnswer(errorType === 'overloaded_error' ? 529 : 500, errorBody(errorType, message, context.requestId));
  }
  const body = [Buffer.from(JSON.stringify(wholeMessage(reply, context)))];
  const { chunks, ending } = cutFrames(body, reply.fault, context.requestId);
  return { kind: 'answer', status: 200, headers: jsonHeaders(context.requestId), chunks, ending };
}

function earlyFault(fault: Fault | undefined, requestId: string): Transmission | undefined {
  if (!fault) return undefined;
  if (fault.kind === 'silence' || fault.kind === 'hangUp') return { kind: fault.kind };
  if (fault.kind === 'html') {
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    return { kind: 'answer', status: fault.status, headers, chunks: [Buffer.from(fault.html)], ending: 'end' };
  }
  if (fault.kind !== 'status') return undefined;
  const type = fault.errorType ?? errorTypeOf(fault.status);
  const body = errorBody(type, fault.message ?? `Scripted ${String(fault.status)}`, requestId);
  return errorAnswer(fault.status, body, fault.headers);
}

function errorAnswer(status: number, body: ErrorBody, headers: Record<string, string> = {}): Transmission {
  return {
    kind: 'answer',
    status,
    headers: { ...jsonHeaders(body.request_id), ...headers },
    chunks: [Buffer.from(JSON.stringify(body))],
    ending: 'end',
  };
}

function cutFrames(
  frames: Buffer[],
  fault: Fault | undefined,
  requestId: string,
): { chunks: Buffer[]; ending: 'end' | 'drop' | 'stall' } {
  if (fault?.kind === 'error') {
    const frame = sse('error', errorBody(fault.errorType, fault.message, requestId));
    return { chunks: [...frames.slice(0, fault.afterEvents), frame], ending: 'end' };
  }
  if (fault?.kind === 'garbage') {
    const frame = Buffer.from(`event: content_block_delta\ndata: ${fault.data}\n\n`);
    return {
      chunks: [...frames.slice(0, fault.afterEvents), frame, ...frames.slice(fault.afterEvents + 1)],
      ending: 'end',
    };
  }
  if (fault?.kind === 'drop' || fault?.kind === 'end' || fault?.kind === 'stall') {
    return { chunks: framesBefore(frames, fault), ending: fault.kind };
  }
  return { chunks: frames, ending: 'end' };
}

function framesBefore(frames: Buffer[], { afterEvents, afterBytes }: CutPoint): Buffer[] {
  if (afterBytes === undefined) return frames.slice(0, afterEvents ?? 0);
  const kept: Buffer[] = [];
  let left = afterBytes;
  for (const frame of frames) {
    if (left <= 0) break;
    kept.push(frame.subarray(0, left));
    left -= frame.length;
  }
  return kept;
}

function splitBytes(bytes: Buffer, size: number): Buffer[] {
  const count = Math.ceil(bytes.length / size);
  return Array.from({ length: count }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
}

function frameOf(event: RawMessageStreamEvent | LooseEvent): Buffer {
  if (event.type === 'event') return sse(event.name, event.data);
  return sse(event.type, event);
}

function sse(name: string, data: unknown): Buffer {
  return Buffer.from(`event: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
}

export function jsonHeaders(requestId: string): Record<string, string> {
  return { 'content-type': 'application/json', 'request-id': requestId };
}

function streamHeaders(requestId: string): Record<string, string> {
  return {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
    'request-id': requestId,
  };
}
