// Secrets that are told by the name they are given: settings, headers, options of programs, fields of JSON and of code.
import type { Form, Found } from './form';
import { isVariable } from './keys';

/** The end of a name; what comes before it (`DB_`, `my`) does not matter. */
const SECRET_NAME = [
  'pass(?:word|wd|phrase|code)',
  String.raw`(?<=[_-])pass|(?<![\w-])pass(?==)|(?<=[_-])pwd|(?<=\b(?:pg|mysql)_?)pass`,
  String.raw`(?:api|access|private|secret|encryption|signing|signature|account|master|auth|shared_?access)[_-]?key`,
  String.raw`secret[_-]?access[_-]?key|secret[_-]?key[_-]?base`,
  'secret|token|credentials?|connection_?string',
].join('|');

const HEADER_NAME = String.raw`(?:proxy-)?authorization|x-(?:api-key|auth-token|access-token|goog-api-key|amz-security-token)|(?:set-)?cookie`;

const NAME_END = String.raw`(?:\\?["'])?\]?`;
/** Up to the same quote; one that is missing has been cut off. */
const QUOTED = String.raw`(?<quote>["'\x60]))(?<secret>(?:\\.|(?!\k<quote>)[^\\\r\n])+)`;
/** The same in a string of JSON, say. */
const QUOTED_INSIDE = String.raw`(?<quote>\\["']))(?<secret>(?:(?!\k<quote>)[^\r\n])+)`;

const SEPARATOR = String.raw`(?<separator>\s{0,4}(?::=|=>|[:=])\s{0,4})`;

