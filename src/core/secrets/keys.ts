// Secrets that can be told by themselves: the keys of known issuers, private keys, and passwords where a protocol has them.
import type { Form } from './form';

/** Each may begin only where a word does, so that none is tried again inside a long one. */
const ISSUED = [
  String.raw`sk-ant-[\w-]{3,}`,
  String.raw`sk-(?=[a-z_-]*[A-Z\d])[\w-]{16,}`,
  String.raw`[spr]k_(?:live|test)_\w{8,}`,
  String.raw`gh[oprsu]_[A-Za-z\d]{10,}`,
  String.raw`github_pat_\w{10,}`,
  String.raw`gl(?:pat|rt|dt|ptt|soat)-[\w-]{10,}`,
  String.raw`npm_(?=[A-Za-z]*\d)[A-Za-z\d]{16,}`,
  String.raw`pypi-AgE[\w-]{10,}`,
  String.raw`hf_[A-Za-z\d]{20,}`,
  String.raw`xox[abeoprs]-[\w-]{10,}`,
  String.raw`xapp-\d-[\w-]{10,}`,
  String.raw`(?:AKIA|ASIA)[A-Z\d]{12,}`,
  String.raw`AIza[\w-]{30,}`,
  String.raw`ya29\.[\w-]{20,}`,
  String.raw`eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?`,
  String.raw`do[opr]_v1_\w{16,}`,
  String.raw`shp(?:at|ca|pa|ss)_\w{10,}`,
  String.raw`SG\.[\w-]{16,}\.[\w-]{16,}`,
  String.raw`(?:gsk|r8|nvapi|xai|pplx|lin_api|figd|whsec|rubygems|dckr_pat|phc|phx|sbp|key|tfp)[-_](?=[A-Za-z_-]*\d)[\w-]{24,}`,
  String.raw`AGE-SECRET-KEY-1[A-Z\d]{20,}`,
  String.raw`ATATT3x[\w-]{16,}`,
  String.raw`dapi[\da-f]{32}`,
  String.raw`tskey-\w+-[\w-]{8,}`,
  String.raw`hv[bs]\.[\w-]{20,}`,
];

const WORD_START = String.raw`(?<![\w-])`;
/** What stands right after an escaped line end in a string: its letter belongs to the escape. */
const ESCAPED_START = String.raw`(?<=\\[nrt])`;

const PRIVATE_KEY = String.raw`-----BEGIN [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----`;

export const KEYS: readonly Form[] = [
  // To its end, which is the next five dashes.
  {
    marks: /PRIVATE KEY/,
    pattern: new RegExp(
      String.raw`(?<secret>${PRIVATE_KEY}[^-]*(?:-(?!----)[^-]*)*-----END [A-Z\d ]{0,40}PRIVATE KEY(?: BLOCK)?-----)`,
      'g',
    ),
  },
  // One whose end was cut off.
  {
    marks: /PRIVATE KEY/,
    pattern: new RegExp(
      String.raw`(?<before>${PRIVATE_KEY})(?<secret>(?:(?:\s|\\[nrt]){0,8}[A-Za-z\d+/=]{16,})+(?:(?:\s|\\[nrt]){0,8}[A-Za-z\d+/=]+(?=\s*$))?)`,
      'g',
    ),
  },
  { pattern: new RegExp(`(?:${WORD_START}|${ESCAPED_START})(?<secret>${ISSUED.join('|')})`, 'g') },
  // A key that something is glued to still is one.
  { marks: /sk-ant-/, pattern: /(?<secret>sk-ant-[\w-]{3,})/g },
  {
    marks: /hooks\.slack|discord/,
    pattern:
      /(?<before>hooks\.slack\.com\/(?:services|workflows)\/|discord(?:app)?\.com\/api\/webhooks\/)(?<secret>[\w/-]{8,})/g,
  },
  { marks: /:AA/, pattern: /(?<![\w-])(?<before>\d{8,10}:)(?<secret>AA[\w-]{30,})/g },
  {
    marks: /:\/\//,
    pattern: /(?<before>:\/\/[^\s/:@"'`<>]*:)(?<secret>[^\s/"'`<>]+)(?=@)/g,
    isSecret: ({ secret }) => !isVariable(secret),
  },
  // A token where the name of a user would be.
  {
    marks: /:\/\//,
    pattern: /(?<before>:\/\/)(?<secret>[\w~.%-]{20,})(?=@)/g,
    isSecret: ({ secret }) => /\d/.test(secret) && /[a-z]/i.test(secret),
  },
  {
    pattern: /(?<before>\b(?:bearer|basic|token)\s{1,4})(?<secret>[\w.~+/=-]{8,})/gi,
    isSecret: ({ secret }) => (/\d/.test(secret) && !/^https?\//i.test(secret)) || secret.length >= 32,
  },
];

/** Where the value stands somewhere else, or nowhere yet: `$NAME`, `${NAME}`, `%NAME%`, `{{name}}`, `<name>`, `***`. */
export function isVariable(value: string): boolean {
  return /^(\\?\$|%\w+%|\{|<|\[|\(|\*{3}|x{4,}$|\.{3}|…)/i.test(value);
}
