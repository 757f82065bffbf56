// Cases of search-and-replace edits, one JSON object a line: a file, an edit a model sent, and what may come of it.

export interface EditCase {
  readonly id: string;
  readonly kind: string;
  readonly lang: string;
  /** `repository:path` */
  readonly src: string;
  readonly expect: 'apply' | 'refuse' | 'either';
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll?: boolean;
  readonly content: string;
  /** Alternatives, each a list of splices `[start, end, text]` of the content. */
  readonly accept?: readonly (readonly RawSplice[])[];
  readonly cosmetic?: readonly (readonly RawSplice[])[];
  /** Lines to put around the content; they are made from the seed. */
  readonly huge?: { readonly before: number; readonly after: number; readonly seed: number; readonly eol?: string };
}

export type RawSplice = readonly [start: number, end: number, text: string];

/** One result that counts, and the part of the text that it touches. */
export interface Alternative {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly changes: boolean;
}

/** A case as whole texts. */
export interface WholeCase {
  readonly content: string;
  readonly accept: readonly Alternative[];
  readonly cosmetic: readonly Alternative[];
}

/** Throws, with the number of the line, for what is no case. */
export function parseCases(jsonl: string): EditCase[] {
  return jsonl.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    try {
      const parsed = JSON.parse(line) as EditCase;
      if (typeof parsed.content !== 'string' || typeof parsed.oldString !== 'string') throw new Error('no edit case');
      return [parsed];
    } catch (error) {
      throw new Error(`Line ${at + 1} is no edit case: ${(error as Error).message}`, { cause: error });
    }
  });
}

export function wholeCase({ content, accept = [], cosmetic = [], huge }: EditCase): WholeCase {
  const eol = huge?.eol ?? '\n';
  const fill = (count: number, seed: number) => fillerLines(count, seed).join(eol) + eol;
  const before = huge ? fill(huge.before, huge.seed) : '';
  const after = huge ? fill(huge.after, huge.seed + 1) : '';
  const toAlternative = (splices: readonly RawSplice[]): Alternative => ({
    text: before + spliced(content, splices) + after,
    start: before.length + Math.min(...splices.map(([start]) => start)),
    end: before.length + Math.max(...splices.map(([, end]) => end)),
    changes: splices.length > 0,
  });
  return {
    content: before + content + after,
    accept: accept.map(toAlternative),
    cosmetic: cosmetic.map(toAlternative),
  };
}

function spliced(content: string, splices: readonly RawSplice[]): string {
  let [text, at] = ['', 0];
  for (const [start, end, inserted] of [...splices].sort(([a], [b]) => a - b)) {
    text += content.slice(at, start) + inserted;
    at = end;
  }
  return text + content.slice(at);
}

const WORDS =
  'alpha buffer cursor delta engine filter gamma handle index joint kernel ledger matrix node offset packet queue router stream token update vector window yield zone'.split(
    ' ',
  );

/** Code-like lines that resemble no real block, the same for the same seed: part of what the format of the cases means. */
function fillerLines(count: number, seed: number): string[] {
  const random = randomFrom(seed);
  const word = () => WORDS[Math.floor(random() * WORDS.length)] ?? '';
  const number = (below: number) => Math.floor(random() * below);
  return Array.from({ length: count }, (_, at) => {
    const form = number(6);
    const name = `${word()}_${word()}_${number(1e6).toString(36)}`;
    if (form === 0) return '';
    if (form === 1) return `// ${word()} ${word()} ${word()} ${at.toString(36)}`;
    if (form === 2) return `let ${name} = ${word()}(${number(999)}, "${word()}");`;
    if (form === 3) return `    ${name}.${word()}(${word()}, ${at});`;
    if (form === 4) return `if (${name} > ${number(5000)}) {`;
    return `  ${word()}.${name} += ${at} * ${word()};`;
  });
}

/** Mulberry32: 0 up to 1. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
