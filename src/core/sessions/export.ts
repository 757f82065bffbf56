// Handing a session out: as Markdown for people, or as JSON that `import` takes back. In pieces, so that its length does not matter.
import type { AgentEvent } from '../../common/events';
import type { Host } from '../host';
import { redact } from '../secrets/redact';
import { scanEvents } from './scan';
import { markdownOf } from './markdown';
import { sessionFile } from '../session/journal';
import { standingTurns } from './standing';
import type { ExportOptions, StoredSession } from './types';

export const EXPORT_FORMAT = 'lathe-session';
export const EXPORT_VERSION = 1;

type ExportParts = Pick<Host, 'store'>;

/** Rejects with a readable Error when the store fails meanwhile. */
export function exportSession(
  { store }: ExportParts,
  session: StoredSession,
  options: ExportOptions,
): AsyncIterable<string> {
  const events = () => cleaned(scanEvents(store, { name: sessionFile(session.id), isWanted: () => true }), options);
  return options.format === 'json' ? asJson(events()) : asMarkdown(store, session, options, events);
}

async function* asJson(events: AsyncIterable<AgentEvent>): AsyncGenerator<string> {
  yield `{"format":"${EXPORT_FORMAT}","version":${EXPORT_VERSION},"events":[`;
  let separator = '\n';
  for await (const event of events) {
    yield separator + JSON.stringify(event);
    separator = ',\n';
  }
  yield '\n]}\n';
}

async function* asMarkdown(
  store: Host['store'],
  session: StoredSession,
  { redact: isRedacted }: ExportOptions,
  events: () => AsyncIterable<AgentEvent>,
): AsyncGenerator<string> {
  const turns = await standingTurns(store, session.id);
  const title = isRedacted ? redact(session.title) : session.title;
  yield* markdownOf({ ...session, title }, turns, events());
}

async function* cleaned(events: AsyncIterable<AgentEvent>, options: ExportOptions): AsyncGenerator<AgentEvent> {
  for await (const event of events) {
    const kept = cleanEvent(event, options);
    if (kept) yield kept;
  }
}

/** Undefined for what must not leave as it is and is worth nothing otherwise. */
function cleanEvent(event: AgentEvent, { redact: isRedacted, images }: ExportOptions): AgentEvent | undefined {
  const seen = images ? event : withoutImages(event);
  if (!isRedacted) return seen;
  const clean = redactIn(seen) as AgentEvent;
  // The signature covers the text, so a changed thought would be refused; nobody but the endpoint can read a sealed one.
  const isSealed = event.type === 'block/finished' && isThought(event.content);
  return isSealed && JSON.stringify(clean) !== JSON.stringify(seen) ? undefined : clean;
}

export function isThought({ type }: { readonly type: unknown }): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

function withoutImages(event: AgentEvent): AgentEvent {
  if (event.type !== 'turn/started' && event.type !== 'tool/finished') return event;
  const { images: _, ...kept } = event;
  return kept;
}

/** Every text in it, names of fields too; pictures hold none. */
function redactIn(value: unknown, name = ''): unknown {
  if (typeof value === 'string') return name === 'data' ? value : redactField(name, value);
  if (Array.isArray(value)) return value.map((each: unknown) => redactIn(each));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [redact(key), redactIn(each, key)]));
}

/** `{"password": "…"}` shows what it is by its name alone. */
function redactField(name: string, text: string): string {
  const clean = redact(text);
  const start = `${name}=`;
  const named = name === '' || /\s/.test(text) ? start + clean : redact(start + clean);
  return named.startsWith(start) ? named.slice(start.length) : clean;
}
