// The least an agent can be: asks the model, does what it calls without a check, asks again. What Lathe's own loop is measured against.
import { readFile, writeFile } from 'node:fs/promises';

interface Block {
  type: string;
  id?: string;
  name?: string;
  text?: string;
  input?: Record<string, string>;
  json?: string;
}

const TOOLS = ['read', 'edit'].map((name) => ({ name, description: name, input_schema: { type: 'object' } }));
const HEADERS = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };

export async function runBareLoop(url: string, prompt: string): Promise<void> {
  const messages: unknown[] = [{ role: 'user', content: prompt }];
  for (;;) {
    const body = JSON.stringify({ model: 'bare', max_tokens: 16_000, stream: true, tools: TOOLS, messages });
    const response = await fetch(`${url}/v1/messages`, { method: 'POST', headers: HEADERS, body });
    const blocks = await readBlocks(response);
    messages.push({ role: 'assistant', content: blocks });
    const calls = blocks.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) return;
    const content = await Promise.all(
      calls.map(async ({ id, name, input }) => ({
        type: 'tool_result',
        tool_use_id: id,
        content: await act(name ?? '', input ?? {}),
      })),
    );
    messages.push({ role: 'user', content });
  }
}

async function act(name: string, { file_path = '', old_string = '', new_string = '' }: Record<string, string>) {
  const text = await readFile(file_path, 'utf8');
  if (name === 'read') return text;
  await writeFile(file_path, text.replace(old_string, new_string));
  return 'Done.';
}

async function readBlocks(response: Response): Promise<Block[]> {
  const blocks: Block[] = [];
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    const frames = (rest + decoder.decode(bytes, { stream: true })).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) take(JSON.parse(frame.slice(frame.indexOf('data: ') + 6)), blocks);
  }
  return blocks.map(({ json, ...block }) => (json ? { ...block, input: JSON.parse(json) } : block));
}

function take(
  event: { type: string; index: number; content_block: Block; delta: Record<string, string> },
  to: Block[],
) {
  if (event.type === 'content_block_start') to[event.index] = { ...event.content_block };
  const block = to[event.index];
  if (event.type !== 'content_block_delta' || !block) return;
  if (event.delta.text !== undefined) block.text = (block.text ?? '') + event.delta.text;
  if (event.delta.partial_json !== undefined) block.json = (block.json ?? '') + event.delta.partial_json;
}
