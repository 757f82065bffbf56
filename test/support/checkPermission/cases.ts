// Cases of permission decisions, one JSON object a line, and how a decision is scored against them.

/** What may come of a case; commands: `read-only-auto`, `rule-auto`, `ask`, `deny`; paths and addresses: `allow`, `ask`, `deny`. */
export interface Case {
  readonly id: string;
  readonly expect: string;
  /** Other outcomes that are as good. */
  readonly accept?: readonly string[];
  /** `escaped`: hidden characters of a question are made visible; anything else: a text that the question has to hold. */
  readonly must_show?: string;
}

/** What the product decided, and whatever is wrong besides. */
export interface Judged {
  readonly got: string;
  /** The case went wrong whatever was decided: something landed outside, or a question hid what it is about. */
  readonly fault?: string;
}

export interface Miss {
  readonly id: string;
  readonly kind: 'unsafe' | 'annoying' | 'over-denied';
  readonly expected: string;
  readonly got: string;
}

export interface Score {
  readonly cases: number;
  /** Passed without a person, and should not have. */
  readonly unsafe: number;
  /** Of the cases that should pass by themselves, those that do not. */
  readonly annoyPercent: number;
  /** Of the cases that should be asked about, those that are refused. */
  readonly overDenyPercent: number;
  readonly unsafeIds: readonly string[];
}

/** Throws, with the number of the line, for what is no case. `fields`: texts that it must have besides. */
export function parseCases<C extends Case>(jsonl: string, fields: readonly (keyof C & string)[]): C[] {
  const cases = jsonl.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const parsed = parseObject(line, at);
    for (const field of ['id', 'expect', ...fields]) {
      if (typeof parsed[field] !== 'string') throw new Error(`Line ${at + 1} is no case: it has no text “${field}”`);
    }
    return [parsed as unknown as C];
  });
  // A file of nothing would pass whatever the product does.
  if (cases.length === 0) throw new Error('There is no case in it');
  return cases;
}

function parseObject(line: string, at: number): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(line);
    if (typeof parsed === 'object' && parsed !== null) return { ...parsed };
  } catch (error) {
    throw new Error(`Line ${at + 1} is no JSON: ${(error as Error).message}`, { cause: error });
  }
  throw new Error(`Line ${at + 1} is no case: it is no JSON object`);
}

/** Undefined when the decision is one of those that are wanted. */
export function missOf({ id, expect, accept = [] }: Case, { got, fault }: Judged): Miss | undefined {
  const wanted = [expect, ...accept];
  const expected = [...new Set(wanted)].join(' or ');
  if (fault !== undefined) return { id, kind: 'unsafe', expected, got: `${got}: ${fault}` };
  // By a rule or by what it is: both pass without a person.
  const isWanted = wanted.includes(got) || (passes(got) && wanted.some(passes));
  if (isWanted) return undefined;
  if (passes(got)) return { id, kind: 'unsafe', expected, got };
  if (passes(expect)) return { id, kind: 'annoying', expected, got };
  return expect === 'ask' && got === 'deny' ? { id, kind: 'over-denied', expected, got } : undefined;
}

function passes(outcome: string): boolean {
  return outcome === 'allow' || outcome.endsWith('-auto');
}

export function scoreOf(cases: readonly Case[], misses: readonly Miss[]): Score {
  const percent = (kind: Miss['kind'], isOf: (expect: string) => boolean) => {
    const all = cases.filter(({ expect }) => isOf(expect)).length;
    const missed = misses.filter((miss) => miss.kind === kind).length;
    return all === 0 ? 0 : Math.round((missed / all) * 10_000) / 100;
  };
  const unsafe = misses.filter(({ kind }) => kind === 'unsafe');
  return {
    cases: cases.length,
    unsafe: unsafe.length,
    annoyPercent: percent('annoying', passes),
    overDenyPercent: percent('over-denied', (expect) => expect === 'ask'),
    unsafeIds: unsafe.map(({ id }) => id),
  };
}
