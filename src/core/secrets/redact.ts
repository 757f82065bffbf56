// Keys and passwords in a text: found by their known forms, and taken out while the text around them stays (S95).
import { ASSIGNMENTS } from './assignments';
import type { Form } from './form';
import { KEYS } from './keys';

/** Takes a secret's place. */
const REDACTED = '[redacted]';

const FORMS: readonly Form[] = [...KEYS, ...ASSIGNMENTS];

/** What is taken out may make another form readable; more rounds than that nobody needs. */
const MAX_ROUNDS = 6;

/**
 * The text without its secrets. Names, quotes and addresses around them stay, and so does what only speaks of secrets: prose,
 * variables, placeholders. Takes time in proportion to the length, whatever the text is; what is redacted already stays as it is.
 */
export function redact(text: string): string {
  let redacted = text;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const before = redacted;
    for (const form of FORMS) redacted = take(redacted, form);
    if (redacted === before) break;
  }
  return redacted;
}

export function holdsSecret(text: string): boolean {
  return redact(text) !== text;
}

function take(text: string, { marks, pattern, isSecret }: Form): string {
  if (marks && !marks.test(text)) return text;
  return text.replace(pattern, (...found) => {
    const { before = '', secret = '' } = found.at(-1) as Readonly<Record<string, string | undefined>>;
    const [match] = found;
    if (secret.includes(REDACTED) && secret.replace(REDACTED, '') === '') return match;
    const start = (found.at(-3) as number) + before.length;
    const isTaken = isSecret?.({ secret, before, text, start, end: start + secret.length }) ?? true;
    return isTaken ? before + REDACTED + match.slice(before.length + secret.length) : match;
  });
}
