// What a person typed into a search, as patterns: over the text itself, and over the JSON it is stored as.

export interface Term {
  /** Over text in the composed form (NFC). */
  readonly inText: RegExp;
  /** The source of a regular expression over a stored line, for ripgrep and JavaScript alike. */
  readonly inLine: string;
  readonly chars: number;
}

const TERMS_MAX = 8;
const TERM_MAX_CHARS = 200;

/** The longest first, since it is likely to be the rarest. Empty where nothing is sought. */
export function parseQuery(query: string): readonly Term[] {
  const wanted = [...query.matchAll(/"([^"]*)"?|[^\s"]+/g)].map(([word, phrase]) => (phrase ?? word).trim());
  const different = [...new Set(wanted.filter((words) => words !== ''))];
  return different
    .slice(0, TERMS_MAX)
    .map((words) => termOf(words.slice(0, TERM_MAX_CHARS).toWellFormed()))
    .sort((a, b) => b.chars - a.chars);
}

function termOf(phrase: string): Term {
  const words = phrase.split(/\s+/).filter((word) => word !== '');
  return {
    inText: new RegExp(words.map((word) => literal(word.normalize('NFC'))).join('\\s+'), 'giu'),
    inLine: words.map(storedForms).join('(?:\\s|\\\\[nrt])+'),
    chars: phrase.length,
  };
}

/** Both forms in which an accent may have been typed. */
function storedForms(word: string): string {
  const forms = new Set([word.normalize('NFC'), word.normalize('NFD')].map((form) => literal(asJson(form))));
  return forms.size === 1 ? [...forms].join('') : `(?:${[...forms].join('|')})`;
}

function asJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
