// What an edit was worth: right, right but for its looks, refused, or wrong.
import type { Alternative, EditCase, WholeCase } from './cases';

export type Verdict = 'correct' | 'cosmetic' | 'refused' | 'wrong';

/** `text` is what the file became; undefined when the edit was refused. */
export function verdictOf({ lang }: EditCase, whole: WholeCase, text: string | undefined): Verdict {
  if (text === undefined) return 'refused';
  if (whole.accept.some((alternative) => alternative.text === text)) return 'correct';
  if (whole.cosmetic.some((alternative) => alternative.text === text)) return 'cosmetic';
  // What changes nothing did no harm.
  if (text === whole.content) return 'refused';
  const looksAlike = [...whole.accept, ...whole.cosmetic].some(
    (alternative) =>
      withFinalBreak(alternative.text) === withFinalBreak(text) ||
      differsInLayoutOnly(text, alternative, whole.content, lang),
  );
  return looksAlike ? 'cosmetic' : 'wrong';
}

function withFinalBreak(text: string): string {
  if (text.endsWith('\n')) return text;
  return text + (text.includes('\r\n') ? '\r\n' : '\n');
}

/** Nothing outside of the edited region is touched, and inside of it only blanks differ that mean nothing in the language. */
function differsInLayoutOnly(text: string, alternative: Alternative, content: string, lang: string): boolean {
  if (!alternative.changes) return false;
  const [found, wanted, original] = [text, alternative.text, content].map(withFinalBreak) as [string, string, string];
  const head = original.slice(0, alternative.start).replace(/[ \t\r\n]+$/, '');
  const tail = original.slice(alternative.end).replace(/^[ \t\r\n]+/, '');
  if (found.length < head.length + tail.length || !found.startsWith(head) || !found.endsWith(tail)) return false;
  const region = (whole: string) => essenceOf(whole.slice(head.length, whole.length - tail.length), lang);
  return region(found) === region(wanted);
}

const INDENTATION_IS_SYNTAX = new Set(['py', 'yaml']);
const BLANK_LINES_ARE_SYNTAX = new Set(['md']);

/** What carries meaning. A carriage return stays, so that mixed line endings still differ. */
function essenceOf(region: string, lang: string): string {
  const isIndentSyntax = INDENTATION_IS_SYNTAX.has(lang);
  const essence: string[] = [];
  let isAfterGap = false;
  for (const raw of region.split('\n')) {
    const line = raw.replace(/[ \t]+(\r?)$/, '$1');
    if (line === '' || line === '\r') {
      isAfterGap = true;
      continue;
    }
    if (isAfterGap && essence.length > 0 && BLANK_LINES_ARE_SYNTAX.has(lang)) essence.push('');
    isAfterGap = false;
    essence.push(isIndentSyntax ? line : line.replace(/^[ \t]+/, ''));
  }
  // What the region ends with indents the line behind it.
  const lastIndent = isIndentSyntax ? `\0${/[ \t]*$/.exec(region)?.[0] ?? ''}` : '';
  return essence.join('\n') + lastIndent;
}
