// A session as Markdown that people read: what was asked, what was answered, and each call folded with what came of it.
import type { AgentEvent } from '../../common/events';
import { oneLine } from '../../common/oneLine';
import type { StoredSession } from './types';

/** Only turns that stand are shown. */
export async function* markdownOf(
  session: StoredSession,
  turns: ReadonlySet<string>,
  events: AsyncIterable<AgentEvent>,
): AsyncGenerator<string> {
  yield heading(session);
  const calls = new Map<string, Call>();
  for await (const event of events) {
    if (!turns.has(event.turn)) continue;
    const text = paragraph(event, calls);
    if (text !== '') yield `${text}\n\n`;
  }
}

/** What is known of a call before it is answered. */
interface Call {
  readonly title?: string;
  readonly input?: unknown;
}

function heading({ title, startedMs, model, turns, usage, costUsd, roots }: StoredSession): string {
  const { inputTokens, cacheReadTokens, cacheWriteTokens, outputTokens } = usage;
  const facts = [
    `- Started: ${new Date(startedMs).toISOString()}`,
    ...(roots.length > 0 ? [`- Workspace: ${roots.join(', ')}`] : []),
    ...(model === undefined ? [] : [`- Model: ${model}`]),
    `- Prompts: ${turns}`,
    `- Tokens: ${inputTokens + cacheReadTokens + cacheWriteTokens} in (${cacheReadTokens} of them from the cache), ${outputTokens} out`,
    ...(costUsd === undefined ? [] : [`- Cost: $${costUsd.toFixed(2)}`]),
  ];
  return `# ${oneLine(title, 200) || 'Session'}\n\n${facts.join('\n')}\n\n`;
}

function paragraph(event: AgentEvent, calls: Map<string, Call>): string {
  switch (event.type) {
    case 'turn/started':
      return `## You\n\n${event.text}`;
    case 'block/finished':
      if (event.content.type === 'text') return event.content.text;
      if (event.content.type === 'tool_use') {
        const { id, name, input } = event.content;
        calls.set(id, { title: name, ...calls.get(id), input });
      }
      return '';
    case 'tool/queued':
      calls.set(event.call, { ...calls.get(event.call), title: event.title });
      return '';
    case 'tool/finished': {
      const { title = event.call, input } = calls.get(event.call) ?? {};
      calls.delete(event.call);
      const asked = input === undefined ? '' : `${fenced(JSON.stringify(input, undefined, 2), 'json')}\n\n`;
      const summary = `${asHtml(oneLine(title, 200))} (${event.status})`;
      return `<details>\n<summary>${summary}</summary>\n\n${asked}${fenced(event.text)}\n\n</details>`;
    }
    case 'notice':
      return `> ${oneLine(event.text, 2_000)}`;
    default:
      return '';
  }
}

/** With a fence that the text does not hold. */
function fenced(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

function asHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
