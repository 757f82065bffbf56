// What a panel sends, checked by hand before anything looks into it: a webview is not trusted to speak the protocol.
import type { AskAnswer } from '../../common/asks';
import type { QuestionAnswer } from '../../common/display';
import { isJsonObject } from '../../common/json';
import { isMode } from '../../common/modes';
import type { RequestName, RequestOf, ToHost } from '../../common/protocol';

/** A prompt longer than this is refused by the check, in UTF-16 units; the panel attaches files instead of pasting them. */
const TEXT_MAX_CHARS = 4 * 1024 * 1024;
const NAME_MAX_CHARS = 32 * 1024;

type Check = (value: unknown) => boolean;
type Shape<T> = { readonly [K in keyof T]-?: Check };

const text: Check = (value) => typeof value === 'string' && value.length <= TEXT_MAX_CHARS;
const name: Check = (value) => typeof value === 'string' && value !== '' && value.length <= NAME_MAX_CHARS;
const offset: Check = (value) => typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);

function isAnswer(value: unknown): value is AskAnswer {
  if (!isJsonObject(value)) return false;
  const { kind, decision, note, digest, grant, changed, answers } = value;
  if (kind === 'permission') {
    // A page that does not say what it has shown is not heard (S83).
    const isBound = name(digest) && optional(text)(note);
    return isBound && isDecision(decision) && optional(offset)(grant) && optional(text)(changed);
  }
  return kind === 'question' && Array.isArray(answers) && answers.every(isQuestionAnswer);
}

function isDecision(value: unknown): boolean {
  return value === 'once' || value === 'session' || value === 'always' || value === 'deny';
}

function isQuestionAnswer(value: unknown): value is QuestionAnswer {
  if (!isJsonObject(value) || !text(value['question']) || !optional(text)(value['text'])) return false;
  return Array.isArray(value['chosen']) && value['chosen'].every(text);
}

function isReviewAction(value: unknown): boolean {
  return value === 'open' || value === 'keep' || value === 'undo';
}

const SHAPES: { readonly [N in RequestName]: Shape<RequestOf<N>> } = {
  'panel/ready': { sessionId: optional(name) },
  'panel/focused': { sessionId: (value) => value === undefined },
  'rows/before': { sessionId: name, row: name },
  'row/text': { sessionId: name, row: name, offset },
  'output/range': { sessionId: name, call: name, offset },
  'prompt/send': { sessionId: name, text },
  'draft/save': { sessionId: name, text },
  'turn/stop': { sessionId: name },
  'ask/answer': { sessionId: name, ask: name, answer: isAnswer },
  'proposal/open': { sessionId: name, ask: name },
  'proposal/apply': { sessionId: name, ask: name, digest: name },
  'mode/set': { sessionId: name, mode: isMode },
  'session/new': { sessionId: name },
  'file/open': { sessionId: name, path: name, line: optional(offset) },
  'diff/open': { sessionId: name, call: name, path: name },
  'review/act': { sessionId: name, action: isReviewAction, path: optional(name) },
  'rewind/start': { sessionId: name, turn: name },
  'terminal/show': { sessionId: name, call: optional(name) },
  'run/stop': { sessionId: name, call: name },
  'run/release': { sessionId: name, call: name },
  'link/open': { sessionId: name, url: name },
  'command/run': { sessionId: name, command: name },
};

/** Undefined for whatever is not a request of the protocol. */
export function parseRequest(message: unknown): ToHost | undefined {
  if (!isJsonObject(message)) return undefined;
  const { id, name: request, payload } = message;
  if (!offset(id) || typeof request !== 'string' || !isJsonObject(payload)) return undefined;
  if (!Object.hasOwn(SHAPES, request)) return undefined;
  const fields = Object.entries(SHAPES[request as RequestName]);
  return fields.every(([field, check]) => check(payload[field])) ? (message as unknown as ToHost) : undefined;
}
