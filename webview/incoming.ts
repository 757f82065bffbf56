// What arrives from the host, checked before anything looks into it: a page may hear messages that are not meant for it.
import { isJsonObject } from '../src/common/json';
import { isMode } from '../src/common/modes';
import type { HostEventBody, RequestName, ToPanel } from '../src/common/protocol';
import type { Row, RowChange } from '../src/common/rows';

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isCount: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isFlag: Check = (value) => typeof value === 'boolean';
const isList =
  (isItem: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(isItem);
const hasShape =
  (shape: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(shape).every(([name, check]) => check(value[name]));

const LONG_TEXT = { text: isText, chars: isCount };
const ROWS: { readonly [T in Row['type']]: Check } = {
  prompt: hasShape({ ...LONG_TEXT, images: isCount }),
  text: hasShape({ ...LONG_TEXT, streaming: isFlag }),
  thinking: hasShape({ ...LONG_TEXT, streaming: isFlag }),
  tool: hasShape({ call: isText, title: isText, state: isText, kind: isText }),
  notice: hasShape({ level: isText, text: isText }),
  retry: hasShape({ attempt: isCount, attempts: isCount, reason: isText }),
  end: hasShape({ end: isText, usage: isJsonObject, durationMs: isCount }),
};

const CHANGES: { readonly [T in RowChange['type']]: Check } = {
  upsert: hasShape({ row: isRow }),
  append: hasShape({ id: isText, text: isText }),
  reload: () => true,
};

const isReview = hasShape({
  listed: isList(hasShape({ path: isText, name: isText, change: isText, added: isCount, removed: isCount })),
  files: isCount,
  added: isCount,
  removed: isCount,
});

const isTasks = isList(hasShape({ id: isText, title: isText, state: isText, startedAt: isCount, tail: isText }));

const isState = hasShape({
  sessionId: isText,
  running: isFlag,
  mode: isMode,
  model: isText,
  isDemo: isFlag,
  hasWorkspace: isFlag,
  isRestricted: isFlag,
  todos: isList(isJsonObject),
  contextTokens: isCount,
  contextWindow: isCount,
  review: isReview,
  tasks: isTasks,
});

const EVENTS: { readonly [T in HostEventBody['type']]: Check } = {
  rows: hasShape({ changes: isList((change) => isOneOf(CHANGES, change)) }),
  state: hasShape({ state: isState }),
  tasks: hasShape({ tasks: isTasks }),
  'composer/insert': hasShape({ text: isText }),
  'composer/focus': () => true,
  'row/reveal': hasShape({ row: isText }),
  'session/switched': hasShape({ sessionId: isText }),
};

const MESSAGES: { readonly [T in ToPanel['type']]: Check } = {
  event: hasShape({ event: (event) => hasShape({ seq: isCount })(event) && isOneOf(EVENTS, event) }),
  answer: hasShape({ id: isCount }),
  problem: hasShape({ id: isCount, message: isText }),
};

const isPage = hasShape({ rows: isList(isRow), more: isFlag });

/** Answers that carry something; the others are only waited for. */
const ANSWERS: { readonly [N in RequestName]?: Check } = {
  'panel/ready': hasShape({ state: isState, page: isPage, seq: isCount, draft: isText }),
  'rows/before': isPage,
  'row/text': hasShape({ text: isText }),
  'output/range': hasShape({ text: isText, next: isCount, bytes: isCount }),
  'prompt/send': hasShape({ accepted: isFlag }),
  'ask/answer': hasShape({ accepted: isFlag }),
  'proposal/open': hasShape({ opened: isFlag }),
  'proposal/apply': hasShape({ accepted: isFlag }),
};

function isRow(value: unknown): boolean {
  return hasShape({ id: isText, turn: isText, agent: isText })(value) && isOneOf(ROWS, value);
}

/** The `type` of `value` is a key of the table, and its check there holds. */
function isOneOf(table: Readonly<Record<string, Check>>, value: unknown): boolean {
  if (!isJsonObject(value) || typeof value['type'] !== 'string') return false;
  return Object.hasOwn(table, value['type']) && table[value['type']]?.(value) === true;
}

/** Undefined for whatever is not a message of the protocol. */
export function parseIncoming(message: unknown): ToPanel | undefined {
  return isOneOf(MESSAGES, message) ? (message as ToPanel) : undefined;
}

export function isAnswer(name: RequestName, value: unknown): boolean {
  return ANSWERS[name]?.(value) ?? true;
}