export const ASSIGNMENTS: readonly Form[] = [
  {
    pattern: new RegExp(
      `(?<before>(?:${HEADER_NAME})${NAME_END}${SEPARATOR}(?:\\\\?["'\\x60])?(?:[A-Za-z][\\w-]{2,20}[ \\t]{1,4})?)(?<secret>[^\\s"'\\x60\\\\][^\\r\\n"'\\x60\\\\]*)`,
      'gi',
    ),
    isSecret: isHeaderValue,
  },
  {
    pattern: new RegExp(`(?<before>(?:${SECRET_NAME})${NAME_END}${SEPARATOR}${QUOTED}`, 'gi'),
    isSecret: isQuotedValue,
  },
  {
    pattern: new RegExp(`(?<before>(?:${SECRET_NAME})${NAME_END}${SEPARATOR}${QUOTED_INSIDE}`, 'gi'),
    isSecret: isQuotedValue,
  },
  {
    pattern: new RegExp(
      String.raw`(?<before>(?:${SECRET_NAME})${NAME_END}${SEPARATOR})(?<secret>[^\s"'\x60,;&|<>(){}\\][^\s"'\x60,;&|<>(){}\\]*)`,
      'gi',
    ),
    isSecret: isPlainValue,
  },
  {
    marks: /-/,
    pattern:
      /(?<before>(?<![\w-])--?(?:[a-z]{1,20}-){0,3}(?:password|passwd|pass|passphrase|secret|token|api-?key|access-?key|secret-?key|private-?key)(?:=|\s{1,4})["']?)(?<secret>[^\s"'`,;|&<>)\]-][^\s"'`;|&<>]*)/gi,
    isSecret: ({ secret }) => !isPlaceholder(secret) && !PROSE.test(secret),
  },
  {
    marks: /\s(-u|--user)/,
    pattern: /(?<before>\s(?:-u|--user)(?:=|\s{0,4})["']?[^\s:"'/]{1,100}:)(?<secret>[^\s"'/:]+)/g,
    isSecret: ({ secret, before }) =>
      secret.length >= 3 && !isPlaceholder(secret) && !/^\d{1,6}$/.test(secret) && !before.endsWith(`${secret}:`),
  },
  {
    marks: /sshpass|mysql/,
    pattern:
      /(?<before>\b(?:sshpass|mysql(?:dump|admin|import)?)\s(?:[^\n|;&]{0,200}?\s)?-p\s{0,1})(?<secret>[^\s|;&]+)/g,
    isSecret: ({ secret, before }) => !isVariable(secret) && (before.startsWith('sshpass') || !/\s$/.test(before)),
  },
  { marks: /[?&]/, pattern: /(?<before>[?&](?:key|sig|signature|auth|code)=)(?<secret>[^\s&"'`#<>$]{16,})/g },
];

function isHeaderValue(found: Found): boolean {
  const { secret, before } = found;
  if (isVariable(secret) || /^[^\w+/.~]/.test(secret)) return false;
  if (!secret.includes('=') && isPlaceholder(secret)) return false;
  if (/["'`]$/.test(before)) return true;
  // With its scheme it is a value; a sentence or a line of code has neither digits nor marks in its first word.
  const [first = ''] = secret.split(/\s/, 1);
  const { text, start, end } = found;
  const opening = text[start - before.length - 1] ?? '';
  if (/["'`]/.test(opening) && text[end] === opening && first === secret) return true;
  if (/\b(bearer|basic|digest|negotiate|token|apikey|aws4-hmac-sha256)[ \t]+$/i.test(before)) {
    return !/^(auth\w*|tokens?|scheme|header|string)\b/i.test(first) || /\d/.test(first);
  }
  return /[\d=]/.test(first) && !isExpression(first, found);
}

/** Words that stand for a secret, alone or with what it is of. */
const SECRET_WORD = String.raw`pass(?:word|wd|phrase|code)?|pwd|secrets?|tokens?|keys?|credentials?|auth`;
const NOT_YET = new RegExp(
  String.raw`^(?:(?:your|my|the|an?|some|new|old|api|access|refresh|client|private|secret|db|user|example)[\s_.-]{0,2})*(?:${SECRET_WORD})?(?:[\s_.-]{0,2}(?:here|value|goes here))?$`,
  'i',
);

/** Not a secret but its place, or what a person is told of it. */
function isPlaceholder(value: string): boolean {
  const trimmed = value.trim();
  if (isVariable(trimmed) || NOT_YET.test(trimmed) || /^(change-?me|todo|redacted|none|null)$/i.test(trimmed))
    return true;
  if (!/\s/.test(trimmed)) return false;
  const isTold = /[?.!…:]$|\b(is|are|was|not|the|an?|in|of|to|must|your)\b/i.test(trimmed);
  return isTold || new RegExp(`\\b(?:${SECRET_WORD})\\b`, 'i').test(trimmed);
}

const CODE_WORD =
  /^(true|false|null|undefined|none|nil|void|never|any|unknown|str|string|bytes|number|int|integer|bool|boolean|object|text|varchar\w*|optional|required|readonly|function|async|await|new|self|this|type|class)[?!*[\]]*$/i;
const PROSE =
  /^(is|are|was|were|be|and|or|to|for|option|options|flag|flags|argument|arguments|parameter|value|must|should|can|may|will|if|when|with|in|on|of|as|from|by|not|no|that|which|the|an?|instead|has|have|takes|sets|without|it|this|only|file|auth\w*|string)[.:,]?$/i;

function isQuotedValue({ secret, before }: Found): boolean {
  // Of a request: how it is to be sent.
  if (/credentials/i.test(before) && /^(omit|include|same-origin)$/.test(secret)) return false;
  // A quote that ends a text, and what comes after it.
  if (/^\s*[,;)\]}]/.test(secret)) return false;
  return secret.length >= 3 && /[^\W_]/.test(secret) && !isPlaceholder(secret);
}

function isPlainValue(found: Found): boolean {
  const { secret, before, text, start, end } = found;
  if (isPlaceholder(secret) || CODE_WORD.test(secret) || isExpression(secret, found)) return false;
  const [, separator = ''] = /(\s*(?::=|=>|[:=])\s*)$/.exec(before) ?? [];
  if (/^:?=$/.test(separator)) return isData(found) && !(/^pass=$/.test(before) && /^\d+$/.test(secret));
  // A regular expression, a comment.
  if (secret.startsWith('/')) return false;
  if (separator.startsWith('=')) {
    if (/[\r\n]/.test(separator)) return false;
    return hasMixture(secret) ? !/^\s*[;,]/.test(text.slice(end, end + 4)) : isWholeLine(found);
  }
  if (/[\r\n]/.test(separator)) return false;
  // How many tokens, and at which place, is no secret.
  if (/^\d+([.:]\d+)*[kKmM%]?$/.test(secret)) return /pass\w*["']?\s*:\s*$/i.test(before) && secret.length >= 4;
  return start > 0 && (hasMixture(secret) || isWholeLine(found));
}

/** Neither a word nor a name. */
function hasMixture(value: string): boolean {
  return value.length >= 6 && /[A-Za-z]/.test(value) && /[\d!@#$%^*+=/]/.test(value) && !/^[a-z]+\d?$/.test(value);
}

/** A call, a member, an index: code that reads the secret from somewhere. */
function isExpression(value: string, { text, end }: Found): boolean {
  if (/^[([{]/.test(text.slice(end, end + 1))) return true;
  if (/^[A-Za-z_$][\w$.]*\[/.test(value)) return true;
  return /^[A-Za-z_$][\w$]*[!?]?(\??\.[A-Za-z_$][\w$]*[!?]?)+$/.test(value) && !/\d{2}/.test(value);
}

/** `NAME=value` is data, unless it hands on an argument of the same name or any plain variable. */
function isData({ secret, before, text, start }: Found): boolean {
  const name = nameBefore(text, start - before.length);
  const whole = name + before.replace(/\s*:?=\s*$/, '');
  if (/^[A-Z][A-Z\d_]*$/.test(whole)) return true;
  if (whole.toLowerCase().endsWith(secret.toLowerCase()) && /^[a-z_]+$/i.test(secret)) return false;
  const previous = text.slice(
    Math.max(0, start - before.length - name.length - 2),
    start - before.length - name.length,
  );
  return !(/(\(|,[ \t]?)$/.test(previous) && /^[A-Za-z_]\w*$/.test(secret) && !/\d{2}/.test(secret));
}

const NAME_MAX_CHARS = 80;
const INDENT_MAX_CHARS = 40;

function nameBefore(text: string, end: number): string {
  return /[\w.-]*$/.exec(text.slice(Math.max(0, end - NAME_MAX_CHARS), end))?.[0] ?? '';
}

/** A line of a configuration: a name, the value, and nothing else. Code is indented, and so are fields of YAML. */
function isWholeLine({ secret, before, text, start, end }: Found): boolean {
  const nameStart = start - before.length - nameBefore(text, start - before.length).length;
  const head = text.slice(Math.max(0, nameStart - INDENT_MAX_CHARS), nameStart);
  const isFirst = (/:\s*$/.test(before) ? /(^|\n)[ \t]*$/ : /(^|\n)$/).test(head);
  const isLast = end === text.length || /[\r\n]/.test(text[end] ?? '');
  const isVariableOfCode =
    /^[a-z]+([A-Z][a-z]+)+$/.test(secret) || /[a-z][A-Z]/.test(nameBefore(text, start - before.length) + before);
  return isFirst && isLast && secret.length >= 4 && !isVariableOfCode;
}
