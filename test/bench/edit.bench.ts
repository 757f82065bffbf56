// Finding and writing an edit, beside plain search and replacement; `npm run bench:edit` scores files of cases with it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCases, wholeCase } from './edit/cases';
import { runCase, scoreOf, type Outcome, type Score } from './edit/score';
import { figure, median, type Figure } from './measure';

const REPEATS = 20;
const WARM_UP_CASES = 50;

export async function run(): Promise<readonly Figure[]> {
  const root = join(import.meta.dirname, '../..');
  const cases = parseCases(readFileSync(join(root, 'test/fixtures/edits.jsonl'), 'utf8'));
  const planned: number[] = [];
  const plain: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    for (const edit of cases) {
      planned.push(runCase(edit).ms);
      const { content } = wholeCase(edit);
      const startedMs = performance.now();
      content.replace(edit.oldString, () => edit.newString);
      plain.push(performance.now() - startedMs);
    }
  }
  const baseline = { name: 'String.replace', value: median(plain) };
  return [figure('an edit of the fixtures, median', 'ms', median(planned), baseline)];
}

export interface ScoredFile extends Score {
  readonly outcomes: readonly Outcome[];
}

/** `jsonl`: the cases; throws when a line is none. */
export function scoreCases(jsonl: string): ScoredFile {
  const cases = parseCases(jsonl);
  // What is measured is not how the code is loaded.
  cases.slice(0, WARM_UP_CASES).forEach(runCase);
  const outcomes = cases.map(runCase);
  return { ...scoreOf(outcomes), outcomes };
}
