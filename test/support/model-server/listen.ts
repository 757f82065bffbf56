// A client of the scripted model server: the real SDK, and what it hears of a stream.
import Anthropic, { APIError } from '@anthropic-ai/sdk';
import type { MessageParam, RawMessageStreamEvent } from '@anthropic-ai/sdk/resources/messages';
import type { Reply } from './scenario';
import type { ModelServer } from './server';

/** The smallest request that is valid. */
export const request = {
  model: 'claude-test',
  max_tokens: 1000,
  messages: [{ role: 'user', content: 'Hello' }] as MessageParam[],
};

export function clientOf({ url }: ModelServer, apiKey = 'key'): Anthropic {
  return new Anthropic({ apiKey, baseURL: url, maxRetries: 0, logLevel: 'off' });
}

export interface Heard {
  events: RawMessageStreamEvent[];
  error?: { status: number | undefined; type: unknown; message: string };
}

/** Streams one message until it ends or breaks. */
export async function listen(client: Anthropic, messages: MessageParam[] = request.messages): Promise<Heard> {
  const events: RawMessageStreamEvent[] = [];
  try {
    for await (const event of await client.messages.create({ ...request, messages, stream: true })) events.push(event);
    return { events };
  } catch (error) {
    const { status, type } = error instanceof APIError ? error : { status: undefined, type: undefined };
    return { events, error: { status, type, message: (error as Error).message } };
  }
}

/** The bytes of one streamed answer, as many as came. */
export async function rawAnswer(server: ModelServer, said: Reply): Promise<Buffer> {
  server.push(said);
  const response = await fetch(`${server.url}/v1/messages`, {
    method: 'POST',
    headers: { 'anthropic-version': '2026-10-21' },
    body: JSON.stringify({ ...request, stream: true }),
  });
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of response.body ?? []) chunks.push(chunk);
  } catch {
    // The socket was dropped on purpose: what came is the answer.
  }
  return Buffer.concat(chunks);
}
